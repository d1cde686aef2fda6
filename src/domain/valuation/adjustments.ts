/** From the price of a comparable to what it would cost if it were the subject, one difference after another. */

import { computeBaselineLogPrice } from './baseline-prices.ts'
import type { WeightedCandidate } from './candidates.ts'
import type { MarketModel } from './market-model.ts'
import { type PropertyAtTime, predictLogCorrections } from './price-model.ts'
import {
  type AmenitySet,
  type Characteristics,
  type Comparable,
  type facts,
  type Subject,
  toAmenities,
  toAmenitySet,
} from './property.ts'
import { shrinkResidual } from './similarity.ts'
import { unstatedAmenities, withAmenities } from './unstated.ts'

/** What sets a comparable apart from the subject, in the order in which it is adjusted. */
export const factors = [
  'time',
  'place',
  'size',
  'plot',
  'bedrooms',
  'bathrooms',
  'condition',
  'floor',
  'lift',
  'amenities',
  'yearBuilt',
  'subtype',
  // What of its price no stated fact explains, as far as it is not passed on to the subject.
  'unexplained',
] as const

export type Factor = (typeof factors)[number]

export interface Adjustment {
  factor: Factor
  /**
   * Of the comparable and of the subject: a number (square metres, rooms, storey, year; for `place` metres from the subject;
   * for `unexplained` the share of the price that is unexplained and that is passed on), a word, a date, names of amenities
   * divided by commas, true or false for `lift`. Null: unknown.
   */
  from: number | string | boolean | null
  to: number | string | boolean | null
  /** What is added to the comparable's price, in whole units of the currency. */
  amount: number
}

const lift = toAmenitySet(['lift'])

/**
 * The adjustments of a comparable, those of differences that the market does not pay for left out. `credibility`: how much of
 * what its price has beyond what is expected of it is passed on.
 */
export function computeAdjustments(
  { characteristics: subject, asOf }: Subject,
  { comparable, meters, prediction: { fold, residual }, gap: { foldOffset } }: WeightedCandidate,
  credibility: number,
  { prices, similarity }: MarketModel,
): Adjustment[] {
  const changes = toChanges(comparable, subject, asOf)
  const pointsInTime = [{ property: comparable, at: comparable.seenAt }, ...changes]
  const logCorrections = predictLogCorrections(prices, fold, pointsInTime)
  const expected = pointsInTime.map(
    ({ property }, nth) => computeBaselineLogPrice(property) + similarity.modelShare * logCorrections[nth]!,
  )
  const adjustments: Adjustment[] = []
  let price = comparable.price
  const add = (factor: Factor, from: Adjustment['from'], to: Adjustment['to'], exactPrice: number) => {
    const amount = Math.round(exactPrice) - price
    if (amount !== 0) adjustments.push({ factor, from, to, amount })
    price += amount
  }
  for (const [nth, { factor, from, to }] of changes.entries())
    add(
      factor,
      ...(factor === 'place' ? ([Math.round(meters), 0] as const) : ([from, to] as const)),
      comparable.price * Math.exp(expected[nth + 1]! - expected[0]!),
    )
  const rest = shrinkResidual(similarity, residual, credibility, foldOffset)
  const exact = comparable.price * Math.exp(expected.at(-1)! - expected[0]!)
  add('unexplained', formatShare(residual), formatShare(rest), exact * Math.exp(rest - residual))
  return adjustments
}

interface Change extends PropertyAtTime, Pick<Adjustment, 'factor' | 'from' | 'to'> {}

/**
 * What is left of a comparable when one thing after another is as in the subject. What is unknown of the subject is taken to be
 * as in the comparable; what is unknown of the comparable, to be what it is where nobody states it.
 */
function toChanges(comparable: Comparable, subject: Characteristics, asOf: Temporal.Instant): Change[] {
  const changes: Change[] = []
  let property: Characteristics = comparable
  if (!comparable.seenAt.equals(asOf))
    changes.push({
      factor: 'time',
      from: formatDate(comparable.seenAt),
      to: formatDate(asOf),
      property,
      at: asOf,
    })
  for (const { factor, change, describe } of steps) {
    const changed = change(property, subject)
    if (changed === property) continue
    const statedMask = ~unstatedAmenities(subject)
    changes.push({
      factor,
      from: describe(comparable, statedMask),
      to: describe(subject, statedMask),
      property: changed,
      at: asOf,
    })
    property = changed
  }
  return changes
}

interface Step {
  factor: Factor
  /** The same object if nothing changes. */
  change(from: Characteristics, to: Characteristics): Characteristics
  /** `statedMask`: amenities that are told of the subject. */
  describe(property: Characteristics, statedMask: AmenitySet): Adjustment['from']
}

const steps: Step[] = [
  {
    factor: 'place',
    change: (from, { latitude, longitude }) =>
      from.latitude === latitude && from.longitude === longitude ? from : { ...from, latitude, longitude },
    describe: () => null,
  },
  replaceFact('size', 'squareMeters'),
  replaceFact('plot', 'plotSquareMeters'),
  replaceFact('bedrooms', 'bedrooms'),
  replaceFact('bathrooms', 'bathrooms'),
  replaceFact('condition', 'condition'),
  replaceFact('floor', 'floor'),
  {
    factor: 'lift',
    change: (from, to) => withAmenities(from, to, lift),
    describe: ({ amenities }) => (amenities === null ? null : (amenities & lift) !== 0),
  },
  {
    factor: 'amenities',
    change: (from, to) => withAmenities(from, to, ~lift),
    describe: ({ amenities }, statedMask) =>
      amenities === null ? null : toAmenities(amenities & ~lift & statedMask).join(', '),
  },
  replaceFact('yearBuilt', 'yearBuilt'),
  replaceFact('subtype', 'subtype'),
]

function replaceFact(factor: Factor, name: 'squareMeters' | (typeof facts)[number]): Step {
  return {
    factor,
    change: (from, to) =>
      to[name] === null || from[name] === to[name] ? from : { ...from, [name]: to[name] },
    describe: property => property[name],
  }
}

function formatDate(instant: Temporal.Instant): string {
  return instant.toString().slice(0, 10)
}

/** 0.1 for a price a tenth higher than expected. */
function formatShare(logarithm: number): number {
  return Math.round(Math.expm1(logarithm) * 1000) / 1000
}
