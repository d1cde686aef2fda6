/** Is the id that a file gives a row that of the lead which bears the same? Every CRM counts from 1. */
import { toPlainWords } from '../plain-words.ts'
import { compareProperties } from './compare-properties.ts'
import type { LeadFacts } from './same-lead.ts'

export type IdentifiedFacts = LeadFacts & {
  readonly name: string | null
  /** Telephones (E.164), e-mail addresses and chats, normalised. */
  readonly identifiers: readonly string[]
}

/**
 * Whether something in a row agrees with the lead that bears its id: a telephone, an e-mail address or a chat, the name, or
 * the property. A row that tells of neither a person nor a place is of whatever its id says.
 */
export function matchesLead(row: IdentifiedFacts, lead: IdentifiedFacts): boolean {
  const isUnidentified =
    row.identifiers.length === 0 && [row.name, row.address, row.url, row.latitude].every(isMissing)
  return (
    isUnidentified ||
    row.identifiers.some(value => lead.identifiers.includes(value)) ||
    isSameName(row.name, lead.name) ||
    isSameProperty(row, lead)
  )
}

/**
 * What tells a row by which nobody can be reached: its name, title, address, price and size, as one text. Null unless all but
 * the name are told: then only another row of just the same is about the same.
 */
export function toExactKey({
  name,
  title,
  address,
  price,
  squareMeters,
}: Pick<IdentifiedFacts, 'name'> & Partial<LeadFacts>): string | null {
  if ([title, address, price, squareMeters].some(isMissing)) return null
  return JSON.stringify([name ?? null, title, address, price, squareMeters])
}

/**
 * Whether the first of address, advert, title, size and price that both tell is another: of two rows of one file that bear
 * one id, such as the name of a campaign, it says that they are of two properties.
 */
export function isOtherProperty(one: LeadFacts, other: LeadFacts): boolean {
  for (const name of ['address', 'url', 'title', 'squareMeters', 'price'] as const)
    if (!isMissing(one[name]) && !isMissing(other[name]))
      return splitWords(String(one[name])) !== splitWords(String(other[name]))
  return false
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** Words in any order; a name of two words or more may lack what the other has besides. `Ana` alone is half of all. */
function isSameName(one: string | null, other: string | null): boolean {
  if (isMissing(one) || isMissing(other)) return false
  const [shorter, longer] = [one!, other!]
    .map(name => splitWords(name).split(' '))
    .sort((a, b) => a.length - b.length) as [string[], string[]]
  return (shorter.length > 1 || longer.length === 1) && shorter.every(word => longer.includes(word))
}

function isSameProperty(one: LeadFacts, other: LeadFacts): boolean {
  if (!isMissing(one.url) && one.url === other.url) return true
  // Every town has a Calle Mayor.
  const towns = [one.municipality, other.municipality]
    .filter(town => !isMissing(town))
    .map(town => splitWords(town!))
  if (new Set(towns).size > 1 && !(one.postcode && one.postcode === other.postcode)) return false
  if (!isMissing(one.address) && splitWords(one.address!) === splitWords(other.address ?? '')) return true
  return compareProperties(one, other).verdict !== 'different'
}

function splitWords(text: string): string {
  return toPlainWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
