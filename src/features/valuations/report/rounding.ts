/** Rounds an estimate as people say prices: 466,000 and not 466,374, if the range is 100,000 wide. */
import type { Estimate } from '../../../domain/valuation/estimate.ts'

/** The step of the rounding is a power of ten, at most this share of half the range. */
const stepShare = 1 / 12

type Prices = Pick<Estimate, 'value' | 'low' | 'high' | 'pricePerSquareMeter'>

/** The figures of the valued property; those of comparables stay exact. */
export function roundEstimate<T extends Prices>(estimate: T): T {
  const { value, low, high, pricePerSquareMeter } = estimate
  const step = toStep((high - low) / 2)
  const relative = (high - low) / 2 / value
  return {
    ...estimate,
    value: roundTo(value, step),
    low: roundTo(low, step),
    high: roundTo(high, step),
    pricePerSquareMeter: roundTo(pricePerSquareMeter, toStep(pricePerSquareMeter * relative)),
  }
}

/** Returns null if the range is empty. */
function toStep(halfRange: number): number | null {
  return halfRange > 0 && Number.isFinite(halfRange)
    ? 10 ** Math.floor(Math.log10(halfRange * stepShare))
    : null
}

function roundTo(value: number, step: number | null): number {
  if (step === null) return value
  // Division by an integer has no rounding error for steps below one.
  return step >= 1
    ? Math.round(value / step) * step
    : Math.round(value * Math.round(1 / step)) / Math.round(1 / step)
}
