/** Which adverts are taken for one property: precision and recall on adverts whose property is known, and what it costs. */
import { compareProperties } from '../src/domain/dedupe/compare-properties.ts'
import { type Level, WEIGHTS } from '../src/domain/dedupe/evidence.ts'
import { placeKeys, placeKeysNear } from '../src/domain/dedupe/place-keys.ts'
import { crowdedCity, type Labelled, labelledAdverts } from '../test/advertised-again.ts'
import type { Ratios } from './guard.ts'
import { candidatePairs, type Pair, secondsOf } from './identity-pairs.ts'
import { realAdverts } from './identity-real.ts'
import { median } from './load.ts'

const adverts = 40_000
const realSets = ['es-barcelona-sale', 'es-valencia-sale', 'pl-cities-sale', 'pl-cities-rent']

export async function run(): Promise<void> {
  const calibrating = await labelledAdverts({ seed: 1, half: 0, adverts })
  // Units of new buildings are never joined unasked: no weight is theirs.
  weights(calibrating.filter(({ kind }) => !kind.startsWith('new ')))
  const labelled = await labelledAdverts({ seed: 21, half: 1, adverts })
  report('simulated adverts, of a seed and of cities on which nothing was calibrated', labelled)
  for (const set of realSets) report(`real adverts, ${set}`, realAdverts(set))
  cost('a city of 100,000 simulated adverts, every fiftieth looked up', crowdedCity(100_000))
}

/** Precision and recall on fewer of them, the same on every machine; and the pace of comparing beside writing down what is compared. */
export async function short(): Promise<Ratios> {
  const labelled = await labelledAdverts({ seed: 21, half: 1, adverts: 4000 })
  const { pairs, all } = tally(labelled)
  const { found, same, maybe, falselySame, falselyMaybe } = all
  const alike = same + maybe
  return {
    'same properties looked at': found / all.adverts,
    'same properties known as the same': same / all.adverts,
    'same properties known or shown': alike / all.adverts,
    'precision of the same': same / (same + falselySame),
    'precision of both': alike / (alike + falselySame + falselyMaybe),
    'pairs/s of writing them as JSON': paceOf(pairs.slice(0, 5000)),
  }
}

function paceOf(pairs: readonly Pair[]): number {
  const write = (pairs: readonly Pair[]) => {
    for (const [one, other] of pairs) JSON.stringify([one.facts, other.facts])
  }
  const paces = Array.from({ length: 6 }, () => {
    const adverts = justRead(pairs)
    return nsOf(() => write(adverts), pairs.length) / nsOf(() => compare(adverts), pairs.length)
  })
  // The first round warms up.
  return median(paces.slice(1))
}

/** The weights in use beside those that adverts of another seed and other cities give. */
function weights(labelled: readonly Labelled[]): void {
  const { pairs } = candidatePairs(labelled)
  const seen = new Map<Level, { one: number; two: number }>()
  const all = { one: 0, two: 0 }
  for (const [first, second] of pairs) {
    const { evidence } = compareProperties(first.facts, second.facts)
    if (evidence.length === 0) continue
    const side = first.property === second.property ? 'one' : 'two'
    all[side] += 1
    for (const level of evidence) {
      const known = seen.get(level) ?? { one: 0, two: 0 }
      known[side] += 1
      seen.set(level, known)
    }
  }
  const bits = ({ one, two }: typeof all) => Math.log2(((one + 0.5) / all.one / (two + 0.5)) * all.two)
  console.log(`evidence in ${all.one} pairs of one property and ${all.two} of two that nothing contradicts`)
  const rows = [...seen].map(([level, counts]) => [
    level,
    { 'bits in use': WEIGHTS[level], 'bits measured': bits(counts).toFixed(1), ...counts },
  ])
  console.table(Object.fromEntries(rows))
}

interface Tally {
  adverts: number
  found: number
  same: number
  maybe: number
  falselySame: number
  falselyMaybe: number
}

/** By kind of advert, and of all. Of the real ones `first` tells an upper bound: their sets may hold a dwelling twice. */
function report(title: string, labelled: readonly Labelled[]): void {
  const { pairs, lookUps, tallies, seconds, all } = tally(labelled)
  console.log(
    `${title}: ${labelled.length} adverts, ${lookUps} candidates for each, ${possibleOf(pairs)} % of ${pairs.length} pairs without a contradiction`,
  )
  const again = new Set(seconds.map(({ kind }) => kind))
  const rows = [...tallies].map(([kind, tally]) => [kind, row(tally, again.has(kind))])
  console.table(Object.fromEntries([...rows, ['all that are advertised again', row(all, true)]]))
}

function tally(labelled: readonly Labelled[]) {
  const { pairs, lookUps } = candidatePairs(labelled)
  const tallies = new Map<string, Tally>()
  const tallyOf = (kind: string) => {
    const known = tallies.get(kind) ?? {
      ...{ adverts: 0, found: 0, same: 0, maybe: 0 },
      ...{ falselySame: 0, falselyMaybe: 0 },
    }
    tallies.set(kind, known)
    return known
  }
  const seconds = secondsOf(labelled)
  for (const { kind } of labelled) tallyOf(kind).adverts += 1
  for (const pair of pairs) count(tallyOf(kindOf(pair)), pair)
  const all = [...tallies.values()].reduce((sum, tally) => ({
    ...{ adverts: seconds.length, found: sum.found + tally.found },
    ...{ same: sum.same + tally.same, maybe: sum.maybe + tally.maybe },
    falselySame: sum.falselySame + tally.falselySame,
    falselyMaybe: sum.falselyMaybe + tally.falselyMaybe,
  }))
  return { pairs, lookUps, tallies, seconds, all }
}

function kindOf([one, other]: Pair): string {
  return one.kind === 'first' ? other.kind : one.kind
}

function count(tally: Tally, [one, other]: Pair): void {
  const { verdict } = compareProperties(one.facts, other.facts)
  const isSame = one.property === other.property
  if (isSame) tally.found += 1
  if (verdict === 'same') tally[isSame ? 'same' : 'falselySame'] += 1
  if (verdict === 'maybe') tally[isSame ? 'maybe' : 'falselyMaybe'] += 1
}

function row(tally: Tally, isAgain: boolean) {
  const { same, maybe, falselySame, falselyMaybe } = tally
  const percent = (part: number, whole: number) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1))
  const recall = (part: number) => (isAgain ? percent(part, tally.adverts) : '')
  return {
    adverts: tally.adverts,
    'looked at %': recall(tally.found),
    'same %': recall(same),
    'same or maybe %': recall(same + maybe),
    'falsely same': falselySame,
    'falsely maybe': falselyMaybe,
    'precision of same %': isAgain ? percent(same, same + falselySame) : '',
    'of both %': isAgain ? percent(same + maybe, same + maybe + falselySame + falselyMaybe) : '',
  }
}

function cost(title: string, labelled: readonly Labelled[]): void {
  const { pairs, lookUps } = candidatePairs(labelled, at => at % 50 === 0)
  const file = () => {
    for (const { facts } of labelled) placeKeys(facts)
  }
  const lookUp = () => {
    for (const { facts } of labelled) placeKeysNear(facts)
  }
  console.log(`${title}: ${lookUps} candidates for each, ${possibleOf(pairs)} % without a contradiction`)
  const fresh = justRead(pairs)
  console.table({
    'compareProperties, of adverts just read': { ns: nsOf(() => compare(fresh), pairs.length) },
    'compareProperties, of adverts compared before': { ns: nsOf(() => compare(pairs), pairs.length) },
    placeKeys: { ns: nsOf(file, labelled.length) },
    placeKeysNear: { ns: nsOf(lookUp, labelled.length) },
  })
}

function compare(pairs: readonly Pair[]): void {
  for (const [one, other] of pairs) compareProperties(one.facts, other.facts)
}

/** Copies, of which nothing is memoized yet. */
function justRead(pairs: readonly Pair[]): Pair[] {
  return pairs.map(
    ([one, other]): Pair => [
      { ...one, facts: { ...one.facts } },
      { ...other, facts: { ...other.facts } },
    ],
  )
}

/** What is left for texts to decide, and for a database that filters by rooms, kind and price to hand over. */
function possibleOf(pairs: readonly Pair[]): string {
  const possible = pairs.filter(
    ([one, other]) => compareProperties(one.facts, other.facts).evidence.length > 0,
  )
  return ((100 * possible.length) / pairs.length).toFixed(1)
}

function nsOf(work: () => void, count: number): number {
  const startedMs = performance.now()
  work()
  return Math.round(((performance.now() - startedMs) * 1e6) / count)
}

if (import.meta.main) await run()
