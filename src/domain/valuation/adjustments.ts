/** From the price of a comparable to what it would cost if it were the subject, one difference after another. */
import type { WeighedCandidate } from './candidates.ts'
import { passedOn } from './likeness.ts'
import type { MarketModel } from './market-model.ts'
import { learntLogPrices, type Moment } from './price-model.ts'
import {
  type AmenitySet,
  amenitiesOf,
  amenitySet,
  type Characteristics,
  type Comparable,
  type facts,
  type Subject,
} from './property.ts'
import { untoldAmenities, withAmenities } from './unknown.ts'
import { usualLogPrice } from './usual-prices.ts'

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

const lift = amenitySet(['lift'])

/**
 * The adjustments of a comparable, those of differences that the market does not pay for left out. `credibility`: how much of
 * what its price has beyond what is expected of it is passed on.
 */
export function adjustmentsOf(
  { characteristics: subject, asOf }: Subject,
  { comparable, meters, expectation: { fold, residual }, gap: { aside } }: WeighedCandidate,
  credibility: number,
  { prices, likeness }: MarketModel,
): Adjustment[] {
  const changes = changesOf(comparable, subject, asOf)
  const moments = [{ property: comparable, at: comparable.seenAt }, ...changes]
  const learnt = learntLogPrices(prices, fold, moments)
  const expected = moments.map(
    ({ property }, nth) => usualLogPrice(property) + likeness.modelShare * learnt[nth]!,
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
  const rest = passedOn(likeness, residual, credibility, aside)
  const exact = comparable.price * Math.exp(expected.at(-1)! - expected[0]!)
  add('unexplained', shareOf(residual), shareOf(rest), exact * Math.exp(rest - residual))
  return adjustments
}

interface Change extends Moment, Pick<Adjustment, 'factor' | 'from' | 'to'> {}

/**
 * What is left of a comparable when one thing after another is as in the subject. What is unknown of the subject is taken to be
 * as in the comparable; what is unknown of the comparable, to be what it is where nobody states it.
 */
function changesOf(comparable: Comparable, subject: Characteristics, asOf: Temporal.Instant): Change[] {
  const changes: Change[] = []
  let property: Characteristics = comparable
  if (!comparable.seenAt.equals(asOf))
    changes.push({ factor: 'time', from: dateOf(comparable.seenAt), to: dateOf(asOf), property, at: asOf })
  for (const { factor, change, said } of steps) {
    const changed = change(property, subject)
    if (changed === property) continue
    const told = ~untoldAmenities(subject)
    changes.push({
      factor,
      from: said(comparable, told),
      to: said(subject, told),
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
  /** `told`: amenities that are told of the subject. */
  said(property: Characteristics, told: AmenitySet): Adjustment['from']
}

const steps: Step[] = [
  {
    factor: 'place',
    change: (from, { latitude, longitude }) =>
      from.latitude === latitude && from.longitude === longitude ? from : { ...from, latitude, longitude },
    said: () => null,
  },
  swap('size', 'squareMeters'),
  swap('plot', 'plotSquareMeters'),
  swap('bedrooms', 'bedrooms'),
  swap('bathrooms', 'bathrooms'),
  swap('condition', 'condition'),
  swap('floor', 'floor'),
  {
    factor: 'lift',
    change: (from, to) => withAmenities(from, to, lift),
    said: ({ amenities }) => (amenities === null ? null : (amenities & lift) !== 0),
  },
  {
    factor: 'amenities',
    change: (from, to) => withAmenities(from, to, ~lift),
    said: ({ amenities }, told) =>
      amenities === null ? null : amenitiesOf(amenities & ~lift & told).join(', '),
  },
  swap('yearBuilt', 'yearBuilt'),
  swap('subtype', 'subtype'),
]

function swap(factor: Factor, name: 'squareMeters' | (typeof facts)[number]): Step {
  return {
    factor,
    change: (from, to) =>
      to[name] === null || from[name] === to[name] ? from : { ...from, [name]: to[name] },
    said: property => property[name],
  }
}

function dateOf(instant: Temporal.Instant): string {
  return instant.toString().slice(0, 10)
}

/** 0.1 for a price a tenth higher than expected. */
function shareOf(logarithm: number): number {
  return Math.round(Math.expm1(logarithm) * 1000) / 1000
}
