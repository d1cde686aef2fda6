// How long the texts of a lead may be: as long as the API lets people write them.
import { FLOOR_TEXT_MAX } from '../listing/floor.ts'
import type { NamedLeadField } from './lead-fields.ts'
import { Unreadable } from './unreadable.ts'

/** Characters. What is longer is no name or number, and hostile text would take time that grows with its square. */
const MAX_LENGTHS: Partial<Record<NamedLeadField, number>> = {
  'contact.name': 500,
  'contact.firstName': 500,
  'contact.lastName': 500,
  'contact.identifiers': 10_000,
  'property.title': 500,
  'property.description': 20_000,
  // Lists of any number of words: a record has at most 1 MiB.
  'property.features': Infinity,
  'property.floor': FLOOR_TEXT_MAX,
  'property.floorText': FLOOR_TEXT_MAX,
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
const MAX_OTHER_LENGTH = 2000
/** Texts of which the beginning is worth having; half a name or address is wrong. */
const CUT: ReadonlySet<NamedLeadField> = new Set<NamedLeadField>([
  'property.title',
  'property.description',
  'note',
])

/** As the API counts: a pair of surrogates is one character. */
export function isLongerThan(max: number, text: string): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max)
}

/** The text as far as the field holds it, null if that is not at all; and what is to be told of it, null if nothing is. */
export function fitText(
  field: NamedLeadField,
  text: string,
): { text: string | null; problem: Unreadable | null } {
  const max = MAX_LENGTHS[field] ?? MAX_OTHER_LENGTH
  if (!isLongerThan(max, text)) return { text, problem: null }
  const length = `${max.toLocaleString('en-GB')} characters`
  if (!CUT.has(field))
    return {
      text: null,
      problem: new Unreadable('TOO_LONG', `This is longer than such a value can be (${length}).`),
    }
  // Not in the middle of a pair of surrogates.
  const cut = text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
  return {
    text: cut,
    problem: new Unreadable('TEXT_CUT', `Such a text has at most ${length}: what goes beyond was left out.`),
  }
}
