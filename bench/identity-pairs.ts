/** The pairs of adverts that a database would look at: of one telephone or one place, and of about one size. */
import { AREA_TOLERANCE, AREA_TOLERANCE_SQUARE_METERS } from '../src/domain/dedupe/gaps.ts'
import { placeKeys, placeKeysNear } from '../src/domain/dedupe/place-keys.ts'
import type { Labelled } from '../test/advertised-again.ts'

export type Pair = readonly [Labelled, Labelled]

/** Each pair once (where every advert is looked up); `lookUps`: how many candidates an advert has, on average and at the worst. */
export function candidatePairs(
  adverts: readonly Labelled[],
  isLookedUp: (at: number) => boolean = () => true,
): { pairs: Pair[]; lookUps: string } {
  const index = indexOf(adverts)
  const pairs: Pair[] = []
  const counts: number[] = []
  adverts.forEach((advert, at) => {
    if (!isLookedUp(at)) return
    const found = new Set(keysNear(advert).flatMap(key => index.get(key) ?? []))
    found.delete(at)
    counts.push(found.size)
    for (const other of found) if (other > at || !isLookedUp(other)) pairs.push([advert, adverts[other]!])
  })
  counts.sort((a, b) => a - b)
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length
  return { pairs, lookUps: `${mean.toFixed(1)} (at most ${counts.at(-1)})` }
}

/** Positions of adverts by place or telephone, with the size. */
function indexOf(adverts: readonly Labelled[]): Map<string, number[]> {
  const index = new Map<string, number[]>()
  adverts.forEach(({ facts }, at) => {
    const { cell, street } = placeKeys(facts)
    const size = Math.round(facts.squareMeters ?? -1)
    for (const key of [cell && `c${cell}`, street && `s${street}`, facts.phone && `p${facts.phone}`]) {
      if (key === null) continue
      const filed = index.get(`${key} ${size}`)
      if (filed) filed.push(at)
      else index.set(`${key} ${size}`, [at])
    }
  })
  return index
}

function keysNear({ facts }: Labelled): string[] {
  if (facts.squareMeters === null) return []
  const tolerance = Math.max(facts.squareMeters * AREA_TOLERANCE * 1.05, AREA_TOLERANCE_SQUARE_METERS)
  const { cells, street } = placeKeysNear(facts)
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

/** The adverts of a property that another advert was of before. */
export function secondsOf(adverts: readonly Labelled[]): Labelled[] {
  const firsts = new Set(adverts.flatMap(({ kind, property }) => (kind === 'first' ? property : [])))
  return adverts.filter(({ kind, property }) => kind !== 'first' && firsts.has(property))
}
