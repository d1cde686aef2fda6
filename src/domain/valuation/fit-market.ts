/** Learns a market from its properties, and tries out how good its estimates are. */
import { type Random, randomOf } from '../random.ts'
import { type Accuracy, accuracyOf, type Trial } from './accuracy.ts'
import { type ErrorModel, type ErrorSigns, fitErrorModel, halfRange, signsOf } from './error-model.ts'
import { adjustedPrice, type Example, fitLikeness } from './fit-likeness.ts'
import {
  candidatesMax,
  comparablesMin,
  differenceCount,
  factPenalty,
  type Likeness,
  shortlistOf,
  weigh,
  writeDifferences,
} from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { type Near, nearestAmong } from './near.ts'
import { type Expectation, expectationsOf, gapsOf, outlookOf } from './outlook.ts'
import { fitPriceModel, type PriceModel } from './price-model.ts'
import { agree, type Characteristics, type Comparable } from './property.ts'
import { filledFrom } from './unknown.ts'

/** Fewer are too few to learn from: the usual model is better. */
export const fitMin = 500
/** Properties held back at a time, to be valued by what the others teach: a fifth, and no more than this. */
const heldShare = 0.2
const heldMax = 10_000
/** Others are held back until so many were, or all. */
const heldEnough = 6000
/** Of ten properties valued so many teach likeness, then errors; on the rest it is seen how good that is. */
const tenths = { likeness: 5, errors: 3 }

export interface FittedMarket {
  model: MarketModel
  /** On properties that nothing was learnt from, each valued as if neither it nor what may be it were known. */
  accuracy: Accuracy
}

/**
 * Null: fewer than `fitMin`, or most of them may be one and the same. The same comparables in the same order give the same model.
 *
 * A part of the properties is held back, with all that may be the same: what the rest teaches of prices is what likeness and errors
 * are learnt on. So they are learnt on estimates such as are made later, of properties that nobody knew. Then prices are learnt
 * from all.
 */
export function fitMarket(comparables: Comparable[], version: string): FittedMarket | null {
  if (comparables.length < fitMin) return null
  const nearest = nearestAmong(comparables)
  const shuffled = shuffledOf(comparables)
  const size = Math.min(heldMax, Math.floor(comparables.length * heldShare))
  const cases: Case[] = []
  for (let from = 0; from + size <= comparables.length && from < heldEnough; from += size)
    cases.push(...casesOf(shuffled.slice(from, from + size), comparables, nearest))
  if (cases.length < fitMin / 4) return null
  const of = (role: Role) => cases.filter(one => one.role === role)
  const likeness = fitLikeness(of('likeness'))
  // Of thousands, so few figures as likeness has learn hardly anything by heart: those that taught it tell of errors too.
  const known = cases.filter(one => one.role !== 'trial')
  const errors = fitErrorModel(known.map(one => appraise(one, likeness)))
  const tried = of('trial').map(one => trialOf(one, likeness, errors))
  const prices = fitPriceModel(comparables)
  return { model: { version, prices, likeness, errors }, accuracy: accuracyOf(tried)! }
}

type Role = 'likeness' | 'errors' | 'trial'

interface Case extends Example {
  role: Role
  /** As it was described. */
  subject: Comparable
  /** What all folds of a model expect of it that has not seen the price, as a logarithm. */
  expected: number
  /** Of those on the shortlist, and of all. */
  meters: Float64Array
  candidateMeters: Float64Array
  /** By how much more is expected of the subject, as a logarithm. */
  expectedGaps: Float64Array
}

/** The held ones as subjects, each among its neighbours but for what may be itself; none if too few are left to learn from. */
function casesOf(
  held: Comparable[],
  comparables: Comparable[],
  nearest: ReturnType<typeof nearestAmong<Comparable>>,
): Case[] {
  const unseen = new Set(held)
  const neighbours = held.map(subject =>
    nearest(subject, candidatesMax, ({ property, meters }) => {
      if (property === subject) return false
      const isSame = mayBeSame(subject, property, meters)
      if (isSame) unseen.add(property)
      return !isSame
    }),
  )
  const seen = comparables.filter(property => !unseen.has(property))
  if (seen.length < fitMin / 4) return []
  const prices = fitPriceModel(seen)
  const expectations = expectationsOf(prices, comparables)
  const expectationOf = new Map(comparables.map((property, at) => [property, expectations[at]!]))
  const random = randomOf(7)
  return held
    .flatMap((subject, at) => {
      const role =
        at % 10 < tenths.likeness
          ? 'likeness'
          : at % 10 < tenths.likeness + tenths.errors
            ? 'errors'
            : 'trial'
      const described = role === 'errors' ? [subject, lessTold(subject, random)] : [subject]
      return described.map(one => ({ role, ...caseOf(one, neighbours[at]!, prices, expectationOf) }) as const)
    })
    .filter(({ meters }) => meters.length >= comparablesMin)
}

/** As people describe a property who do not know or say all of it: how sure an estimate is then has to be learnt too. */
function lessTold(property: Comparable, random: Random): Comparable {
  const keeps = () => random() < 0.5
  const { floor, yearBuilt } = property
  return {
    ...{ ...property, subtype: null, isPartlyTold: true },
    ...{ floor: keeps() ? floor : null, yearBuilt: keeps() ? yearBuilt : null },
    ...(keeps() ? {} : { condition: null, plotSquareMeters: null }),
    ...(keeps() ? {} : { amenities: null }),
  }
}

function caseOf(
  subject: Comparable,
  near: Near<Comparable>[],
  prices: PriceModel,
  expectationOf: ReadonlyMap<Comparable, Expectation>,
): Omit<Case, 'role'> {
  const shortlist = shortlistOf(
    near.map(({ property, meters }) => {
      const ms = subject.seenAt.epochMilliseconds - property.seenAt.epochMilliseconds
      const penalty = factPenalty(filledFrom(subject, property), property, { meters, ms })
      return { comparable: property, expectation: expectationOf.get(property)!, meters, ms, penalty }
    }),
  )
  const moment = { property: subject, at: subject.seenAt }
  const outlook = outlookOf(prices, moment)
  const gaps = gapsOf(prices, moment, outlook, shortlist)
  const differences = new Float32Array(shortlist.length * differenceCount)
  for (const [at, { comparable, expectation, meters, ms }] of shortlist.entries()) {
    const apart = { meters, ms, ...gaps[at]!, residual: expectation.residual }
    writeDifferences(differences, at * differenceCount, gaps[at]!.subject, comparable, apart)
  }
  const about = shortlist.map(({ expectation }) => expectation)
  return {
    subject,
    price: Math.log(subject.price),
    expected: outlook.expected,
    differences,
    residuals: Float64Array.from(about, ({ residual }) => residual),
    expectedBy: Float64Array.from(about, ({ usual, learnt }, at) => usual + learnt + gaps[at]!.expected),
    learntGaps: Float64Array.from(gaps, ({ learnt }) => learnt),
    expectedGaps: Float64Array.from(gaps, ({ expected }) => expected),
    asides: Float64Array.from(gaps, ({ aside }) => aside),
    meters: Float64Array.from(shortlist, ({ meters }) => meters),
    candidateMeters: Float64Array.from(near, ({ meters }) => meters),
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

interface Appraisal {
  /** The logarithm of the estimate. */
  value: number
  signs: ErrorSigns
  error: number
}

/** What `estimateValue` would say, without the rounding, and with prices that it would leave out as unlikely. */
function appraise(one: Case, likeness: Likeness): Appraisal {
  const { subject, price, expected, differences, residuals, expectedGaps, meters, candidateMeters } = one
  const { chosen, shares, credibility } = weigh(likeness, differences, residuals.length)
  const adjusted = chosen.map(at => adjustedPrice(one, likeness, at, credibility))
  const value = Math.log(shares.reduce((sum, share, nth) => sum + share * adjusted[nth]!, 0))
  const signs = signsOf({
    ...{ subject, expected, shares, credibility, value },
    residuals: chosen.map(at => residuals[at]!),
    gaps: chosen.map(at => expectedGaps[at]!),
    meters: chosen.map(at => meters[at]!),
    candidateMeters,
  })
  return { value, signs, error: value - price }
}

function trialOf(one: Case, likeness: Likeness, errors: ErrorModel): Trial {
  const { value, signs } = appraise(one, likeness)
  const half = halfRange(errors, signs, 0)
  const [low, middle, high] = [value - half, value, value + half].map(Math.exp) as [number, number, number]
  return { price: one.subject.price, low, value: middle, high }
}

function shuffledOf<T>(list: T[]): T[] {
  const random = randomOf(5)
  return list
    .map(item => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
