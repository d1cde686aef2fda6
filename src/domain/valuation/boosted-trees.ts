/**
 * Gradient-boosted regression trees: they learn what a market pays for each feature without a given functional form.
 * `fit-trees.ts` fits them.
 */
import { type BinEdges, toBin } from './feature-bins.ts'

/** The nodes of all trees are stored one after another. The right child of a node follows its left child. */
export interface BoostedTrees {
  /** Bin edges by feature. */
  edges: BinEdges[]
  /** The median of the targets: the prediction before any tree. */
  base: number
  /** The first node of each tree. */
  roots: Int32Array
  /** Bit sets of the features that each tree uses: features 0 to 31, and features from 32 on. */
  lowFeatures: Int32Array
  highFeatures: Int32Array
  /** Each node as packed by `packNode`. */
  nodes: Uint32Array
  /** By node: the value that a leaf adds. */
  values: Float32Array
}

/** The feature number that marks a leaf. */
export const leafFeature = 255

/**
 * Packs a node into one number. A row goes to child `left` (relative to the root) if its bin is ≤ `bin`, else to
 * `left + 1`.
 */
export function packNode(feature: number, bin: number, left: number): number {
  return ((feature << 24) | (bin << 16) | left) >>> 0
}

/** Predicts one row. Its features are in the order in which they were fitted. */
export function predictTrees(trees: BoostedTrees, row: ArrayLike<number>): number {
  return predictRows(trees, [row])[0]!
}

/**
 * Predicts many rows. This is faster than one by one, most of all if successive rows differ in few features: a tree
 * that uses none of the changed features repeats its value.
 */
export function predictRows(trees: BoostedTrees, rows: ArrayLike<number>[]): Float64Array {
  const { edges, base, roots, lowFeatures, highFeatures, nodes, values } = trees
  const width = edges.length
  const binned = new Uint8Array(rows.length * width)
  const lowChanged = new Int32Array(rows.length).fill(-1)
  const highChanged = new Int32Array(rows.length).fill(-1)
  for (const [nth, row] of rows.entries()) {
    let low = 0
    let high = 0
    for (let feature = 0; feature < width; feature++) {
      const index = nth * width + feature
      binned[index] = toBin(edges[feature]!, row[feature]!)
      if (nth === 0 || binned[index] === binned[index - width]) continue
      if (feature < 32) low |= 1 << feature
      else high |= 1 << (feature - 32)
    }
    if (nth === 0) continue
    lowChanged[nth] = low
    highChanged[nth] = high
  }
  const sums = new Float64Array(rows.length).fill(base)
  for (let tree = 0; tree < roots.length; tree++) {
    const low = lowFeatures[tree]!
    const high = highFeatures[tree]!
    const root = roots[tree]!
    let value = 0
    for (let nth = 0; nth < sums.length; nth++) {
      if (nth === 0 || (low & lowChanged[nth]!) | (high & highChanged[nth]!)) {
        const offset = nth * width
        let index = root
        let node = nodes[index]!
        while (node >>> 24 !== leafFeature) {
          const isRight = binned[offset + (node >>> 24)]! > ((node >>> 16) & 255)
          index = root + (node & 65_535) + (isRight ? 1 : 0)
          node = nodes[index]!
        }
        value = values[index]!
      }
      sums[nth]! += value
    }
  }
  return sums
}
