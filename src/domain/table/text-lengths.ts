/** Maximum lengths of the texts of a lead, as in the API. */
import { floorTextLengthMax } from '../listing/floor.ts'
import type { NamedLeadField } from './lead-fields.ts'
import { UnreadableValue } from './unreadable-value.ts'

/**
 * In characters. Longer texts are not names or numbers, and the time to parse a hostile text grows with the square of
 * its length.
 */
const lengthsMax: Partial<Record<NamedLeadField, number>> = {
  'contact.name': 500,
  'contact.firstName': 500,
  'contact.lastName': 500,
  'contact.identifiers': 10_000,
  'property.title': 500,
  'property.description': 20_000,
  // Lists with any number of items: a record has at most 1 MiB.
  'property.features': Infinity,
  'property.floor': floorTextLengthMax,
  'property.floorText': floorTextLengthMax,
  'property.address': 500,
  'property.streetNumber': 50,
  'property.municipality': 200,
  'property.province': 200,
  'property.postcode': 20,
  'property.images': Infinity,
  tags: Infinity,
  customFields: Infinity,
  note: 10_000,
  'lawfulBasis.proof': 4800,
}
const otherLengthMax = 2000
/** Texts that are still useful when truncated; half a name or address is wrong. */
const truncatableFields: ReadonlySet<NamedLeadField> = new Set<NamedLeadField>([
  'property.title',
  'property.description',
  'note',
])

/** Counts characters as the API does: a surrogate pair is one. */
export function isLongerThan(max: number, text: string): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max)
}

/**
 * Truncates the text to the maximum of the field; null if it cannot be truncated. `problem` is null if nothing was
 * changed.
 */
export function truncateText(
  field: NamedLeadField,
  text: string,
): { text: string | null; problem: UnreadableValue | null } {
  const max = lengthsMax[field] ?? otherLengthMax
  if (!isLongerThan(max, text)) return { text, problem: null }
  const length = `${max.toLocaleString('en-GB')} characters`
  if (!truncatableFields.has(field))
    return {
      text: null,
      problem: new UnreadableValue('TOO_LONG', `This text is too long (maximum ${length}).`),
    }
  // Not in the middle of a surrogate pair.
  const truncated = text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
  return {
    text: truncated,
    problem: new UnreadableValue('TEXT_CUT', `This text has more than ${length}, so it was truncated.`),
  }
}
