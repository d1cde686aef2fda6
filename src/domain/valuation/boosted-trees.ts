/**
 * Gradient-boosted regression trees: what a market pays for which features, without anybody having to say in which form.
 * `fit-trees.ts` fits them.
 */
import { type BinEdges, toBin } from './feature-bins.ts'

/** Nodes of all trees one after another; the right child of a node is the one after its left child. */
export interface BoostedTrees {
  /** By feature. */
  edges: BinEdges[]
  /** The median of the targets: what is said before any tree. */
  base: number
  /** The first node of each tree. */
  roots: Int32Array
  /** Which features each tree asks for: a bit each, those up to 31 and those from 32 on. */
  lowFeatures: Int32Array
  highFeatures: Int32Array
  /** What `packNode` makes of each. */
  nodes: Uint32Array
  /** By node: what a leaf adds. */
  values: Float32Array
}

/** In place of a feature, in a leaf. */
export const leaf = 255

/** One number to look at in each step. What is in `bin` or below goes to `left`, which counts from the root; else to the next. */
export function packNode(feature: number, bin: number, left: number): number {
  return ((feature << 24) | (bin << 16) | left) >>> 0
}

/** What the trees say of one row, its features in the order in which they were fitted. */
export function predictTrees(trees: BoostedTrees, row: ArrayLike<number>): number {
  return predictRows(trees, [row])[0]!
}

/**
 * The same of many rows. It is quicker than one by one, and more so if each differs from the one before in few features: a tree
 * that asks for none of these says the same again.
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
    for (let position = 0; position < width; position++) {
      const place = nth * width + position
      binned[place] = toBin(edges[position]!, row[position]!)
      if (nth === 0 || binned[place] === binned[place - width]) continue
      if (position < 32) low |= 1 << position
      else high |= 1 << (position - 32)
    }
    if (nth === 0) continue
    lowChanged[nth] = low
    highChanged[nth] = high
  }
  const sums = new Float64Array(rows.length).fill(base)
  for (let position = 0; position < roots.length; position++) {
    const low = lowFeatures[position]!
    const high = highFeatures[position]!
    const root = roots[position]!
    let value = 0
    for (let nth = 0; nth < sums.length; nth++) {
      if (nth === 0 || (low & lowChanged[nth]!) | (high & highChanged[nth]!)) {
        const offset = nth * width
        let place = root
        let node = nodes[place]!
        while (node >>> 24 !== leaf) {
          const isRight = binned[offset + (node >>> 24)]! > ((node >>> 16) & 255)
          place = root + (node & 65_535) + (isRight ? 1 : 0)
          node = nodes[place]!
        }
        value = values[place]!
      }
      sums[nth]! += value
    }
  }
  return sums
}
