/**
 * Checks if a row and the lead with its id are about the same person or property. Every CRM counts from 1, so ids of
 * two CRMs collide.
 */
import { toPlainWords } from '../plain-words.ts'
import { compareProperties } from './compare-properties.ts'
import type { LeadFacts } from './same-lead.ts'

export type IdentifiedFacts = LeadFacts & {
  readonly name: string | null
  /** Normalized phones (E.164), e-mail addresses and chats. */
  readonly identifiers: readonly string[]
}

/**
 * Returns true if the row agrees with the lead in a phone, e-mail address or chat, the name, or the property. A row
 * without a person and a place matches any lead with its id.
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
 * A key for rows without contact data: name, title, address, price and size as one text. Null if anything but the name
 * is missing. Only rows with the same key are duplicates.
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
 * Returns true if the first of address, listing URL, title, size and price that both state is different. Then two rows
 * of one file with the same id (for example, the name of a campaign) are of two properties.
 */
export function isOtherProperty(one: LeadFacts, other: LeadFacts): boolean {
  for (const name of ['address', 'url', 'title', 'squareMeters', 'price'] as const)
    if (!isMissing(one[name]) && !isMissing(other[name]))
      return normalizeWords(String(one[name])) !== normalizeWords(String(other[name]))
  return false
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** Compares words in any order. A name of two or more words may lack words of the other; `Ana` alone is too common. */
function isSameName(one: string | null, other: string | null): boolean {
  if (isMissing(one) || isMissing(other)) return false
  const [shorter, longer] = [one!, other!]
    .map(name => normalizeWords(name).split(' '))
    .sort((a, b) => a.length - b.length) as [string[], string[]]
  return (shorter.length > 1 || longer.length === 1) && shorter.every(word => longer.includes(word))
}

function isSameProperty(one: LeadFacts, other: LeadFacts): boolean {
  if (!isMissing(one.url) && one.url === other.url) return true
  // Every town has a Calle Mayor.
  const towns = [one.municipality, other.municipality]
    .filter(town => !isMissing(town))
    .map(town => normalizeWords(town!))
  if (new Set(towns).size > 1 && !(one.postcode && one.postcode === other.postcode)) return false
  if (!isMissing(one.address) && normalizeWords(one.address!) === normalizeWords(other.address ?? ''))
    return true
  return compareProperties(one, other).verdict !== 'different'
}

function normalizeWords(text: string): string {
  return toPlainWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
