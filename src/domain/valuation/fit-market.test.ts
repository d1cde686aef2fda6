/** A fit learns a law that nobody told it, says honestly how good it is, and comes out the same each time. */
import { describe, expect, test } from 'vitest'
import { lawfulPrice, madeTown } from '../../../test/made-market.ts'
import { accuracyOf } from './accuracy.ts'
import { estimateValue } from './estimate.ts'
import { fitMarket, fitMin } from './fit-market.ts'
import { usualMarketModel } from './market-model.ts'
import { nearestAmong } from './near.ts'
import type { Characteristics } from './property.ts'

const town = madeTown(2500)
const unseen = madeTown(400, { seed: 2 })
const fitted = fitMarket(town, 'one')!
const near = nearestAmong(town)

function accuracyWith(model: typeof usualMarketModel, unsaid: Partial<Characteristics> = {}) {
  return accuracyOf(
    unseen.map(subject => {
      const comparables = near(subject, 200).map(({ property }) => property)
      const characteristics = { ...subject, ...unsaid }
      const estimate = estimateValue({ characteristics, asOf: subject.seenAt }, comparables, model)!
      return { ...estimate, price: subject.price }
    }),
  )!
}

describe('what was learnt', () => {
  const before = accuracyWith(usualMarketModel)
  const after = accuracyWith(fitted.model)

  test('makes estimates better: they are hardly farther off than chance is', () => {
    const chance = accuracyOf(
      unseen.map(subject => ({ price: subject.price, value: lawfulPrice(subject), low: 0, high: 1 })),
    )!
    expect(after.mdape).toBeLessThan(before.mdape)
    expect(after.mdape).toBeLessThan(1.5 * chance.mdape)
  })

  test('holds for the range: four of five prices lie in it', () => {
    expect(after.intervalCoverage).toBeGreaterThan(0.73)
    expect(after.intervalCoverage).toBeLessThan(0.86)
  })

  test('knows that it is farther off where less is said, and is not partial', () => {
    const less = accuracyWith(fitted.model, {
      amenities: null,
      condition: null,
      floor: null,
      yearBuilt: null,
      isPartlyTold: true,
    })
    expect(less.medianHalfWidth).toBeGreaterThan(after.medianHalfWidth * 1.1)
    expect(less.intervalCoverage).toBeGreaterThan(0.73)
    expect(Math.abs(less.medianRatio - 1)).toBeLessThan(0.02)
  })

  test('is tried on what it was not learnt from, and so says what comes true', () => {
    expect(fitted.accuracy.mdape).toBeGreaterThan(0.7 * after.mdape)
    expect(fitted.accuracy.mdape).toBeLessThan(1.4 * after.mdape)
    expect(Math.abs(fitted.accuracy.intervalCoverage - after.intervalCoverage)).toBeLessThan(0.06)
  })
})

test('the same properties teach the same', () => {
  const some = town.slice(0, fitMin)
  expect(fitMarket(some, 'two')).toEqual(fitMarket(some, 'two'))
}, 60_000)

test('too few properties teach nothing', () => {
  expect(fitMarket(town.slice(0, fitMin - 1), 'three')).toBeNull()
})
