/**
 * Gradient boosting as in Friedman, "Greedy function approximation: a gradient boosting machine" (2001), with Huber
 * loss. Trees grow leaf by leaf on binned features, as in Ke et al., "LightGBM" (2017).
 */
import { createRandom, type Random } from '../random.ts'
import { type BoostedTrees, leafFeature, packNode } from './boosted-trees.ts'
import { toBin, toBinEdges } from './feature-bins.ts'
import { upperMedian } from './median.ts'

export interface BoostingOptions {
  trees: number
  /** Factor applied to the values of each tree, 0 to 1. */
  learningRate: number
  leavesMax: number
  rowsPerLeafMin: number
  /** Shares of rows and of features that are sampled for each tree, 0 to 1. */
  rowShare: number
  featureShare: number
  /** Regularization: each leaf counts this many additional rows without error. */
  shrinkageRows: number
  /** Huber threshold, in units of the target: larger errors have no larger gradient. */
  outlierFrom: number
  seed: number
}

/** Suitable for tens of thousands of listings with thirty features. */
export const defaultBoosting: BoostingOptions = {
  trees: 700,
  learningRate: 0.1,
  leavesMax: 31,
  rowsPerLeafMin: 10,
  rowShare: 0.7,
  featureShare: 0.5,
  shrinkageRows: 1,
  outlierFrom: 0.15,
  seed: 1,
}

/** The number of bits in the two feature sets of a tree. */
const featuresMax = 64

/**
 * Fits trees to rows. `features` are indexed by feature, then by row; NaN is unknown and has its own bin. The same
 * input and seed give the same trees. Throws RangeError if there are no rows, no features, or more than 64 features.
 */
export function fitTrees(
  features: Float64Array[],
  targets: Float64Array,
  options: BoostingOptions = defaultBoosting,
): BoostedTrees {
  const rowCount = targets.length
  if (rowCount === 0 || features.length === 0) throw new RangeError('fitTrees needs rows and features')
  if (features.length > featuresMax) throw new RangeError(`fitTrees takes at most ${featuresMax} features`)
  const edges = features.map(toBinEdges)
  const bins = features.map((values, index) => Uint8Array.from(values, value => toBin(edges[index]!, value)))
  const base = upperMedian(targets)
  const errors = Float64Array.from(targets, target => target - base)
  const random = createRandom(options.seed)
  // Bin 0, the bins between edges, and the bin above the last edge.
  const binCounts = edges.map(binEdges => binEdges.length + 2)
  const grower = createTreeGrower(bins, binCounts, errors, options)
  const trees: Tree[] = []
  while (trees.length < options.trees) {
    const rows = drawSample(rowCount, options.rowShare, random)
    trees.push(grower(rows, drawSample(features.length, options.featureShare, random)))
  }
  return { edges, base, ...flattenTrees(trees) }
}

interface Tree {
  features: number[]
  bins: number[]
  lefts: number[]
  values: number[]
}

function flattenTrees(trees: Tree[]): Omit<BoostedTrees, 'edges' | 'base'> {
  const roots = new Int32Array(trees.length)
  let count = 0
  for (const [index, tree] of trees.entries()) {
    roots[index] = count
    count += tree.features.length
  }
  const toBitSets = (from: number) =>
    Int32Array.from(trees, tree =>
      tree.features.reduce(
        (set, index) => (index >= from && index < from + 32 ? set | (1 << (index - from)) : set),
        0,
      ),
    )
  return {
    roots,
    lowFeatures: toBitSets(0),
    highFeatures: toBitSets(32),
    nodes: Uint32Array.from(
      trees.flatMap(({ features, bins, lefts }) =>
        features.map((feature, node) => packNode(feature, bins[node]!, lefts[node]!)),
      ),
    ),
    values: Float32Array.from(trees.flatMap(tree => tree.values)),
  }
}

/** Samples indexes below `count`; at least one. */
function drawSample(count: number, share: number, random: Random): Int32Array {
  const sampled = new Int32Array(count)
  let length = 0
  for (let index = 0; index < count; index++) if (share >= 1 || random() < share) sampled[length++] = index
  return sampled.subarray(0, Math.max(1, length))
}

/** A leaf holds the sampled rows `from` to `to`; the rows are kept in the order of the leaves. */
interface Leaf {
  node: number
  from: number
  to: number
  /** By sampled feature and bin: the sum of the gradients, then the number of rows. */
  histogram: Float64Array
  gradient: number
  gain: number
  feature: number
  bin: number
}

type Grower = (rows: Int32Array, features: Int32Array) => Tree

/** Grows one tree after another, and subtracts its predictions from the errors. */
function createTreeGrower(
  bins: Uint8Array[],
  binCounts: number[],
  errors: Float64Array,
  options: BoostingOptions,
): Grower {
  const { leavesMax, rowsPerLeafMin, shrinkageRows, outlierFrom, learningRate } = options
  const gradients = new Float64Array(errors.length)
  const right = new Int32Array(errors.length)
  const sizeMax = 2 * binCounts.reduce((sum, count) => sum + count, 0)
  const spareHistograms: Float64Array[] = []

  return (rows, features) => {
    const tree: Tree = { features: [], bins: [], lefts: [], values: [] }
    for (let row = 0; row < errors.length; row++)
      gradients[row] = Math.max(-outlierFrom, Math.min(outlierFrom, errors[row]!))

    const offsets = new Int32Array(features.length + 1)
    for (const [nth, feature] of features.entries()) offsets[nth + 1] = offsets[nth]! + binCounts[feature]!
    const size = 2 * offsets[features.length]!

    const buildHistogram = (from: number, to: number): Float64Array => {
      const histogram = spareHistograms.pop()?.fill(0, 0, size) ?? new Float64Array(sizeMax)
      for (let nth = 0; nth < features.length; nth++) {
        const offset = offsets[nth]!
        const column = bins[features[nth]!]!
        for (let index = from; index < to; index++) {
          const row = rows[index]!
          const slot = (offset + column[row]!) << 1
          histogram[slot]! += gradients[row]!
          histogram[slot + 1]!++
        }
      }
      return histogram
    }

    const addNode = () => {
      tree.features.push(leafFeature)
      tree.bins.push(0)
      tree.lefts.push(0)
      return tree.values.push(0) - 1
    }

    const createLeaf = (node: number, from: number, to: number, histogram: Float64Array): Leaf => {
      let gradient = 0
      for (let index = from; index < to; index++) gradient += gradients[rows[index]!]!
      const leaf = { node, from, to, histogram, gradient, gain: 1e-10, feature: -1, bin: 0 }
      if (to - from >= 2 * rowsPerLeafMin) findSplit(leaf)
      return leaf
    }

    /** Finds the split that lowers the squared error most; feature -1: there is none. */
    const findSplit = (leaf: Leaf): void => {
      const { histogram, gradient } = leaf
      const count = leaf.to - leaf.from
      const whole = gradient ** 2 / (count + shrinkageRows)
      let bestGain = leaf.gain
      for (let nth = 0; nth < features.length; nth++) {
        let gradientLeft = 0
        let countLeft = 0
        const offset = offsets[nth]!
        const lastBin = offsets[nth + 1]! - offset - 1
        for (let bin = 0; bin < lastBin; bin++) {
          const slot = (offset + bin) << 1
          const here = histogram[slot + 1]!
          if (here === 0) continue
          gradientLeft += histogram[slot]!
          countLeft += here
          if (countLeft < rowsPerLeafMin) continue
          const countRight = count - countLeft
          if (countRight < rowsPerLeafMin) break
          const gradientRight = gradient - gradientLeft
          const gain =
            (gradientLeft * gradientLeft) / (countLeft + shrinkageRows) +
            (gradientRight * gradientRight) / (countRight + shrinkageRows) -
            whole
          if (gain > bestGain) {
            bestGain = gain
            leaf.feature = features[nth]!
            leaf.bin = bin
          }
        }
      }
      leaf.gain = bestGain
    }

    /** Moves the rows of a leaf that go left before the others. Returns the index of the first right row. */
    const splitLeaf = ({ from, to, feature, bin }: Leaf): number => {
      const column = bins[feature]!
      let middle = from
      let count = 0
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        if (column[row]! <= bin) rows[middle++] = row
        else right[count++] = row
      }
      rows.set(right.subarray(0, count), middle)
      return middle
    }

    const split = (leaf: Leaf): [Leaf, Leaf] => {
      const middle = splitLeaf(leaf)
      const { from, to } = leaf
      const isLeftSmaller = middle - from < to - middle
      // Only the histogram of the smaller half is built; that of the other half is the difference.
      const counted = isLeftSmaller ? buildHistogram(from, middle) : buildHistogram(middle, to)
      const rest = leaf.histogram
      for (let slot = 0; slot < size; slot++) rest[slot]! -= counted[slot]!
      tree.features[leaf.node] = leaf.feature
      tree.bins[leaf.node] = leaf.bin
      const left = addNode()
      tree.lefts[leaf.node] = left
      return [
        createLeaf(left, from, middle, isLeftSmaller ? counted : rest),
        createLeaf(addNode(), middle, to, isLeftSmaller ? rest : counted),
      ]
    }

    const leaves = [createLeaf(addNode(), 0, rows.length, buildHistogram(0, rows.length))]
    while (leaves.length < leavesMax) {
      let best = leaves[0]!
      for (const leaf of leaves)
        if (leaf.feature >= 0 && (best.feature < 0 || leaf.gain > best.gain)) best = leaf
      if (best.feature < 0) break
      leaves.splice(leaves.indexOf(best), 1, ...split(best))
    }
    for (const { node, from, to, histogram } of leaves) {
      spareHistograms.push(histogram)
      const leafErrors = new Float64Array(to - from)
      for (let index = from; index < to; index++) leafErrors[index - from] = errors[rows[index]!]!
      tree.values[node] =
        learningRate *
        computeHuberCentre(leafErrors, outlierFrom) *
        (leafErrors.length / (leafErrors.length + shrinkageRows))
    }
    subtractPredictions(tree, bins, errors)
    return tree
  }
}

/** Subtracts the predictions of a tree from the errors. */
function subtractPredictions(tree: Tree, bins: Uint8Array[], errors: Float64Array): void {
  const features = Int16Array.from(tree.features)
  const limits = Uint8Array.from(tree.bins)
  const lefts = Int16Array.from(tree.lefts)
  const values = Float64Array.from(tree.values)
  for (let row = 0; row < errors.length; row++) {
    let node = 0
    let feature = features[0]!
    while (feature !== leafFeature) {
      node = lefts[node]! + (bins[feature]![row]! > limits[node]! ? 1 : 0)
      feature = features[node]!
    }
    errors[row]! -= values[node]!
  }
}

/** One step from the median towards the Huber estimate of the centre (Friedman 2001, section 4.4). Sorts `errors`. */
function computeHuberCentre(errors: Float64Array, outlierFrom: number): number {
  const median = errors.sort()[errors.length >> 1]!
  let sum = 0
  for (const error of errors) sum += Math.max(-outlierFrom, Math.min(outlierFrom, error - median))
  return median + sum / errors.length
}
