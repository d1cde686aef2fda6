/** Ranges: pairs of fields such as `minPrice` and `maxPrice`. The first may not exceed the second. */
import type { InputError } from './problem.ts'

export type Range = readonly [min: string, max: string]

/** Returns the ranges among these field names. */
export function findRanges(names: readonly string[]): Range[] {
  return names
    .filter(name => /^min[A-Z]/.test(name))
    .map((min): Range => [min, `max${min.slice(3)}`])
    .filter(([, max]) => names.includes(max))
}

/** Returns an error at the upper bound of each range whose lower bound exceeds it. */
export function findContradictions(value: object, ranges: readonly Range[]): InputError[] {
  return ranges.flatMap(([low, high]) => {
    const { [low]: min, [high]: max } = value as Record<string, unknown>
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return []
    return [{ path: `/${high}`, code: 'CONTRADICTION', message: `is less than ${low}, which is ${min}` }]
  })
}
