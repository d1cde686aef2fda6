/** A fit learns a hidden price function, reports its accuracy honestly, and is deterministic. */
import { describe, expect, test } from 'vitest'
import { makeTown, toModelPrice } from '../../../test/synthetic-market.ts'
import { computeAccuracy } from './accuracy.ts'
import { estimateValue } from './estimate.ts'
import { fitMarket, fittedComparablesMin } from './fit-market.ts'
import { defaultMarketModel } from './market-model.ts'
import { createNearestFinder } from './nearest.ts'
import type { Characteristics } from './property.ts'

const townListings = makeTown(1000)
const unseen = makeTown(250, { seed: 2 })
const fitted = fitMarket(townListings, 'one')!
const near = createNearestFinder(townListings)

function computeAccuracyWith(model: typeof defaultMarketModel, hiddenFacts: Partial<Characteristics> = {}) {
  return computeAccuracy(
    unseen.map(subject => {
      const comparables = near(subject, 200).map(({ property }) => property)
      const characteristics = { ...subject, ...hiddenFacts }
      const estimate = estimateValue({ characteristics, asOf: subject.seenAt }, comparables, model)!
      return { ...estimate, price: subject.price }
    }),
  )!
}

describe('a fitted model', () => {
  const before = computeAccuracyWith(defaultMarketModel)
  const after = computeAccuracyWith(fitted.model)

  test('improves estimates: the error is close to the noise of the prices', () => {
    const noiseOnly = computeAccuracy(
      unseen.map(subject => ({ price: subject.price, value: toModelPrice(subject), low: 0, high: 1 })),
    )!
    expect(after.mdape).toBeLessThan(before.mdape)
    expect(after.mdape).toBeLessThan(1.5 * noiseOnly.mdape)
  })

  test('gives a range that contains four of five prices', () => {
    expect(after.intervalCoverage).toBeGreaterThan(0.73)
    expect(after.intervalCoverage).toBeLessThan(0.86)
  })

  test('gives a wider range for partly described subjects, without bias', () => {
    const lessAccurate = computeAccuracyWith(fitted.model, {
      amenities: null,
      condition: null,
      floor: null,
      yearBuilt: null,
      isPartiallyDescribed: true,
    })
    expect(lessAccurate.medianHalfWidth).toBeGreaterThan(after.medianHalfWidth * 1.1)
    expect(lessAccurate.intervalCoverage).toBeGreaterThan(0.73)
    expect(Math.abs(lessAccurate.medianRatio - 1)).toBeLessThan(0.02)
  })

  test('is tested on properties that it was not fitted on, so the reported accuracy is realistic', () => {
    expect(fitted.accuracy.mdape).toBeGreaterThan(0.7 * after.mdape)
    expect(fitted.accuracy.mdape).toBeLessThan(1.4 * after.mdape)
    expect(Math.abs(fitted.accuracy.intervalCoverage - after.intervalCoverage)).toBeLessThan(0.06)
  })
})

test('the same properties give the same model', () => {
  const someListings = townListings.slice(0, fittedComparablesMin)
  expect(fitMarket(someListings, 'two')).toEqual(fitMarket(someListings, 'two'))
})

test('too few properties give no model', () => {
  expect(fitMarket(townListings.slice(0, fittedComparablesMin - 1), 'three')).toBeNull()
})
