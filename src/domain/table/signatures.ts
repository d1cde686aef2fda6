/** Recognizes files that are not text tables by their beginning, with advice for the user. */
import { TableError } from './table-error.ts'

const saveAsCsvAdvice =
  'open it in your spreadsheet program, save the sheet as CSV (UTF-8) and import that file.'
const excelProblem = [
  'EXCEL_WORKBOOK',
  `This is an Excel workbook, not a CSV file: ${saveAsCsvAdvice}`,
] as const
const imageProblem = ['NOT_TEXT', 'This is an image. Import the table itself, saved as CSV.'] as const
const archiveProblem = [
  'ARCHIVE',
  'This is a compressed archive: unpack it and import the CSV file inside.',
] as const

/** The first bytes in hexadecimal, from https://en.wikipedia.org/wiki/List_of_file_signatures. */
const binarySignatures: [signature: string, code: string, message: string][] = [
  ['d0cf11e0a1b11ae1', ...excelProblem],
  ['25504446', 'PDF', 'This is a PDF document. Export the list as CSV from the program that made it.'],
  ['89504e47', ...imageProblem],
  ['ffd8ff', ...imageProblem],
  ['47494638', ...imageProblem],
  ['52494646', ...imageProblem],
  ['1f8b', ...archiveProblem],
  ['504b0304', ...archiveProblem],
  ['504b0506', ...archiveProblem],
  ['377abcaf271c', ...archiveProblem],
  ['526172211a07', ...archiveProblem],
  ['28b52ffd', ...archiveProblem],
]
const markupSignatures: [pattern: RegExp, code: string, message: string][] = [
  [
    /^<(?:!doctype html|html|head|body|meta|table|!--)/i,
    'HTML_PAGE',
    `This is an HTML page, despite its file name. Some programs export one as a workbook: ${saveAsCsvAdvice}`,
  ],
  [
    /^<\?xml|^<[a-z]+:?[a-z]*[\s>][^,;|]*>/i,
    'XML',
    `This is an XML document, not a CSV file: ${saveAsCsvAdvice}`,
  ],
  [/^BEGIN:VCARD/i, 'VCARD', 'These are contact cards (vCard). Export the contacts as CSV instead.'],
  [/^\{\\rtf/, 'NOT_TEXT', `This is a word processor's document, not a CSV file: ${saveAsCsvAdvice}`],
]
const jsonStartPattern = /^(?:\{\s*"|\[\s*[{[])/

/** Parts of a zip file that distinguish a spreadsheet from other archives. */
const workbookParts = /\[Content_Types\]\.xml|xl\/|opendocument\.spreadsheet|Index\/Document\.iwa/

/**
 * Refuses files that are not text. `head`: the first bytes, including the first name in the directory of a zip file.
 * @throws {TableError}
 */
export function rejectBinary(head: Uint8Array): void {
  const start = Array.from(head.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')
  const known = binarySignatures.find(([signature]) => start.startsWith(signature))
  if (known === undefined) return
  const [signature, code, message] = known
  if (signature === '504b0304' && workbookParts.test(new TextDecoder('latin1').decode(head)))
    throw new TableError('EXCEL_WORKBOOK', `This is a workbook, not a CSV file: ${saveAsCsvAdvice}`)
  throw new TableError(code, message)
}

/**
 * Refuses other kinds of text. `head`: the beginning of the text.
 * @throws {TableError}
 */
export function rejectMarkup(head: string): void {
  const start = head.slice(0, 2000).trimStart()
  const known = markupSignatures.find(([pattern]) => pattern.test(start))
  if (known !== undefined) throw new TableError(known[1], known[2])
}

/**
 * Refuses JSON where a table is expected.
 * @throws {TableError}
 */
export function rejectJson(head: string): void {
  if (jsonStartPattern.test(head.slice(0, 2000).trimStart()))
    throw new TableError(
      'JSON',
      'This is JSON, not CSV. Leads can be imported as NDJSON, one object per line.',
    )
}
