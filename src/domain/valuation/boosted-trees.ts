/**
 * Gradient-boosted regression trees: what a market pays for which features, without anybody having to say in which form.
 * Boosting as in Friedman, "Greedy function approximation: a gradient boosting machine" (2001), with Huber's loss; trees grow
 * at the leaf that gains most, on binned features, as in Ke et al., "LightGBM" (2017).
 */

import { type Random, randomOf } from '../random.ts'
import { type BinEdges, binOf, binsMax, edgesOf } from './feature-bins.ts'

export interface BoostedTrees {
  /** By feature. */
  edges: BinEdges[]
  /** The median of the targets: what is said before any tree. */
  base: number
  trees: Tree[]
}

/** Nodes by number, the root first. In a leaf `feature` is -1. */
export interface Tree {
  feature: number[]
  /** What is in this bin or below goes left. */
  bin: number[]
  left: number[]
  right: number[]
  /** What a leaf adds. */
  value: number[]
}

export interface BoostingOptions {
  trees: number
  /** How much of each tree's correction is taken, 0 to 1. */
  learningRate: number
  leavesMax: number
  rowsPerLeafMin: number
  /** Of the rows and of the features, drawn anew for each tree: 0 to 1. */
  rowShare: number
  featureShare: number
  /** Rows of no correction that every leaf is taken to have besides its own. */
  shrinkageRows: number
  /** Beyond this error, in units of the target, a row pulls no harder. */
  outlierFrom: number
  seed: number
}

/** Good for tens of thousands of adverts with thirty features. */
export const usualBoosting: BoostingOptions = {
  trees: 1600,
  learningRate: 0.05,
  leavesMax: 31,
  rowsPerLeafMin: 10,
  rowShare: 0.7,
  featureShare: 0.5,
  shrinkageRows: 1,
  outlierFrom: 0.15,
  seed: 1,
}

/**
 * Fits trees to rows. `features` by feature, then by row; NaN is unknown and stays with what is unknown. The same input and
 * seed give the same trees. Throws RangeError if there are no rows or no features.
 */
export function fitTrees(
  features: Float64Array[],
  targets: Float64Array,
  options: BoostingOptions = usualBoosting,
): BoostedTrees {
  const rowCount = targets.length
  if (rowCount === 0 || features.length === 0) throw new RangeError('there is nothing to fit trees to')
  const edges = features.map(edgesOf)
  const bins = features.map((values, at) => Uint8Array.from(values, value => binOf(edges[at]!, value)))
  const base = medianOf(targets)
  const errors = Float64Array.from(targets, target => target - base)
  const random = randomOf(options.seed)
  const trees: Tree[] = []
  while (trees.length < options.trees) {
    const rows = drawn(rowCount, options.rowShare, random)
    const drawnFeatures = drawn(features.length, options.featureShare, random)
    const tree = growTree(bins, errors, rows, drawnFeatures, options)
    for (let row = 0; row < rowCount; row++) errors[row]! -= leafValue(tree, at => bins[at]![row]!)
    trees.push(tree)
  }
  return { edges, base, trees }
}

/** What the trees say of one row, its features in the order in which they were fitted. */
export function predictTrees({ edges, base, trees }: BoostedTrees, row: ArrayLike<number>): number {
  const bins = edges.map((some, at) => binOf(some, row[at]!))
  return trees.reduce((sum, tree) => sum + leafValue(tree, at => bins[at]!), base)
}

function leafValue(tree: Tree, binAt: (feature: number) => number): number {
  let node = 0
  while (tree.feature[node]! >= 0)
    node = binAt(tree.feature[node]!) <= tree.bin[node]! ? tree.left[node]! : tree.right[node]!
  return tree.value[node]!
}

/** At least one of them. */
function drawn(count: number, share: number, random: Random): Int32Array {
  const all = Int32Array.from({ length: count }, (_, at) => at)
  const some = share >= 1 ? all : all.filter(() => random() < share)
  return some.length > 0 ? some : all.subarray(0, 1)
}

/** Rows `from` to `to` of those drawn, which are kept in the order of the leaves. */
interface Leaf {
  node: number
  from: number
  to: number
  histogram: Histogram
  pull: number
  split: { gain: number; feature: number; bin: number }
}

/** By drawn feature and bin: the pulls of the rows, and how many they are. */
interface Histogram {
  pulls: Float64Array
  counts: Int32Array
}

function growTree(
  bins: Uint8Array[],
  errors: Float64Array,
  rows: Int32Array,
  features: Int32Array,
  options: BoostingOptions,
): Tree {
  const { leavesMax, rowsPerLeafMin, shrinkageRows, outlierFrom, learningRate } = options
  const pulls = errors.map(error => Math.max(-outlierFrom, Math.min(outlierFrom, error)))
  const tree: Tree = { feature: [], bin: [], left: [], right: [], value: [] }

  const histogramOf = (from: number, to: number): Histogram => {
    const histogram = {
      pulls: new Float64Array(features.length * (binsMax + 1)),
      counts: new Int32Array(features.length * (binsMax + 1)),
    }
    for (const [nth, feature] of features.entries()) {
      const offset = nth * (binsMax + 1)
      const column = bins[feature]!
      for (let at = from; at < to; at++) {
        const row = rows[at]!
        const place = offset + column[row]!
        histogram.pulls[place]! += pulls[row]!
        histogram.counts[place]!++
      }
    }
    return histogram
  }

  const leafOf = (from: number, to: number, histogram: Histogram): Leaf => {
    let pull = 0
    for (let at = from; at < to; at++) pull += pulls[rows[at]!]!
    const node = tree.feature.push(-1) - 1
    tree.bin.push(0)
    tree.left.push(-1)
    tree.right.push(-1)
    tree.value.push(0)
    const leaf = { node, from, to, histogram, pull, split: { gain: 0, feature: -1, bin: 0 } }
    leaf.split = bestSplit(leaf)
    return leaf
  }

  /** The one that lowers the squared error most; no gain: there is none. */
  const bestSplit = ({ from, to, histogram, pull }: Leaf): Leaf['split'] => {
    const count = to - from
    const whole = pull ** 2 / (count + shrinkageRows)
    const best = { gain: 1e-10, feature: -1, bin: 0 }
    for (let nth = 0; nth < features.length; nth++) {
      let pullLeft = 0
      let countLeft = 0
      for (let bin = 0; bin < binsMax; bin++) {
        const place = nth * (binsMax + 1) + bin
        pullLeft += histogram.pulls[place]!
        countLeft += histogram.counts[place]!
        if (countLeft < rowsPerLeafMin) continue
        if (count - countLeft < rowsPerLeafMin) break
        const gain =
          pullLeft ** 2 / (countLeft + shrinkageRows) +
          (pull - pullLeft) ** 2 / (count - countLeft + shrinkageRows) -
          whole
        if (gain > best.gain) Object.assign(best, { gain, feature: features[nth], bin })
      }
    }
    return best
  }

  const split = (leaf: Leaf): [Leaf, Leaf] => {
    const { feature, bin } = leaf.split
    const middle = divide(rows, leaf, row => bins[feature]![row]! <= bin)
    const isLeftSmaller = middle - leaf.from < leaf.to - middle
    // The smaller half is counted; the other is what remains.
    const counted = isLeftSmaller ? histogramOf(leaf.from, middle) : histogramOf(middle, leaf.to)
    const rest = leaf.histogram
    for (let place = 0; place < rest.pulls.length; place++) {
      rest.pulls[place]! -= counted.pulls[place]!
      rest.counts[place]! -= counted.counts[place]!
    }
    const left = leafOf(leaf.from, middle, isLeftSmaller ? counted : rest)
    const right = leafOf(middle, leaf.to, isLeftSmaller ? rest : counted)
    tree.feature[leaf.node] = feature
    tree.bin[leaf.node] = bin
    tree.left[leaf.node] = left.node
    tree.right[leaf.node] = right.node
    return [left, right]
  }

  const leaves = [leafOf(0, rows.length, histogramOf(0, rows.length))]
  while (leaves.length < leavesMax) {
    const at = leaves.reduce((best, { split }, at) => (split.gain > leaves[best]!.split.gain ? at : best), 0)
    if (leaves[at]!.split.feature < 0) break
    leaves.splice(at, 1, ...split(leaves[at]!))
  }
  for (const { node, from, to } of leaves) {
    const own = Float64Array.from(rows.subarray(from, to), row => errors[row]!)
    tree.value[node] =
      learningRate * huberCentre(own, outlierFrom) * (own.length / (own.length + shrinkageRows))
  }
  return tree
}

/** Puts the rows of a leaf that belong left before the others. Returns where the others begin. */
function divide(rows: Int32Array, { from, to }: Leaf, isLeft: (row: number) => boolean): number {
  const right: number[] = []
  let middle = from
  for (let at = from; at < to; at++) {
    const row = rows[at]!
    if (isLeft(row)) rows[middle++] = row
    else right.push(row)
  }
  rows.set(right, middle)
  return middle
}

/** One step from the median towards Huber's centre (Friedman 2001, section 4.4). */
function huberCentre(errors: Float64Array, outlierFrom: number): number {
  const median = medianOf(errors)
  const sum = errors.reduce(
    (sum, error) => sum + Math.max(-outlierFrom, Math.min(outlierFrom, error - median)),
    0,
  )
  return median + sum / errors.length
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort()
  return sorted[sorted.length >> 1]!
}
