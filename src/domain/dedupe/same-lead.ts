/** Is what somebody writes down of a person and a property a lead already? */
import { compareProperties } from './compare-properties.ts'
import type { PropertyFacts } from './property-facts.ts'

export type LeadFacts = PropertyFacts & {
  /** Address of its advert. */
  readonly url: string | null
}

/**
 * The known lead, among those that share a telephone, an e-mail address or a chat with the written one, that is meant:
 * that of the same advert; else the most alike property; else, where only the person is told, the one lead of that person.
 * Null if there is none, or if it could be either of two.
 */
export function findSameLead<L extends LeadFacts>(incoming: LeadFacts, known: readonly L[]): L | null {
  const byUrl = known.filter(lead => incoming.url !== null && lead.url === incoming.url)
  if (byUrl.length > 0) return singleOrNull(byUrl)
  if (!describesProperty(incoming))
    return known.length === 1 ? known[0]! : singleOrNull(known.filter(lead => !describesProperty(lead)))
  const similarLeads = known
    .filter(describesProperty)
    .map(lead => ({ lead, ...compareProperties(incoming, lead) }))
    .filter(
      ({ verdict, score, lead }) =>
        verdict === 'same' || (score > Number.NEGATIVE_INFINITY && hasSameAddressOrTitle(incoming, lead)),
    )
    .sort((a, b) => b.score - a.score)
  const [best, second] = similarLeads
  if (best) {
    if (best.score !== second?.score) return best.lead
    return singleOrNull(similarLeads.map(({ lead }) => lead).filter(lead => hasSameFields(incoming, lead)))
  }
  // A person of whom nothing but the name was known until now.
  return singleOrNull(known.filter(lead => !describesProperty(lead)))
}

function singleOrNull<L>(leads: readonly L[]): L | null {
  return leads.length === 1 ? leads[0]! : null
}

function describesProperty({ address, title, price, squareMeters, latitude, url }: LeadFacts): boolean {
  return [address, title, price, squareMeters, latitude, url].some(value => value != null && value !== '')
}

/** Of several flats of one house and price, what was written of this one alone. */
function hasSameFields(one: LeadFacts, other: LeadFacts): boolean {
  const names = ['address', 'title', 'price', 'squareMeters', 'floor', 'url'] as const
  return names.every(name => (one[name] ?? null) === (other[name] ?? null))
}

/** The same address to the letter, or the same title where none is told: rows of one list rarely tell more. */
function hasSameAddressOrTitle(one: LeadFacts, other: LeadFacts): boolean {
  if (one.address && other.address) return one.address.trim() === other.address.trim()
  return !!one.title && one.title.trim() === other.title?.trim()
}
