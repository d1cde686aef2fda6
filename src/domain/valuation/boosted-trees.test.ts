/** Trees learn what a market does, the same each time, and are not led astray by a few absurd prices. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { type BoostingOptions, defaultBoosting, fitTrees } from './fit-trees.ts'

/** For laws without noise: no error is an outlier. */
const fastOptions: BoostingOptions = { ...defaultBoosting, trees: 200, learningRate: 0.1, outlierFrom: 1 }
const count = 2000

/** Columns of values from 0 to 1. */
const buildColumns = (width: number, seed = 3) => {
  const random = createRandom(seed)
  return Array.from({ length: width }, () => Float64Array.from({ length: count }, random))
}
const pickRow = (columns: Float64Array[], index: number) => columns.map(column => column[index]!)
const fitted = (columns: Float64Array[], targetFunction: (row: number[]) => number, options = fastOptions) =>
  fitTrees(
    columns,
    Float64Array.from({ length: count }, (_, index) => targetFunction(pickRow(columns, index))),
    options,
  )

/** The median of how far it is off, on rows that it has not seen. */
function computeError(model: BoostedTrees, width: number, targetFunction: (row: number[]) => number): number {
  const unseen = buildColumns(width, 99)
  const errors = Array.from({ length: count }, (_, index) => {
    const row = pickRow(unseen, index)
    return Math.abs(predictTrees(model, row) - targetFunction(row))
  })
  return errors.sort((a, b) => a - b)[count / 2]!
}

describe('trees learn', () => {
  const targetFunctions: [name: string, errorMax: number, targetFunction: (row: number[]) => number][] = [
    ['a step', 0.06, ([x]) => (x! > 0.6 ? 1 : 0)],
    ['a curve', 0.08, ([x]) => Math.sin(6 * x!)],
    ['what one feature does to another', 0.15, ([x, y]) => (x! > 0.5 === y! > 0.5 ? 1 : 0)],
  ]
  // Who knows nothing is 0.5 off, or more.
  test.each(targetFunctions)('%s, among features that mean nothing', (_name, errorMax, targetFunction) => {
    expect(computeError(fitted(buildColumns(6), targetFunction), 6, targetFunction)).toBeLessThan(errorMax)
  })

  test('what it means that something is unknown', () => {
    const [some] = buildColumns(1)
    const columns = [some!.map((value, index) => (index % 3 === 0 ? Number.NaN : value))]
    const targetFunction = ([x]: number[]) => (Number.isNaN(x) ? 2 : x!)
    const model = fitted(columns, targetFunction)
    expect(predictTrees(model, [Number.NaN])).toBeCloseTo(2, 1)
    expect(predictTrees(model, [0.5])).toBeCloseTo(0.5, 1)
  })
})

test('one price in twenty that is a hundred times too high changes little', () => {
  const columns = buildColumns(3)
  const targetFunction = ([x]: number[]) => x!
  const targets = Float64Array.from(
    { length: count },
    (_, index) => columns[0]![index]! + (index % 20 === 0 ? 4.6 : 0),
  )
  const model = fitTrees(columns, targets, { ...fastOptions, outlierFrom: defaultBoosting.outlierFrom })
  expect(computeError(model, 3, targetFunction)).toBeLessThan(0.08)
})

test('the same rows and seed give the same trees, another seed gives others', () => {
  const columns = buildColumns(4)
  const targetFunction = ([x, y]: number[]) => x! + y! ** 2
  const fewTrees = { ...fastOptions, trees: 20 }
  expect(fitted(columns, targetFunction, fewTrees)).toEqual(fitted(columns, targetFunction, fewTrees))
  expect(fitted(columns, targetFunction, { ...fewTrees, seed: 2 })).not.toEqual(
    fitted(columns, targetFunction, fewTrees),
  )
})

test('a leaf has as many rows as it must, so that few rows give no tree', () => {
  const model = fitTrees([Float64Array.of(1, 2, 3, 4)], Float64Array.of(1, 1, 5, 5), fastOptions)
  expect(model.roots).toHaveLength(fastOptions.trees)
  expect(model.nodes).toHaveLength(fastOptions.trees)
})

test('without rows or features there is nothing to fit', () => {
  expect(() => fitTrees([new Float64Array()], new Float64Array())).toThrow(RangeError)
  expect(() => fitTrees([], Float64Array.of(1))).toThrow(RangeError)
})

test('whatever is asked, an answer is a number within what was seen, give or take one step', () => {
  const columns = buildColumns(3)
  const model = fitted(columns, ([x, y]) => x! - y!, { ...fastOptions, trees: 40 })
  const anything = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1e300))
  fc.assert(
    fc.property(fc.tuple(anything, anything, anything), row => {
      const prediction = predictTrees(model, row)
      expect(prediction).toBeGreaterThan(-1.2)
      expect(prediction).toBeLessThan(1.2)
    }),
  )
})
