/**
 * The prediction for a listed property comes from a model that has not seen its price; for a subject, from all models.
 */
import { describe, expect, test } from 'vitest'
import { makeTown } from '../../../test/synthetic-market.ts'
import { computeBaselineLogPrice } from './baseline-prices.ts'
import { computePredictionGaps, predictComparables, predictSubject } from './predictions.ts'
import { defaultPriceModel, fitPriceModel, toFold } from './price-model.ts'
import type { Characteristics } from './property.ts'

const town = makeTown(500)
const model = fitPriceModel(town)
const [ownListing] = town as [(typeof town)[0]]
const at = ownListing.seenAt

describe('the prediction of a comparable', () => {
  test('does not depend on its own price or on those of its fold, which includes its neighbourhood', () => {
    const expensiveFold = town.map(property => ({
      ...property,
      price: toFold(property) === toFold(ownListing) ? property.price * 3 : property.price,
    }))
    const trained = fitPriceModel(expensiveFold)
    const [before, after] = [model, trained].map(model => predictComparables(model, [ownListing])[0]!)
    expect(after).toEqual(before)
    const otherFolds = [0, 1, 2, 3, 4].filter(fold => fold !== toFold(ownListing))
    const [predictionBefore, predictionAfter] = [model, trained].map(model =>
      predictSubject(model, { property: ownListing, at }),
    )
    for (const fold of otherFolds)
      expect(predictionAfter!.correction[fold]).not.toBe(predictionBefore!.correction[fold])
  })

  test('and the residual add up to the price', () => {
    for (const [nth, { baseline, correction, residual }] of predictComparables(model, town).entries())
      expect(Math.exp(baseline + correction + residual)).toBeCloseTo(town[nth]!.price, 4)
  })

  test('is in the order of the properties, also if their folds alternate', () => {
    const onlyOne = town.slice(0, 40).map(property => predictComparables(model, [property])[0])
    expect(predictComparables(model, town.slice(0, 40))).toEqual(onlyOne)
  })
})

describe('the prediction of a subject', () => {
  test('is the mean of all folds; for a listed property, that of its own fold', () => {
    const subjectPrediction = predictSubject(model, { property: ownListing, at })
    const known = predictSubject(model, { property: ownListing, at }, true)
    const mean =
      subjectPrediction.correction.reduce((sum, value) => sum + value, 0) /
      subjectPrediction.correction.length
    const middle = model.regions[0]!.middle
    const stretchTown = (expected: number) => middle + 1.03 * (expected - middle)
    expect(subjectPrediction.expected).toBeCloseTo(stretchTown(subjectPrediction.baseline + mean), 10)
    expect(known.expected).toBeCloseTo(
      stretchTown(subjectPrediction.baseline + subjectPrediction.correction[toFold(ownListing)]!),
      10,
    )
  })

  test('of the default model is the baseline price', () => {
    const subjectPrediction = predictSubject(defaultPriceModel, { property: ownListing, at })
    expect(subjectPrediction.expected).toBe(computeBaselineLogPrice(ownListing))
  })
})

describe('a prediction gap', () => {
  const [prediction] = predictComparables(model, [ownListing])
  const toGap = (subject: Characteristics) => {
    const subjectAtTime = { property: subject, at }
    return computePredictionGaps(model, subjectAtTime, predictSubject(model, subjectAtTime), [
      { comparable: ownListing, prediction: prediction! },
    ])[0]!
  }

  test('to the same property is zero', () => {
    expect(toGap(ownListing)).toMatchObject({ subject: ownListing, expected: 0, correction: 0 })
  })

  test('to a partial description of the same property is zero', () => {
    const unstated = { floor: null, yearBuilt: null, condition: null, subtype: null, amenities: null }
    expect(toGap({ ...ownListing, ...unstated, isPartiallyDescribed: true })).toMatchObject({
      expected: 0,
      correction: 0,
    })
  })

  test('is what the model without the neighbourhood expects for the difference', () => {
    const larger = { ...ownListing, squareMeters: ownListing.squareMeters * 1.3 }
    const [more] = predictComparables(model, [{ ...ownListing, ...larger }])
    const { expected, correction } = toGap(larger)
    expect(expected).toBeCloseTo(
      more!.baseline + more!.correction - prediction!.baseline - prediction!.correction,
      10,
    )
    expect(correction).toBeCloseTo(more!.correction - prediction!.correction, 10)
  })
})
