/** The median; of an even number of values, the upper of the two middle ones. */
export function upperMedian(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1]!
}
