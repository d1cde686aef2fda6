/** The middle value; of an even number the upper of the two. */
export function upperMedian(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1]!
}
