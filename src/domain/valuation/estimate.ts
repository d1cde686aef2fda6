/** What a property is worth, from comparables, in such a way that a person can redo the sum. */
import type { Characteristics, Comparable } from './property.ts'

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
] as const

export type Factor = (typeof factors)[number]

export const exclusionReasons = ['excluded_by_request', 'less_alike', 'advertises_the_subject', 'unlikely_price'] as const

export type ExclusionReason = (typeof exclusionReasons)[number]

export interface Adjustment {
  factor: Factor
  /** Of the comparable and of the subject: a number, a word, names of amenities divided by commas, metres for `place` (0 for the subject), a date for `time`; null: unknown. */
  from: number | string | null
  to: number | string | null
  /** What is added to the comparable's price, in whole units of the currency. */
  amount: number
}

export interface ComparedProperty {
  comparable: Comparable
  distanceMeters: number
  ageDays: number
  adjustments: Adjustment[]
  /** Its price and all adjustments: what it would cost if it were the subject. */
  adjustedPrice: number
  /** Its share in the estimate, 0 to 1. Those of all that are included, and that of the market's level, add up to 1. */
  weight: number
  included: boolean
  exclusionReason: ExclusionReason | null
}

export interface Estimate {
  /** The sum of adjusted prices by their weights, rounded to a step that suits its size. Whole units of the currency. */
  value: number
  /** The true price lies between these in `coverage` of cases. */
  low: number
  high: number
  coverage: number
  pricePerSquareMeter: number
  /** Forecast standard deviation: of the price, as a share of the value. */
  fsd: number
  confidence: { level: 'high' | 'medium' | 'low'; score: number }
  /** What the market pays for such a property at large, by the model alone, and its share in the estimate: 0 before any fit. */
  marketLevel: { value: number; weight: number }
  /** Those included first, by falling weight; then those left out, by rising distance. */
  compared: ComparedProperty[]
  /** In words of a person who asks how: the name of the method, and which fit of it. */
  method: string
  modelVersion: string
}

export interface Subject {
  characteristics: Characteristics
  /** The moment that the value is for. */
  asOf: Temporal.Instant
}
