/** The one place that several readings of it tell of, if it is one: of two, one is a neighbour's. */

import { plainWords } from '../plain-words.ts'
import type { ListingFacts } from './listing.ts'

type Reading = { [Name in keyof ListingFacts]: ListingFacts[Name] | null }

// Past these it is a list of places, whichever it holds.
const MAX_READINGS = 20
/** Ten metres: so much may two services differ in where one house is. */
const SAME_DEGREES = 1e-4

/** What the readings say together; {} if two of them contradict each other. */
export function onlyPlace(readings: readonly Reading[]): ListingFacts {
  const facts: Record<string, unknown> = {}
  for (const reading of readings.slice(0, MAX_READINGS + 1)) {
    for (const [name, value] of Object.entries(reading)) {
      if (value === null || value === undefined) continue
      if (facts[name] !== undefined && !areSame(facts[name], value)) return {}
      facts[name] ??= value
    }
  }
  return readings.length > MAX_READINGS ? {} : (facts as ListingFacts)
}

function areSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    // One may be told with fewer digits.
    const digits = Math.min(...[one, other].map(degrees => String(degrees).split('.')[1]?.length ?? 0))
    return Math.abs(one - other) <= Math.max(SAME_DEGREES, 10 ** -digits)
  }
  const [a, b] = [one, other].map(text => wordsOf(String(text)))
  // One may say more: `Gran Vía, 1` and `Gran Vía, 1, Madrid`.
  return a === b || ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)
}

function wordsOf(text: string): string {
  return plainWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
