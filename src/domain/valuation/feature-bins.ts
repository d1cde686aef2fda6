/** Values of features as small numbers, so that a tree looks at few thresholds instead of at every value. */

/** Bin 0 is for what is unknown. */
export const binsMax = 255

/** Of fewer values than these in each, no threshold between bins would be worth anything. */
const valuesPerBinMin = 4
/** Nor is it worth while to save any of these. */
const binsAlways = 16

/** Upper limits of the bins 1, 2, … of one feature, rising; what is above the last is in the bin after it. */
export type BinEdges = number[]

/** Edges with about as many of these values in each bin; between all values, if few of them differ. NaN is unknown. */
export function toBinEdges(values: Float64Array): BinEdges {
  const known = values.filter(value => !Number.isNaN(value)).sort()
  const edges: BinEdges = []
  const count = Math.min(binsMax - 1, Math.max(binsAlways, Math.ceil(known.length / valuesPerBinMin)))
  const distinct = known.filter((value, at) => at === 0 || value !== known[at - 1])
  const steps = Math.min(count, distinct.length)
  for (let step = 1; step < steps; step++) {
    const at = distinct.length <= count ? distinct : known
    const next = Math.floor((at.length * step) / steps)
    const edge = (at[next - 1]! + at[next]!) / 2
    if (edges.length === 0 || edge > edges.at(-1)!) edges.push(edge)
  }
  return edges
}

/** The bin of a value: 0 if it is unknown. */
export function toBin(edges: BinEdges, value: number): number {
  if (Number.isNaN(value)) return 0
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value > edges[middle]!) low = middle + 1
    else high = middle
  }
  return low + 1
}
