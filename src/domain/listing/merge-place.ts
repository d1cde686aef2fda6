/** Merges several readings of a listing's place. If they contradict each other, one is that of a neighbour. */

import { toPlainWords } from '../plain-words.ts'
import type { ListingFacts } from './listing.ts'

type PlaceFacts = { [Name in keyof ListingFacts]: ListingFacts[Name] | null }

// With more, the page has a list of places.
const placesMax = 20
/** About ten metres: two geocoders may differ by this much for the same house. */
const sameDegreesMax = 1e-4

/** The merged facts; {} if two readings contradict each other. */
export function mergePlace(places: readonly PlaceFacts[]): ListingFacts {
  const facts: Record<string, unknown> = {}
  for (const place of places.slice(0, placesMax + 1)) {
    for (const [name, value] of Object.entries(place)) {
      if (value === null || value === undefined) continue
      if (facts[name] !== undefined && !areSame(facts[name], value)) return {}
      facts[name] ??= value
    }
  }
  return places.length > placesMax ? {} : (facts as ListingFacts)
}

function areSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    // One may have fewer digits.
    const digits = Math.min(...[one, other].map(degrees => String(degrees).split('.')[1]?.length ?? 0))
    return Math.abs(one - other) <= Math.max(sameDegreesMax, 10 ** -digits)
  }
  const [a, b] = [one, other].map(text => toWordText(String(text)))
  // One may have more detail: `Gran Vía, 1` and `Gran Vía, 1, Madrid`.
  return a === b || ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)
}

function toWordText(text: string): string {
  return toPlainWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
