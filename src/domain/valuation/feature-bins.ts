/** Quantizes feature values, so that a tree tests a few thresholds instead of every value. */

/** Bin 0 is for unknown values. */
export const binsMax = 255

/** With fewer values per bin, a threshold between bins would be noise. */
const valuesPerBinMin = 4
/** Up to this number of bins, `valuesPerBinMin` does not apply. */
const binsAlways = 16

/** Upper limits of the bins 1, 2, … of one feature, ascending. Values above the last limit are in the bin after it. */
export type BinEdges = number[]

/** Edges with about equally many values per bin, or between all values if few are distinct. NaN is unknown. */
export function toBinEdges(values: Float64Array): BinEdges {
  const known = values.filter(value => !Number.isNaN(value)).sort()
  const edges: BinEdges = []
  const count = Math.min(binsMax - 1, Math.max(binsAlways, Math.ceil(known.length / valuesPerBinMin)))
  const distinct = known.filter((value, index) => index === 0 || value !== known[index - 1])
  const steps = Math.min(count, distinct.length)
  for (let step = 1; step < steps; step++) {
    const source = distinct.length <= count ? distinct : known
    const next = Math.floor((source.length * step) / steps)
    const edge = (source[next - 1]! + source[next]!) / 2
    if (edges.length === 0 || edge > edges.at(-1)!) edges.push(edge)
  }
  return edges
}

/** The bin of a value; 0 if it is NaN. */
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
