/** What the address of the page says: operation, type and the portal's number of the listing. */
import { toPlainWords } from '../../../plain-words.ts'
import { parsePathWords } from '../../vocabulary.ts'
import { parseOperationCode, parseTypeCode } from '../codes.ts'
import type { Candidate } from '../page-listing.ts'

const weights = { operation: 0.55, type: 0.4, reference: 0.3, code: 0.28 }
const pathMax = 500

export function readUrl(url: string): Candidate[] {
  const path = decodePath(URL.parse(url)?.pathname ?? '').slice(0, pathMax)
  const segments = path.split('/').filter(segment => segment !== '')
  const candidates: Candidate[] = []
  const add = (field: string, value: unknown, weight: number) =>
    candidates.push({ field, value, source: 'url', where: 'path', weight } as Candidate)
  const operations = new Set(
    segments
      .flatMap(segment => parseOperationCode(segment.slice(0, 60)) ?? [])
      .concat(parsePathWords(path).operation ?? []),
  )
  if (operations.size === 1) add('operation', [...operations][0], weights.operation)
  const types = segments.map(segment => parseTypeCode(toPlainWords(segment).slice(0, 60)))
  const subtypes = new Set(types.flatMap(({ subtype }) => subtype ?? []))
  // Garages and storage rooms in a path are often extras of a home.
  if (subtypes.size === 1 && !subtypes.has('garage') && !subtypes.has('storage')) {
    const { subtype, propertyType } = types.find(type => type.subtype !== undefined)!
    add('subtype', subtype, weights.type)
    if (propertyType !== undefined) add('propertyType', propertyType, weights.type)
  }
  const reference = findNumber(segments)
  if (reference !== null) add('reference', reference, weights.reference)
  const code = findCode(segments.at(-1) ?? '')
  // The source of a text has to be printed on the page.
  if (code !== null)
    candidates.push({ field: 'reference', value: code, source: 'text', where: 'path', weight: weights.code })
  return candidates
}

/** The last word with a number of five digits or more; null if several numbers are joined, as in dates and UUIDs. */
function findNumber(segments: readonly string[]): string | null {
  for (const segment of segments.toReversed()) {
    if (/[\da-f]{8}-[\da-f]{4}-/.test(segment)) continue
    const word = segment.match(/(?<![\p{L}\d])[a-z]{0,4}\d{5,12}(?!\d)/giu)?.at(-1)
    if (word !== undefined)
      return segment.includes(`${word}-`) || /\d-$/.test(segment.split(word)[0]!) ? null : word
  }
  return null
}

/** The code at the end of a path: `…-lagos-6PBUWY`, `1771-14563-258.html`. */
function findCode(segment: string): string | null {
  const name = segment.replace(/\.\w{2,5}$/, '').slice(-60)
  if (/^\d{2,8}(?:[-.]\d{2,8}){1,3}$/.test(name)) return name
  const word = name.split('-').at(-1)!
  return /^(?=.*\d.*[A-Z]|.*[A-Z].*\d)[A-Z\d]{5,12}$/.test(word) ? word : null
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
