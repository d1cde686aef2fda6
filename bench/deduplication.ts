/** Deduplication: precision and recall on listings with known properties, and its cost. */
import { compareProperties } from '../src/domain/dedupe/compare-properties.ts'
import { type Level, levelWeights } from '../src/domain/dedupe/evidence.ts'
import { toNearbyPlaceKeys, toPlaceKeys } from '../src/domain/dedupe/place-keys.ts'
import { type LabelledListing, makeCrowdedCity, makeLabelledListings } from '../test/relisted-properties.ts'
import { findCandidatePairs, type Pair, selectRelisted } from './candidate-pairs.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { readRealListings } from './real-listings.ts'

const listings = 40_000
const realSets = ['es-barcelona-sale', 'es-valencia-sale', 'pl-cities-sale', 'pl-cities-rent']

export async function run(): Promise<void> {
  const calibrationListings = await makeLabelledListings({ seed: 1, half: 0, listings })
  // Units of new buildings are never merged automatically, so they are excluded.
  printWeights(calibrationListings.filter(({ kind }) => !kind.startsWith('new ')))
  const labelled = await makeLabelledListings({ seed: 21, half: 1, listings })
  printResults('simulated listings, of a seed and cities that were not used for calibration', labelled)
  for (const set of realSets) printResults(`real listings, ${set}`, readRealListings(set))
  printCost('a city of 100,000 simulated listings, every fiftieth compared', makeCrowdedCity(100_000))
}

/**
 * Short form: precision and recall on fewer listings, deterministic; and the speed of comparing relative to
 * serializing the same data.
 */
export async function short(): Promise<Ratios> {
  const labelled = await makeLabelledListings({ seed: 21, half: 1, listings: 4000 })
  const { pairs, all } = tally(labelled)
  const { found, same, maybe, falseSame, falseMaybe } = all
  const alike = same + maybe
  return {
    'same properties looked at': found / all.listings,
    'same properties known as the same': same / all.listings,
    'same properties known or shown': alike / all.listings,
    'precision of the same': same / (same + falseSame),
    'precision of both': alike / (alike + falseSame + falseMaybe),
    'pairs/s of writing them as JSON': measurePace(pairs.slice(0, 5000)),
  }
}

function measurePace(pairs: readonly Pair[]): number {
  const write = (pairs: readonly Pair[]) => {
    for (const [one, other] of pairs) JSON.stringify([one.facts, other.facts])
  }
  const paces = Array.from({ length: 6 }, () => {
    const listings = copyPairs(pairs)
    return measureNs(() => write(listings), pairs.length) / measureNs(() => compare(listings), pairs.length)
  })
  // The first round is a warm-up.
  return median(paces.slice(1))
}

/** Compares the weights in use with those fitted to another seed and other cities. */
function printWeights(labelled: readonly LabelledListing[]): void {
  const { pairs } = findCandidatePairs(labelled)
  const seen = new Map<Level, { one: number; two: number }>()
  const all = { one: 0, two: 0 }
  for (const [first, second] of pairs) {
    const { evidence } = compareProperties(first.facts, second.facts)
    if (evidence.length === 0) continue
    const side = first.property === second.property ? 'one' : 'two'
    all[side] += 1
    for (const level of evidence) {
      const tallied = seen.get(level) ?? { one: 0, two: 0 }
      tallied[side] += 1
      seen.set(level, tallied)
    }
  }
  const bits = ({ one, two }: typeof all) => Math.log2(((one + 0.5) / all.one / (two + 0.5)) * all.two)
  console.log(
    `evidence in pairs without a contradiction: ${all.one} of one property, ${all.two} of two properties`,
  )
  const rows = [...seen].map(([level, counts]) => [
    level,
    { 'bits in use': levelWeights[level], 'bits measured': bits(counts).toFixed(1), ...counts },
  ])
  console.table(Object.fromEntries(rows))
}

interface Tally {
  listings: number
  found: number
  same: number
  maybe: number
  falseSame: number
  falseMaybe: number
}

/**
 * Prints results by kind of listing, and in total. For real listings the errors of kind `first` are upper bounds, because
 * a set may contain a dwelling twice.
 */
function printResults(title: string, labelled: readonly LabelledListing[]): void {
  const { pairs, candidatesText, tallies, relisted, all } = tally(labelled)
  console.log(
    `${title}: ${labelled.length} listings, ${candidatesText} candidates for each, ${percentPossible(pairs)} % of ${pairs.length} pairs without a contradiction`,
  )
  const relistedKinds = new Set(relisted.map(({ kind }) => kind))
  const rows = [...tallies].map(([kind, tally]) => [kind, toTableRow(tally, relistedKinds.has(kind))])
  console.table(Object.fromEntries([...rows, ['all relisted', toTableRow(all, true)]]))
}

function tally(labelled: readonly LabelledListing[]) {
  const { pairs, candidatesText } = findCandidatePairs(labelled)
  const tallies = new Map<string, Tally>()
  const getTally = (kind: string) => {
    const tallied = tallies.get(kind) ?? {
      listings: 0,
      found: 0,
      same: 0,
      maybe: 0,
      falseSame: 0,
      falseMaybe: 0,
    }
    tallies.set(kind, tallied)
    return tallied
  }
  const relisted = selectRelisted(labelled)
  for (const { kind } of labelled) getTally(kind).listings += 1
  for (const pair of pairs) addPair(getTally(toKind(pair)), pair)
  const all = [...tallies.values()].reduce((sum, tally) => ({
    listings: relisted.length,
    found: sum.found + tally.found,
    same: sum.same + tally.same,
    maybe: sum.maybe + tally.maybe,
    falseSame: sum.falseSame + tally.falseSame,
    falseMaybe: sum.falseMaybe + tally.falseMaybe,
  }))
  return { pairs, candidatesText, tallies, relisted, all }
}

function toKind([one, other]: Pair): string {
  return one.kind === 'first' ? other.kind : one.kind
}

function addPair(tally: Tally, [one, other]: Pair): void {
  const { verdict } = compareProperties(one.facts, other.facts)
  const isSame = one.property === other.property
  if (isSame) tally.found += 1
  if (verdict === 'same') tally[isSame ? 'same' : 'falseSame'] += 1
  if (verdict === 'maybe') tally[isSame ? 'maybe' : 'falseMaybe'] += 1
}

function toTableRow(tally: Tally, isRelisted: boolean) {
  const { same, maybe, falseSame, falseMaybe } = tally
  const percent = (part: number, whole: number) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1))
  const recall = (part: number) => (isRelisted ? percent(part, tally.listings) : '')
  return {
    listings: tally.listings,
    'looked at %': recall(tally.found),
    'same %': recall(same),
    'same or maybe %': recall(same + maybe),
    'falsely same': falseSame,
    'falsely maybe': falseMaybe,
    'precision of same %': isRelisted ? percent(same, same + falseSame) : '',
    'of both %': isRelisted ? percent(same + maybe, same + maybe + falseSame + falseMaybe) : '',
  }
}

function printCost(title: string, labelled: readonly LabelledListing[]): void {
  const { pairs, candidatesText } = findCandidatePairs(labelled, index => index % 50 === 0)
  const indexAll = () => {
    for (const { facts } of labelled) toPlaceKeys(facts)
  }
  const lookUpAll = () => {
    for (const { facts } of labelled) toNearbyPlaceKeys(facts)
  }
  console.log(
    `${title}: ${candidatesText} candidates for each, ${percentPossible(pairs)} % without a contradiction`,
  )
  const fresh = copyPairs(pairs)
  console.table({
    'compareProperties, new listings': { ns: measureNs(() => compare(fresh), pairs.length) },
    'compareProperties, listings compared before': { ns: measureNs(() => compare(pairs), pairs.length) },
    toPlaceKeys: { ns: measureNs(indexAll, labelled.length) },
    toNearbyPlaceKeys: { ns: measureNs(lookUpAll, labelled.length) },
  })
}

function compare(pairs: readonly Pair[]): void {
  for (const [one, other] of pairs) compareProperties(one.facts, other.facts)
}

/** Copies without memoized values. */
function copyPairs(pairs: readonly Pair[]): Pair[] {
  return pairs.map(
    ([one, other]): Pair => [
      { ...one, facts: { ...one.facts } },
      { ...other, facts: { ...other.facts } },
    ],
  )
}

/** The share of pairs that remains for the comparison of texts after filters by rooms, type and price. */
function percentPossible(pairs: readonly Pair[]): string {
  const possible = pairs.filter(
    ([one, other]) => compareProperties(one.facts, other.facts).evidence.length > 0,
  )
  return ((100 * possible.length) / pairs.length).toFixed(1)
}

function measureNs(work: () => void, count: number): number {
  const startedMs = performance.now()
  work()
  return Math.round(((performance.now() - startedMs) * 1e6) / count)
}

if (import.meta.main) await run()
