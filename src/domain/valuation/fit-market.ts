/** Learns a market from its properties, and tries out how good its estimates are. */
import { randomOf } from '../random.ts'
import { type Accuracy, accuracyOf, type Trial } from './accuracy.ts'
import { type ErrorModel, fitErrorModel, halfRange, type Signs, signsOf } from './error-model.ts'
import { type Example, fitLikeness } from './fit-likeness.ts'
import {
  comparablesMin,
  differenceCount,
  type Likeness,
  passedOn,
  weigh,
  writeDifferences,
} from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { nearestAmong } from './near.ts'
import { beyondExpected, fitPriceModel } from './price-model.ts'
import type { Characteristics, Comparable } from './property.ts'
import { usualLogPrice } from './usual-prices.ts'

/** Fewer are too few to learn from: the usual model is better. */
export const fitMin = 500
/** Candidates that are looked at for each estimate. */
export const candidatesMax = 200
/** Properties that are valued: half to learn likeness from, a quarter to learn errors from, a quarter to see how good that is. */
const casesMax = 12_000

export interface FittedMarket {
  model: MarketModel
  /** On properties that the likeness and the errors were not learnt from, each valued without its price or its neighbourhood's. */
  accuracy: Accuracy
}

/** Null: fewer than `fitMin`. The same comparables in the same order give the same model. */
export function fitMarket(comparables: Comparable[], version: string): FittedMarket | null {
  if (comparables.length < fitMin) return null
  const prices = fitPriceModel(comparables)
  const nearest = nearestAmong(comparables)
  const beyond = new Map(comparables.map(property => [property, beyondExpected(prices, property)]))
  const cases = drawnFrom(comparables, casesMax)
    .map(subject => caseOf(subject, nearest, beyond))
    .filter(({ meters }) => meters.length >= comparablesMin)
  const [half, threeQuarters] = [0.5, 0.75].map(share => Math.ceil(cases.length * share))
  const likeness = fitLikeness(cases.slice(0, half))
  const errors = fitErrorModel(cases.slice(half, threeQuarters).map(one => appraise(one, likeness)))
  const tried = cases.slice(threeQuarters).map(one => trialOf(one, likeness, errors))
  return { model: { version, prices, likeness, errors }, accuracy: accuracyOf(tried)! }
}

interface Case extends Example {
  subject: Comparable
  meters: Float64Array
}

/** A property of the market as a subject, among its neighbours but for what may be itself. */
function caseOf(
  subject: Comparable,
  nearest: ReturnType<typeof nearestAmong<Comparable>>,
  beyond: ReadonlyMap<Comparable, number>,
): Case {
  const near = nearest(
    subject,
    candidatesMax,
    ({ property, meters }) => property !== subject && !mayBeSame(subject, property, meters),
  )
  const learntOf = (property: Comparable) =>
    Math.log(property.price) - usualLogPrice(property) - beyond.get(property)!
  const differences = new Float32Array(near.length * differenceCount)
  for (const [at, { property, meters }] of near.entries()) {
    const ms = subject.seenAt.epochMilliseconds - property.seenAt.epochMilliseconds
    writeDifferences(differences, at * differenceCount, subject, property, { meters, ms })
  }
  return {
    subject,
    price: Math.log(subject.price),
    expected: Math.log(subject.price) - beyond.get(subject)!,
    differences,
    beyond: Float64Array.from(near, ({ property }) => beyond.get(property)!),
    learntGap: Float64Array.from(near, ({ property }) => learntOf(subject) - learntOf(property)),
    meters: Float64Array.from(near, ({ meters }) => meters),
  }
}

/**
 * A wider rule than that by which the market store takes two adverts for one property: it is better that a neighbour teaches
 * nothing than that a copy of the subject flatters the method.
 */
function mayBeSame(one: Characteristics, other: Characteristics, meters: number): boolean {
  return (
    meters <= 130 &&
    one.bedrooms === other.bedrooms &&
    Math.abs(one.squareMeters - other.squareMeters) <= 0.1 * one.squareMeters &&
    agree(one.floor, other.floor) &&
    agree(one.yearBuilt, other.yearBuilt)
  )
}

function agree(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other
}

interface Appraisal {
  /** The logarithm of the estimate. */
  value: number
  signs: Signs
  error: number
}

/** What `estimateValue` would say, without the rounding. */
function appraise(
  { subject, price, expected, differences, beyond, learntGap, meters }: Case,
  likeness: Likeness,
): Appraisal {
  const { chosen, shares, kept } = weigh(likeness, differences, beyond.length)
  const chosenBeyond = chosen.map(at => beyond[at]!)
  const ratio = shares.reduce(
    (sum, share, nth) =>
      sum +
      share *
        Math.exp(
          passedOn(likeness, chosenBeyond[nth]!, kept) - (1 - likeness.voice) * learntGap[chosen[nth]!]!,
        ),
    0,
  )
  const value = expected + Math.log(ratio)
  const signs = signsOf({
    ...{ subject, expected, shares, kept },
    beyond: chosenBeyond,
    meters: chosen.map(at => meters[at]!),
    candidateMeters: meters,
  })
  return { value, signs, error: value - price }
}

function trialOf(one: Case, likeness: Likeness, errors: ErrorModel): Trial {
  const { value, signs } = appraise(one, likeness)
  const half = halfRange(errors, signs, 0)
  const [low, middle, high] = [value - half, value, value + half].map(Math.exp) as [number, number, number]
  return { price: one.subject.price, low, value: middle, high }
}

function drawnFrom<T>(list: T[], count: number): T[] {
  const random = randomOf(5)
  return list
    .map(item => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ item }) => item)
}
