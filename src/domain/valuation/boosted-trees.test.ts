/** Trees learn the price function of a market, are deterministic, and are robust against a few absurd prices. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { type BoostedTrees, predictTrees } from './boosted-trees.ts'
import { type BoostingOptions, defaultBoosting, fitTrees } from './fit-trees.ts'

/** For functions without noise: no error counts as an outlier. */
const fastOptions: BoostingOptions = { ...defaultBoosting, trees: 200, learningRate: 0.1, outlierFrom: 1 }
const count = 2000

/** Columns of values from 0 to 1. */
const buildColumns = (width: number, seed = 3) => {
  const random = createRandom(seed)
  return Array.from({ length: width }, () => Float64Array.from({ length: count }, random))
}
const pickRow = (columns: Float64Array[], index: number) => columns.map(column => column[index]!)
const fitModel = (
  columns: Float64Array[],
  targetFunction: (row: number[]) => number,
  options = fastOptions,
) =>
  fitTrees(
    columns,
    Float64Array.from({ length: count }, (_, index) => targetFunction(pickRow(columns, index))),
    options,
  )

/** The mean absolute error on unseen rows. */
function computeError(model: BoostedTrees, width: number, targetFunction: (row: number[]) => number): number {
  const unseen = buildColumns(width, 99)
  const errors = Array.from({ length: count }, (_, index) => {
    const row = pickRow(unseen, index)
    return Math.abs(predictTrees(model, row) - targetFunction(row))
  })
  return errors.reduce((sum, error) => sum + error, 0) / count
}

describe('trees learn', () => {
  const targetFunctions: [name: string, errorMax: number, targetFunction: (row: number[]) => number][] = [
    ['a step', 0.06, ([x]) => (x! > 0.6 ? 1 : 0)],
    ['a curve', 0.08, ([x]) => Math.sin(6 * x!)],
    ['an interaction of two features', 0.15, ([x, y]) => (x! > 0.5 === y! > 0.5 ? 1 : 0)],
  ]
  // A constant prediction has an error of 0.4 or more.
  test.each(targetFunctions)('%s, among irrelevant features', (_name, errorMax, targetFunction) => {
    expect(computeError(fitModel(buildColumns(6), targetFunction), 6, targetFunction)).toBeLessThan(errorMax)
  })

  test('the effect of an unknown value', () => {
    const [some] = buildColumns(1)
    const columns = [some!.map((value, index) => (index % 3 === 0 ? Number.NaN : value))]
    const targetFunction = ([x]: number[]) => (Number.isNaN(x) ? 2 : x!)
    const model = fitModel(columns, targetFunction)
    expect(predictTrees(model, [Number.NaN])).toBeCloseTo(2, 1)
    expect(predictTrees(model, [0.5])).toBeCloseTo(0.5, 1)
  })
})

test('prices that are a hundred times too high, one in twenty, change little', () => {
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
  expect(fitModel(columns, targetFunction, fewTrees)).toEqual(fitModel(columns, targetFunction, fewTrees))
  expect(fitModel(columns, targetFunction, { ...fewTrees, seed: 2 })).not.toEqual(
    fitModel(columns, targetFunction, fewTrees),
  )
})

test('a leaf has at least the minimum number of rows, so few rows give a single leaf', () => {
  const model = fitTrees([Float64Array.of(1, 2, 3, 4)], Float64Array.of(1, 1, 5, 5), fastOptions)
  expect(model.roots).toHaveLength(fastOptions.trees)
  expect(model.nodes).toHaveLength(fastOptions.trees)
})

test('fitting without rows or features throws', () => {
  expect(() => fitTrees([new Float64Array()], new Float64Array())).toThrow(RangeError)
  expect(() => fitTrees([], Float64Array.of(1))).toThrow(RangeError)
})

test('any input gives a number within the range of the targets, plus or minus one step', () => {
  const columns = buildColumns(3)
  const model = fitModel(columns, ([x, y]) => x! - y!, { ...fastOptions, trees: 40 })
  const anyNumber = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1e300))
  fc.assert(
    fc.property(fc.tuple(anyNumber, anyNumber, anyNumber), row => {
      const prediction = predictTrees(model, row)
      expect(prediction).toBeGreaterThan(-1.2)
      expect(prediction).toBeLessThan(1.2)
    }),
  )
})
