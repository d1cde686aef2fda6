/** Axes with round ticks that leave out extreme outliers. */

export interface Axis {
  low: number
  high: number
  ticks: number[]
  /** The number of values outside the axis. */
  outsideCount: number
}

/** Returns 1, 2 or 5 times a power of ten, so that about `steps` of them make up `span`. */
export function niceStep(span: number, steps: number): number {
  const rough = span / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10)
}

/**
 * Makes an axis with about `steps` steps between round numbers. It contains all of `required`, and the values within
 * three interquartile ranges of the quartiles (Tukey's outer fences).
 */
export function createAxis(values: readonly number[], required: readonly number[], steps: number): Axis {
  const first = computeQuantile(values, 0.25)
  const third = computeQuantile(values, 0.75)
  const reach = 3 * (third - first)
  const near = values.filter(value => value >= first - reach && value <= third + reach)
  const visible = [...near, ...required]
  const [min, max] = [Math.min(...visible), Math.max(...visible)]
  // A smaller difference is lost in the rounding of the steps.
  const differs = max - min > Math.abs(max) * 1e-9
  const step = niceStep(differs ? max - min : Math.max(Math.abs(max) * 0.2, 1), steps)
  const from = Math.floor(min / step)
  const to = Math.max(from + 1, Math.ceil(max / step))
  return {
    low: from * step,
    high: to * step,
    ticks: Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step),
    outsideCount: values.filter(value => value < from * step || value > to * step).length,
  }
}

/** Returns a quantile with linear interpolation; NaN if `values` is empty. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low === undefined || high === undefined ? Number.NaN : low + (high - low) * (at % 1)
}
