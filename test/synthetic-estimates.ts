/** Estimates of generated properties, for tests. */
import type { Adjustment } from '../src/domain/valuation/adjustments.ts'
import type { Choice } from '../src/domain/valuation/candidates.ts'
import { type Estimate, estimateValue } from '../src/domain/valuation/estimate.ts'
import type { MarketModel } from '../src/domain/valuation/market-model.ts'
import type { Characteristics, Comparable } from '../src/domain/valuation/property.ts'
import { makeComparable, sampleDate } from './synthetic-market.ts'

export const makeEstimate = (
  characteristics: Characteristics,
  comparables: Comparable[],
  model: MarketModel,
  choice: Partial<Record<keyof Choice, string[]>> = {},
) =>
  estimateValue({ characteristics, asOf: sampleDate }, comparables, model, {
    included: new Set(choice.included),
    excluded: new Set(choice.excluded),
  })
export const listUsed = (estimate: Estimate) => estimate.compared.filter(({ included }) => included)
export const listUsedIds = (estimate: Estimate) => listUsed(estimate).map(({ comparable }) => comparable.id)
export const listFactors = (adjustments: Adjustment[]) => adjustments.map(({ factor }) => factor)
/** Makes equal comparables in the next street, with overrides. */
export const makeCopies = (count: number, price: number, changes: Partial<Comparable> = {}) =>
  Array.from({ length: count }, (_, index) =>
    makeComparable(`c${index}`, price, { latitude: 41.391, ...changes }),
  )
