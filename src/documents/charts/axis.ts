/** Axes: round numbers, and room for what matters rather than for a few absurd prices. */

export interface Axis {
  low: number
  high: number
  ticks: number[]
  /** How many of the values are beyond it. */
  outsideCount: number
}

/** 1, 2 or 5 times a power of ten, such that about `steps` of them make up `span`. */
export function niceStep(span: number, steps: number): number {
  const rough = span / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10)
}

/**
 * From and to round numbers, in about `steps` steps. All of `required` are on it; of the values, those that are not far out
 * (three times the distance of the quartiles, as Tukey has it).
 */
export function createAxis(values: readonly number[], required: readonly number[], steps: number): Axis {
  const first = computeQuantile(values, 0.25)
  const third = computeQuantile(values, 0.75)
  const reach = 3 * (third - first)
  const near = values.filter(value => value >= first - reach && value <= third + reach)
  const visible = [...near, ...required]
  const [min, max] = [Math.min(...visible), Math.max(...visible)]
  const step = niceStep(max > min ? max - min : Math.max(Math.abs(max) * 0.2, 1), steps)
  const from = Math.floor(min / step)
  const to = Math.max(from + 1, Math.ceil(max / step))
  return {
    low: from * step,
    high: to * step,
    ticks: Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step),
    outsideCount: values.filter(value => value < from * step || value > to * step).length,
  }
}

/** Between neighbours it is in proportion. NaN if there are none. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low === undefined || high === undefined ? Number.NaN : low + (high - low) * (at % 1)
}
