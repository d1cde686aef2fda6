/** Trees learn what a market does, the same each time, and are not led astray by a few absurd prices. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../random.ts'
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { type BoostingOptions, fitTrees, usualBoosting } from './fit-trees.ts'

/** For laws without noise: no error is an outlier. */
const quick: BoostingOptions = { ...usualBoosting, trees: 200, learningRate: 0.1, outlierFrom: 1 }
const count = 2000

/** Columns of values from 0 to 1. */
const columnsOf = (width: number, seed = 3) => {
  const random = randomOf(seed)
  return Array.from({ length: width }, () => Float64Array.from({ length: count }, random))
}
const rowOf = (columns: Float64Array[], at: number) => columns.map(column => column[at]!)
const fitted = (columns: Float64Array[], law: (row: number[]) => number, options = quick) =>
  fitTrees(
    columns,
    Float64Array.from({ length: count }, (_, at) => law(rowOf(columns, at))),
    options,
  )

/** The median of how far it is off, on rows that it has not seen. */
function errorOf(model: BoostedTrees, width: number, law: (row: number[]) => number): number {
  const unseen = columnsOf(width, 99)
  const errors = Array.from({ length: count }, (_, at) => {
    const row = rowOf(unseen, at)
    return Math.abs(predictTrees(model, row) - law(row))
  })
  return errors.sort((a, b) => a - b)[count / 2]!
}

describe('trees learn', () => {
  const laws: [name: string, errorMax: number, law: (row: number[]) => number][] = [
    ['a step', 0.06, ([x]) => (x! > 0.6 ? 1 : 0)],
    ['a curve', 0.08, ([x]) => Math.sin(6 * x!)],
    ['what one feature does to another', 0.15, ([x, y]) => (x! > 0.5 === y! > 0.5 ? 1 : 0)],
  ]
  // Who knows nothing is 0.5 off, or more.
  test.each(laws)('%s, among features that mean nothing', (_name, errorMax, law) => {
    expect(errorOf(fitted(columnsOf(6), law), 6, law)).toBeLessThan(errorMax)
  })

  test('what it means that something is unknown', () => {
    const [some] = columnsOf(1)
    const columns = [some!.map((value, at) => (at % 3 === 0 ? Number.NaN : value))]
    const law = ([x]: number[]) => (Number.isNaN(x) ? 2 : x!)
    const model = fitted(columns, law)
    expect(predictTrees(model, [Number.NaN])).toBeCloseTo(2, 1)
    expect(predictTrees(model, [0.5])).toBeCloseTo(0.5, 1)
  })
})

test('one price in twenty that is a hundred times too high changes little', () => {
  const columns = columnsOf(3)
  const law = ([x]: number[]) => x!
  const targets = Float64Array.from(
    { length: count },
    (_, at) => columns[0]![at]! + (at % 20 === 0 ? 4.6 : 0),
  )
  const model = fitTrees(columns, targets, { ...quick, outlierFrom: usualBoosting.outlierFrom })
  expect(errorOf(model, 3, law)).toBeLessThan(0.08)
})

test('the same rows and seed give the same trees, another seed gives others', () => {
  const columns = columnsOf(4)
  const law = ([x, y]: number[]) => x! + y! ** 2
  const few = { ...quick, trees: 20 }
  expect(fitted(columns, law, few)).toEqual(fitted(columns, law, few))
  expect(fitted(columns, law, { ...few, seed: 2 })).not.toEqual(fitted(columns, law, few))
})

test('a leaf has as many rows as it must, so that few rows give no tree', () => {
  const model = fitTrees([Float64Array.of(1, 2, 3, 4)], Float64Array.of(1, 1, 5, 5), quick)
  expect(model.roots).toHaveLength(quick.trees)
  expect(model.nodes).toHaveLength(quick.trees)
})

test('without rows or features there is nothing to fit', () => {
  expect(() => fitTrees([new Float64Array()], new Float64Array())).toThrow(RangeError)
  expect(() => fitTrees([], Float64Array.of(1))).toThrow(RangeError)
})

test('whatever is asked, an answer is a number within what was seen, give or take one step', () => {
  const columns = columnsOf(3)
  const model = fitted(columns, ([x, y]) => x! - y!, { ...quick, trees: 40 })
  const anything = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1e300))
  fc.assert(
    fc.property(fc.tuple(anything, anything, anything), row => {
      const said = predictTrees(model, row)
      expect(said).toBeGreaterThan(-1.2)
      expect(said).toBeLessThan(1.2)
    }),
  )
})
