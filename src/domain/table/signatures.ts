// Files that are no text table, known by how they begin, and what their owner can do instead.
import { TableRefused } from './refused.ts'

const SAVE_AS_CSV = 'open it in your spreadsheet program, save the sheet as CSV (UTF-8) and import that file.'
const EXCEL = ['EXCEL_WORKBOOK', `This is an Excel workbook, not a CSV file: ${SAVE_AS_CSV}`] as const
const IMAGE = ['NOT_TEXT', 'This is an image. Import the table itself, saved as CSV.'] as const
const ARCHIVE = [
  'ARCHIVE',
  'This is a compressed archive: unpack it and import the CSV file inside.',
] as const

/** The first bytes in hexadecimal, after https://en.wikipedia.org/wiki/List_of_file_signatures. */
const BINARIES: [signature: string, code: string, message: string][] = [
  ['d0cf11e0a1b11ae1', ...EXCEL],
  ['25504446', 'PDF', 'This is a PDF document. Export the list as CSV from the program that made it.'],
  ['89504e47', ...IMAGE],
  ['ffd8ff', ...IMAGE],
  ['47494638', ...IMAGE],
  ['52494646', ...IMAGE],
  ['1f8b', ...ARCHIVE],
  ['504b0304', ...ARCHIVE],
  ['504b0506', ...ARCHIVE],
  ['377abcaf271c', ...ARCHIVE],
  ['526172211a07', ...ARCHIVE],
  ['28b52ffd', ...ARCHIVE],
]
const MARKUP: [begins: RegExp, code: string, message: string][] = [
  [
    /^<(?:!doctype html|html|head|body|meta|table|!--)/i,
    'HTML_PAGE',
    `This is an HTML page, whatever its name says. Some programs export one as a workbook: ${SAVE_AS_CSV}`,
  ],
  [
    /^<\?xml|^<[a-z]+:?[a-z]*[\s>][^,;|]*>/i,
    'XML',
    `This is an XML document, not a CSV file: ${SAVE_AS_CSV}`,
  ],
  [/^BEGIN:VCARD/i, 'VCARD', 'These are contact cards (vCard). Export the contacts as CSV instead.'],
  [/^\{\\rtf/, 'NOT_TEXT', `This is a word processor's document, not a CSV file: ${SAVE_AS_CSV}`],
]
const JSON_START = /^(?:\{\s*"|\[\s*[{[])/

/** The parts of a zip file that tell a spreadsheet from any other archive. */
const WORKBOOK_PARTS = /\[Content_Types\]\.xml|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/

/**
 * Refuses what is no text at all. `head`: the first bytes, with at least the first name of a zip's directory in them.
 * @throws {TableRefused}
 */
export function refuseBinary(head: Uint8Array): void {
  const start = Array.from(head.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')
  const known = BINARIES.find(([signature]) => start.startsWith(signature))
  if (known === undefined) return
  const [signature, code, message] = known
  if (signature === '504b0304' && WORKBOOK_PARTS.test(new TextDecoder('latin1').decode(head)))
    throw new TableRefused('EXCEL_WORKBOOK', `This is a workbook, not a CSV file: ${SAVE_AS_CSV}`)
  throw new TableRefused(code, message)
}

/** Refuses text of another kind. `head`: how it begins. @throws {TableRefused} */
export function refuseMarkup(head: string): void {
  const start = head.slice(0, 2000).trimStart()
  const known = MARKUP.find(([begins]) => begins.test(start))
  if (known !== undefined) throw new TableRefused(known[1], known[2])
}

/** Refuses JSON where a table is expected. @throws {TableRefused} */
export function refuseJson(head: string): void {
  if (JSON_START.test(head.slice(0, 2000).trimStart()))
    throw new TableRefused(
      'JSON',
      'This is JSON, not CSV. Leads can be imported as NDJSON, one object per line.',
    )
}
