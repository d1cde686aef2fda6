/** Finds the existing lead for an incoming person and property. */
import { compareProperties } from './compare-properties.ts'
import type { PropertyFacts } from './property-facts.ts'

export type LeadFacts = PropertyFacts & {
  /** URL of its listing. */
  readonly url: string | null
}

/**
 * Returns the known lead that matches the incoming facts. `known`: the leads that share a phone, an e-mail address or a
 * chat. The lead with the same listing URL wins, otherwise the most similar property, otherwise (without property facts)
 * the person's only lead. Null if there is none, or if the match is ambiguous.
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
  // A lead of the person without property facts.
  return singleOrNull(known.filter(lead => !describesProperty(lead)))
}

function singleOrNull<L>(leads: readonly L[]): L | null {
  return leads.length === 1 ? leads[0]! : null
}

function describesProperty({ address, title, price, squareMeters, latitude, url }: LeadFacts): boolean {
  return [address, title, price, squareMeters, latitude, url].some(value => value != null && value !== '')
}

/** Distinguishes flats of one house and price by their exact fields. */
function hasSameFields(one: LeadFacts, other: LeadFacts): boolean {
  const names = ['address', 'title', 'price', 'squareMeters', 'floor', 'url'] as const
  return names.every(name => (one[name] ?? null) === (other[name] ?? null))
}

/** The same address, or the same title if an address is missing: rows of one list rarely have more. */
function hasSameAddressOrTitle(one: LeadFacts, other: LeadFacts): boolean {
  if (one.address && other.address) return one.address.trim() === other.address.trim()
  return !!one.title && one.title.trim() === other.title?.trim()
}
