/** What a property is worth, from comparables, in such a way that a person can redo the sum. */
import { type Adjustment, adjustmentsOf, type Subject } from './adjustments.ts'
import { coverage, halfRange, signsOf } from './error-model.ts'
import { chosenComparablesMin, comparablesMin, differenceCount, weigh, writeDifferences } from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { metersBetween } from './place-cells.ts'
import { expectedLogPrice, marketLogPrice, partOf } from './price-model.ts'
import type { Comparable } from './property.ts'

export const exclusionReasons = [
  'excluded_by_request',
  // It is the subject itself, as far as anybody can tell: its own price says nothing.
  'same_property',
  'unlikely_price',
  'less_alike',
] as const

export type ExclusionReason = (typeof exclusionReasons)[number]

export interface ComparedProperty {
  comparable: Comparable
  distanceMeters: number
  ageDays: number
  /** Empty for what is left out. */
  adjustments: Adjustment[]
  /** Its price and all adjustments: what it would cost if it were the subject. Null for what is left out. */
  adjustedPrice: number | null
  /** Its share in the estimate, 0 to 1, to four digits; 0 for what is left out. Together 1. */
  weight: number
  included: boolean
  exclusionReason: ExclusionReason | null
}

export interface Estimate {
  /** The sum of adjusted prices by their weights, in whole units of the currency. */
  value: number
  /** The price lies between these in `coverage` of cases. */
  low: number
  high: number
  coverage: number
  pricePerSquareMeter: number
  /** Forecast standard deviation, as a share of the value. */
  fsd: number
  /** `score`: 0 to 100, what is left of 100 after twice the fsd in percent. */
  confidence: { level: 'high' | 'medium' | 'low'; score: number }
  /** Those included first, by falling weight; then those left out, the most telling reasons first, then the nearest. */
  compared: ComparedProperty[]
  modelVersion: string
}

/** Ids of comparables that a person chose. */
export interface Choice {
  /** If there are any, these alone are weighed. */
  included: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

const leftOutShown = 10
/** Portals move pins; where no floor is told, flats of one building are told apart by less. */
const samePinMeters = 60
const nearlySamePinMeters = 20
/** Beyond what is expected, as a logarithm: such a price is a mistake, or of something else. */
const unlikelyFrom = 0.9
/** Of a normal distribution the range of 80 % is as many standard deviations to either side. */
const deviationsInHalfRange = 1.2816
const msPerDay = 86_400_000
const daysPerYear = 365.25

/**
 * Values a subject. `comparables`: those near it, at best the 200 nearest that are like it. Null: fewer than `comparablesMin`
 * of them can be weighed.
 *
 * Each comparable is adjusted by what its market pays for the differences; the estimate is the sum of adjusted prices by their
 * weights, which follow from how alike they are.
 */
export function estimateValue(
  subject: Subject,
  comparables: Comparable[],
  model: MarketModel,
  choice: Choice = { included: new Set(), excluded: new Set() },
): Estimate | null {
  const candidates = comparables.map(comparable => candidateOf(subject, comparable))
  const same = new Set(
    candidates.filter(candidate => isSubject(subject, candidate)).map(({ comparable }) => comparable),
  )
  const weighed = weighLikely(candidates, same, model, choice)
  if (!weighed) return null
  const { chosen, weights, kept } = weighed
  const included = chosen.map((candidate, nth) =>
    withAdjustments(subject, candidate, weights[nth]!, kept, model),
  )
  const value = Math.round(
    included.reduce((sum, { weight, adjustedPrice }) => sum + weight * adjustedPrice!, 0),
  )
  const signs = signsOf({
    ...weighed,
    beyond: chosen.map(({ beyond }) => beyond),
    subject: subject.characteristics,
    expected: marketLogPrice(model.prices, { property: subject.characteristics, at: subject.asOf }),
    meters: chosen.map(({ meters }) => meters),
    candidateMeters: candidates.map(({ meters }) => meters),
  })
  const used = new Set(chosen.map(({ comparable }) => comparable))
  const leftOut = candidates.filter(({ comparable }) => !used.has(comparable))
  return {
    value,
    ...rangeAround(value, halfRange(model.errors, signs, ageYearsOf(included))),
    pricePerSquareMeter: Math.round((value / subject.characteristics.squareMeters) * 100) / 100,
    compared: [
      ...included,
      ...leftOut
        .map(candidate => withReason(subject, candidate, reasonOf(candidate, same, weighed, choice)))
        .sort(byInterest)
        .slice(0, Math.max(leftOutShown, choice.excluded.size)),
    ],
    modelVersion: model.version,
  }
}

interface Candidate {
  comparable: Comparable
  meters: number
  /** The part of the price model that has not seen it. */
  part: number
  differences: Float64Array
}

function candidateOf({ characteristics, asOf }: Subject, comparable: Comparable): Candidate {
  const meters = metersBetween(characteristics, comparable)
  const differences = new Float64Array(differenceCount)
  const ms = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
  writeDifferences(differences, 0, characteristics, comparable, { meters, ms })
  return { comparable, meters, part: partOf(comparable), differences }
}

interface WeighedCandidate extends Candidate {
  /** What its price has beyond what the model expects that has not seen it, as a logarithm. */
  beyond: number
}

interface Weighed {
  /** The likest first. */
  chosen: WeighedCandidate[]
  shares: number[]
  /** The shares to four digits; they still add up to 1. */
  weights: number[]
  kept: number
  unlikely: ReadonlySet<Comparable>
}

/** Weighs the likest; those of an unlikely price make room for others, unless a person chose them. */
function weighLikely(
  candidates: Candidate[],
  same: ReadonlySet<Comparable>,
  { likeness, prices }: MarketModel,
  { included, excluded }: Choice,
): Weighed | null {
  const isChosen = included.size > 0
  const unlikely = new Set<Comparable>()
  let eligible = candidates.filter(({ comparable }) => {
    const { id } = comparable
    return !excluded.has(id) && (isChosen ? included.has(id) : !same.has(comparable))
  })
  for (;;) {
    if (eligible.length < (isChosen ? chosenComparablesMin : comparablesMin)) return null
    const { chosen: places, shares, kept } = weigh(likeness, joined(eligible), eligible.length)
    const chosen = places.map(at => {
      const candidate = eligible[at]!
      const { part, comparable } = candidate
      const expected = expectedLogPrice(prices, part, { property: comparable, at: comparable.seenAt })
      return { ...candidate, beyond: Math.log(comparable.price) - expected }
    })
    // Where nothing was learnt, what they have beyond the usual is the level of the place.
    const level = prices.parts.length > 0 ? 0 : medianOf(chosen.map(({ beyond }) => beyond))
    const odd = places.filter((_, nth) => Math.abs(chosen[nth]!.beyond - level) > unlikelyFrom)
    if (odd.length === 0 || isChosen) return { chosen, shares, weights: toFourDigits(shares), kept, unlikely }
    for (const at of odd) unlikely.add(eligible[at]!.comparable)
    eligible = eligible.filter(({ comparable }) => !unlikely.has(comparable))
  }
}

/** Not told by the price, which may be another by now. */
function isSubject({ characteristics }: Subject, { comparable, meters }: Candidate): boolean {
  const isKnownFloor = characteristics.floor !== null && comparable.floor !== null
  return (
    meters <= (isKnownFloor ? samePinMeters : nearlySamePinMeters) &&
    Math.abs(characteristics.squareMeters - comparable.squareMeters) < 1 &&
    agree(characteristics.bedrooms, comparable.bedrooms) &&
    agree(characteristics.bathrooms, comparable.bathrooms) &&
    agree(characteristics.floor, comparable.floor) &&
    agree(characteristics.yearBuilt, comparable.yearBuilt)
  )
}

function agree(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other
}

function ageYearsOf(included: ComparedProperty[]): number {
  return included.reduce((sum, { ageDays, weight }) => sum + (weight * ageDays) / daysPerYear, 0)
}

function joined(candidates: Candidate[]): Float64Array {
  const all = new Float64Array(candidates.length * differenceCount)
  for (const [at, { differences }] of candidates.entries()) all.set(differences, at * differenceCount)
  return all
}

function withAdjustments(
  subject: Subject,
  candidate: WeighedCandidate,
  weight: number,
  kept: number,
  model: MarketModel,
): ComparedProperty {
  const adjustments = adjustmentsOf(subject, candidate, kept, model)
  const { price } = candidate.comparable
  return {
    ...shownOf(subject, candidate),
    adjustments,
    adjustedPrice: adjustments.reduce((sum, { amount }) => sum + amount, price),
    weight,
    included: true,
    exclusionReason: null,
  }
}

function withReason(
  subject: Subject,
  candidate: Candidate,
  exclusionReason: ExclusionReason,
): ComparedProperty {
  const nothing = { adjustments: [], adjustedPrice: null, weight: 0, included: false }
  return { ...shownOf(subject, candidate), ...nothing, exclusionReason }
}

function shownOf({ asOf }: Subject, { comparable, meters }: Candidate) {
  const ageMs = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
  return {
    comparable,
    distanceMeters: Math.round(meters),
    ageDays: Math.max(0, Math.floor(ageMs / msPerDay)),
  }
}

function reasonOf(
  { comparable }: Candidate,
  same: ReadonlySet<Comparable>,
  { unlikely }: Weighed,
  { included, excluded }: Choice,
): ExclusionReason {
  if (excluded.has(comparable.id) || (included.size > 0 && !included.has(comparable.id)))
    return 'excluded_by_request'
  if (same.has(comparable)) return 'same_property'
  return unlikely.has(comparable) ? 'unlikely_price' : 'less_alike'
}

function byInterest(one: ComparedProperty, other: ComparedProperty): number {
  const rank = ({ exclusionReason }: ComparedProperty) => exclusionReasons.indexOf(exclusionReason!)
  return rank(one) - rank(other) || one.distanceMeters - other.distanceMeters
}

function rangeAround(
  value: number,
  half: number,
): Pick<Estimate, 'low' | 'high' | 'coverage' | 'fsd' | 'confidence'> {
  const fsd = Math.round((half / deviationsInHalfRange) * 1000) / 1000
  return {
    low: Math.round(value * Math.exp(-half)),
    high: Math.round(value * Math.exp(half)),
    coverage,
    fsd,
    confidence: {
      level: fsd <= 0.13 ? 'high' : fsd <= 0.2 ? 'medium' : 'low',
      score: Math.max(0, Math.round(100 - 200 * fsd)),
    },
  }
}

/** What rounding takes is given to those that lost most by it. */
function toFourDigits(shares: number[]): number[] {
  const whole = shares.map(share => Math.floor(share * 10_000))
  const missing = 10_000 - whole.reduce((sum, count) => sum + count, 0)
  const byLoss = [...shares.keys()].sort(
    (a, b) => shares[b]! * 10_000 - whole[b]! - (shares[a]! * 10_000 - whole[a]!),
  )
  for (const at of byLoss.slice(0, missing)) whole[at]!++
  return whole.map(count => count / 10_000)
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
