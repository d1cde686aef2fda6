/** The types of the texts of one language: sentences with placeholders, and the words that fill them. */
import type { Condition, Feature, ListingAttributes, Operation, PropertyType } from './listing.ts'

export interface ListingPlace {
  street: string
  neighbourhood: string
}

/** The placeholders: {verb}, {noun}, {adjective}, {street}, {barrio}, {city} and {reference}. */
export interface Phrases {
  openings: Record<PropertyType, readonly string[]>
  surroundings: readonly string[]
  conditions: Record<Condition, readonly string[]>
  features: readonly (readonly [Feature, string])[]
  privateClosings: Closings
  agencyClosings: Closings
  /** A sentence that asks agencies not to call. */
  noAgencyClosings: readonly string[]
  adjectives: readonly string[]
  verbs: Record<Operation, string>
  /** "ático", in lower case. */
  noun(attributes: ListingAttributes): string
  title(attributes: ListingAttributes, place: ListingPlace): string
  /** The sentence of sizes and counts. */
  layout(attributes: ListingAttributes): string
  /** The sentence of features; `parts` has at least one. */
  equipment(parts: readonly string[]): string
}

interface Closings {
  sale: readonly string[]
  rent: readonly string[]
  any: readonly string[]
}

/** "a, b y c", where `and` is "y". */
export function joinWords(parts: readonly string[], and: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${and} ${parts.at(-1)}`
}
