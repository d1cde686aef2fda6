/** How long the texts of a lead may be: as long as the API lets people write them. */
import { floorTextLengthMax } from '../listing/floor.ts'
import type { NamedLeadField } from './lead-fields.ts'
import { UnreadableValue } from './unreadable-value.ts'

/** Characters. What is longer is no name or number, and hostile text would take time that grows with its square. */
const lengthsMax: Partial<Record<NamedLeadField, number>> = {
  'contact.name': 500,
  'contact.firstName': 500,
  'contact.lastName': 500,
  'contact.identifiers': 10_000,
  'property.title': 500,
  'property.description': 20_000,
  // Lists of any number of words: a record has at most 1 MiB.
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
/** Texts of which the beginning is worth having; half a name or address is wrong. */
const cutSuffix: ReadonlySet<NamedLeadField> = new Set<NamedLeadField>([
  'property.title',
  'property.description',
  'note',
])

/** As the API counts: a pair of surrogates is one character. */
export function isLongerThan(max: number, text: string): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max)
}

/** The text as far as the field holds it, null if that is not at all; and what is to be told of it, null if nothing is. */
export function truncateText(
  field: NamedLeadField,
  text: string,
): { text: string | null; problem: UnreadableValue | null } {
  const max = lengthsMax[field] ?? otherLengthMax
  if (!isLongerThan(max, text)) return { text, problem: null }
  const length = `${max.toLocaleString('en-GB')} characters`
  if (!cutSuffix.has(field))
    return {
      text: null,
      problem: new UnreadableValue('TOO_LONG', `This is longer than such a value can be (${length}).`),
    }
  // Not in the middle of a pair of surrogates.
  const truncated = text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
  return {
    text: truncated,
    problem: new UnreadableValue(
      'TEXT_CUT',
      `Such a text has at most ${length}: what goes beyond was left out.`,
    ),
  }
}
