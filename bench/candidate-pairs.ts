/** Finds the pairs of listings that the database would compare: the same phone or place, and a similar size. */
import { areaTolerance, areaToleranceSquareMeters } from '../src/domain/dedupe/gaps.ts'
import { toNearbyPlaceKeys, toPlaceKeys } from '../src/domain/dedupe/place-keys.ts'
import type { LabelledListing } from '../test/relisted-properties.ts'

export type Pair = readonly [LabelledListing, LabelledListing]

/**
 * Finds the candidates of each listing that `isLookedUp` selects. A pair of two such listings is returned once.
 * `candidatesText`: mean and maximum number of candidates of a listing, for printing.
 */
export function findCandidatePairs(
  listings: readonly LabelledListing[],
  isLookedUp: (position: number) => boolean = () => true,
): { pairs: Pair[]; candidatesText: string } {
  const index = buildIndex(listings)
  const pairs: Pair[] = []
  const counts: number[] = []
  listings.forEach((listing, position) => {
    if (!isLookedUp(position)) return
    const matches = new Set(toNearbyKeys(listing).flatMap(key => index.get(key) ?? []))
    matches.delete(position)
    counts.push(matches.size)
    for (const other of matches)
      if (other > position || !isLookedUp(other)) pairs.push([listing, listings[other]!])
  })
  counts.sort((a, b) => a - b)
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length
  return { pairs, candidatesText: `${mean.toFixed(1)} (at most ${counts.at(-1)})` }
}

/** Indexes the positions of listings by place and size, and by phone and size. */
function buildIndex(listings: readonly LabelledListing[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  listings.forEach(({ facts }, position) => {
    const { cell, street } = toPlaceKeys(facts)
    const size = Math.round(facts.squareMeters ?? -1)
    for (const key of [cell && `c${cell}`, street && `s${street}`, facts.phone && `p${facts.phone}`]) {
      if (key === null) continue
      const positions = index.get(`${key} ${size}`)
      if (positions) positions.push(position)
      else index.set(`${key} ${size}`, [position])
    }
  })
  return index
}

function toNearbyKeys({ facts }: LabelledListing): string[] {
  if (facts.squareMeters === null) return []
  const tolerance = Math.max(facts.squareMeters * areaTolerance * 1.05, areaToleranceSquareMeters)
  const { cells, street } = toNearbyPlaceKeys(facts)
  const keys: string[] = []
  for (
    let size = Math.floor(facts.squareMeters - tolerance);
    size <= Math.ceil(facts.squareMeters + tolerance);
    size += 1
  ) {
    for (const cell of cells) keys.push(`c${cell} ${size}`)
    if (street !== null) keys.push(`s${street} ${size}`)
    if (facts.phone !== null) keys.push(`p${facts.phone} ${size}`)
  }
  return keys
}

/** Selects the listings whose property also has a first listing in the list. */
export function selectRelisted(listings: readonly LabelledListing[]): LabelledListing[] {
  const firsts = new Set(listings.flatMap(({ kind, property }) => (kind === 'first' ? property : [])))
  return listings.filter(({ kind, property }) => kind !== 'first' && firsts.has(property))
}
