/** Adjusts the price of a comparable to what it would cost if it were the subject, one difference at a time. */
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
import { copyAmenities, getUnstatedAmenities } from './unstated.ts'

/** The differences between a comparable and the subject, in the order in which they are adjusted. */
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
  // The part of the price that no stated fact explains and that is not applied to the subject.
  'unexplained',
] as const

export type Factor = (typeof factors)[number]

export interface Adjustment {
  factor: Factor
  /**
   * The value of the comparable (`from`) and of the subject (`to`): a number (square metres, rooms, floor, year), a
   * word, a date, or amenities joined by commas. `lift` is a boolean. `place` is the distance from the subject in
   * metres. `unexplained` is a share of the price: the unexplained share, and the part that is applied. Null: unknown.
   */
  from: number | string | boolean | null
  to: number | string | boolean | null
  /** The amount added to the comparable's price, in whole units of the currency. */
  amount: number
}

const lift = toAmenitySet(['lift'])

/**
 * The adjustments of a comparable. Differences that the market does not pay for are omitted. `credibility` is the share
 * of the comparable's residual (its price beyond what is expected) that is applied to the subject, 0 to 1.
 */
export function computeAdjustments(
  { characteristics: subject, asOf }: Subject,
  { comparable, meters, prediction: { fold, residual }, gap: { foldOffset } }: WeightedCandidate,
  credibility: number,
  { prices, similarity }: MarketModel,
): Adjustment[] {
  const changes = toChanges(comparable, subject, asOf)
  const versions = [{ property: comparable, at: comparable.seenAt }, ...changes]
  const logCorrections = predictLogCorrections(prices, fold, versions)
  const expected = versions.map(
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
  const applied = shrinkResidual(similarity, residual, credibility, foldOffset)
  const exact = comparable.price * Math.exp(expected.at(-1)! - expected[0]!)
  add('unexplained', formatShare(residual), formatShare(applied), exact * Math.exp(applied - residual))
  return adjustments
}

interface Change extends PropertyAtTime, Pick<Adjustment, 'factor' | 'from' | 'to'> {}

/**
 * Turns the comparable into the subject, one difference at a time. A fact unknown of the subject is assumed to be as in
 * the comparable. A fact unknown of the comparable has the value that the model assumes where it is not stated.
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
    const statedMask = ~getUnstatedAmenities(subject)
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
  /** Returns the same object if nothing changes. */
  change(from: Characteristics, to: Characteristics): Characteristics
  /** `statedMask`: amenities that are stated for the subject. */
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
    change: (from, to) => copyAmenities(from, to, lift),
    describe: ({ amenities }) => (amenities === null ? null : (amenities & lift) !== 0),
  },
  {
    factor: 'amenities',
    change: (from, to) => copyAmenities(from, to, ~lift),
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

/** Converts a logarithm to a share: 0.1 is a price 10 % above the expected one. */
function formatShare(logarithm: number): number {
  return Math.round(Math.expm1(logarithm) * 1000) / 1000
}
