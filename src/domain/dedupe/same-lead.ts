// Is what somebody writes down of a person and a property a lead already?
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
export function findSameLead<L extends LeadFacts>(written: LeadFacts, known: readonly L[]): L | null {
  const byUrl = known.filter(lead => written.url !== null && lead.url === written.url)
  if (byUrl.length > 0) return only(byUrl)
  if (!tellsProperty(written))
    return known.length === 1 ? known[0]! : only(known.filter(lead => !tellsProperty(lead)))
  const alike = known
    .filter(tellsProperty)
    .map(lead => ({ lead, ...compareProperties(written, lead) }))
    .filter(
      ({ verdict, score, lead }) =>
        verdict === 'same' || (score > Number.NEGATIVE_INFINITY && isWrittenAlike(written, lead)),
    )
    .sort((a, b) => b.score - a.score)
  const [best, second] = alike
  if (best) {
    if (best.score !== second?.score) return best.lead
    return only(alike.map(({ lead }) => lead).filter(lead => isWrittenSame(written, lead)))
  }
  // A person of whom nothing but the name was known until now.
  return only(known.filter(lead => !tellsProperty(lead)))
}

function only<L>(leads: readonly L[]): L | null {
  return leads.length === 1 ? leads[0]! : null
}

function tellsProperty({ address, title, price, squareMeters, latitude, url }: LeadFacts): boolean {
  return [address, title, price, squareMeters, latitude, url].some(value => value != null && value !== '')
}

/** Of several flats of one house and price, what was written of this one alone. */
function isWrittenSame(one: LeadFacts, other: LeadFacts): boolean {
  const names = ['address', 'title', 'price', 'squareMeters', 'floor', 'url'] as const
  return names.every(name => (one[name] ?? null) === (other[name] ?? null))
}

/** The same address to the letter, or the same title where none is told: rows of one list rarely tell more. */
function isWrittenAlike(one: LeadFacts, other: LeadFacts): boolean {
  if (one.address && other.address) return one.address.trim() === other.address.trim()
  return !!one.title && one.title.trim() === other.title?.trim()
}
