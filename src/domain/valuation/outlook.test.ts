/** Of each property there is a model that has not seen its price; of a subject all of them are asked. */
import { describe, expect, test } from 'vitest'
import { madeTown } from '../../../test/made-market.ts'
import { expectationsOf, gapsOf, outlookOf } from './outlook.ts'
import { fitPriceModel, foldOf, usualPriceModel } from './price-model.ts'
import type { Characteristics } from './property.ts'
import { usualLogPrice } from './usual-prices.ts'

const town = madeTown(500)
const model = fitPriceModel(town)
const [own] = town as [(typeof town)[0]]
const at = own.seenAt

describe('an expectation', () => {
  test('does not know the price that it is of, nor any in its neighbourhood', () => {
    const dearer = town.map(property => ({
      ...property,
      price: property === own ? property.price * 3 : property.price,
    }))
    const taught = fitPriceModel(dearer)
    const [before, after] = [model, taught].map(model => expectationsOf(model, [own])[0]!)
    expect(after).toEqual(before)
    const others = [0, 1, 2, 3, 4].filter(fold => fold !== foldOf(own))
    const [outlookBefore, outlookAfter] = [model, taught].map(model =>
      outlookOf(model, { property: own, at }),
    )
    for (const fold of others) expect(outlookAfter!.learnt[fold]).not.toBe(outlookBefore!.learnt[fold])
  })

  test('and what is beyond it make up the price', () => {
    for (const [nth, { usual, learnt, residual }] of expectationsOf(model, town).entries())
      expect(Math.exp(usual + learnt + residual)).toBeCloseTo(town[nth]!.price, 4)
  })

  test('is in the order of the properties, however their folds are mixed', () => {
    const alone = town.slice(0, 40).map(property => expectationsOf(model, [property])[0])
    expect(expectationsOf(model, town.slice(0, 40))).toEqual(alone)
  })
})

describe('an outlook', () => {
  test('is what all folds expect; of a property of the market, what its own does', () => {
    const outlook = outlookOf(model, { property: own, at })
    const known = outlookOf(model, { property: own, at }, true)
    const mean = outlook.learnt.reduce((sum, value) => sum + value, 0) / outlook.learnt.length
    const middle = model.regions[0]!.middle
    const stretched = (expected: number) => middle + 1.03 * (expected - middle)
    expect(outlook.expected).toBeCloseTo(stretched(outlook.usual + mean), 10)
    expect(known.expected).toBeCloseTo(stretched(outlook.usual + outlook.learnt[foldOf(own)]!), 10)
  })

  test('of the usual model is the usual price', () => {
    const outlook = outlookOf(usualPriceModel, { property: own, at })
    expect(outlook.expected).toBe(usualLogPrice(own))
  })
})

describe('a gap', () => {
  const [expectation] = expectationsOf(model, [own])
  const gapTo = (subject: Characteristics) => {
    const moment = { property: subject, at }
    return gapsOf(model, moment, outlookOf(model, moment), [
      { comparable: own, expectation: expectation! },
    ])[0]!
  }

  test('is nothing to oneself', () => {
    expect(gapTo(own)).toMatchObject({ subject: own, expected: 0, learnt: 0 })
  })

  test('is nothing to what is told of oneself', () => {
    const untold = { floor: null, yearBuilt: null, condition: null, subtype: null, amenities: null }
    expect(gapTo({ ...own, ...untold, isPartlyTold: true })).toMatchObject({ expected: 0, learnt: 0 })
  })

  test('is what the model without the neighbourhood expects to be paid for the difference', () => {
    const larger = { ...own, squareMeters: own.squareMeters * 1.3 }
    const [more] = expectationsOf(model, [{ ...own, ...larger }])
    const { expected, learnt } = gapTo(larger)
    expect(expected).toBeCloseTo(more!.usual + more!.learnt - expectation!.usual - expectation!.learnt, 10)
    expect(learnt).toBeCloseTo(more!.learnt - expectation!.learnt, 10)
  })
})
