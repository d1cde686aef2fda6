/** What a price model expects of properties of the market, of a subject, and so of what lies between them. */

import { computeBaselineLogPrice } from './baseline-prices.ts'
import {
  findRegion,
  foldCount,
  type PriceModel,
  type PropertyAtTime,
  predictLogCorrections,
  toFold,
} from './price-model.ts'
import type { Characteristics, Comparable } from './property.ts'
import { fillUnknowns } from './unstated.ts'

/** What is expected of a property of the market without its having been seen, and what its price has beyond that; logarithms. */
export interface Prediction {
  fold: number
  baseline: number
  correction: number
  residual: number
}

/** In the order of the properties. */
export function predictComparables(model: PriceModel, properties: Comparable[]): Prediction[] {
  const predictions: Prediction[] = []
  const places = properties.map((property, at) => ({ at, fold: toFold(property) }))
  for (const [fold, group] of Map.groupBy(places, ({ fold }) => fold)) {
    const pointsInTime = group.map(({ at }) => ({ property: properties[at]!, at: properties[at]!.seenAt }))
    const correction = predictLogCorrections(model, fold, pointsInTime)
    for (const [nth, { at }] of group.entries()) {
      const baseline = computeBaselineLogPrice(properties[at]!)
      const residual = Math.log(properties[at]!.price) - baseline - correction[nth]!
      predictions[at] = { fold, baseline, correction: correction[nth]!, residual }
    }
  }
  return predictions
}

/** What is expected of a subject, as logarithms. */
export interface SubjectPrediction {
  baseline: number
  /** By how much more than usual the model without each fold expects. */
  correction: number[]
  /** What all of them expect together. */
  expected: number
}

/** Trees keep too close to the middle of what they learn from (regression to the mean): what they expect is stretched by so much. */
const stretch = 0.03

/** `isKnown`: the subject itself is in the market, and so only the fold that has not seen it is asked. */
export function predictSubject(
  model: PriceModel,
  subjectAtTime: PropertyAtTime,
  isKnown = false,
): SubjectPrediction {
  const baseline = computeBaselineLogPrice(subjectAtTime.property)
  const correction = Array.from(
    { length: foldCount },
    (_, fold) => predictLogCorrections(model, fold, [subjectAtTime])[0]!,
  )
  const mean = correction.reduce((sum, value) => sum + value, 0) / foldCount
  const expected = baseline + (isKnown ? correction[toFold(subjectAtTime.property)]! : mean)
  if (model.folds.length === 0) return { baseline, correction, expected }
  const { middle } = findRegion(model.regions, subjectAtTime.property)
  return { baseline, correction, expected: expected + stretch * (expected - middle) }
}

/** A property of the market, and what is expected of it. */
export interface PredictedComparable {
  comparable: Comparable
  prediction: Prediction
}

/** What lies between a subject and a property of the market, as that one's fold has it; logarithms. */
export interface PredictionGap {
  /** The subject; what is unknown of it is as in the comparable. */
  subject: Characteristics
  /** By how much more is expected of it, and how much of that was learnt. */
  expected: number
  correction: number
  /** By how much more all folds expect of the subject than this one does. */
  foldOffset: number
}

/** In the order of the comparables. */
export function computePredictionGaps(
  model: PriceModel,
  subjectAtTime: PropertyAtTime,
  outlook: SubjectPrediction,
  all: PredictedComparable[],
): PredictionGap[] {
  const gaps: PredictionGap[] = []
  const filled = all.map(({ comparable }) => fillUnknowns(subjectAtTime.property, comparable))
  for (const [fold, places] of Map.groupBy(all.keys(), at => all[at]!.prediction.fold)) {
    // Most are filled in alike, and need not be asked of twice.
    const groupsByFacts = Map.groupBy(
      places.filter(at => filled[at] !== subjectAtTime.property),
      at => JSON.stringify(filled[at]),
    )
    const recomputed = [...groupsByFacts.values()]
    const correction = predictLogCorrections(
      model,
      fold,
      recomputed.map(([at]) => ({ property: filled[at!]!, at: subjectAtTime.at })),
    )
    const getCorrection = new Map(
      recomputed.flatMap((places, nth) => places.map(at => [at, correction[nth]!])),
    )
    const foldOffset = outlook.expected - outlook.baseline - outlook.correction[fold]!
    for (const at of places) {
      const { prediction } = all[at]!
      const more = (getCorrection.get(at) ?? outlook.correction[fold]!) - prediction.correction
      const baseline = computeBaselineLogPrice(filled[at]!) - prediction.baseline
      gaps[at] = { subject: filled[at]!, expected: baseline + more, correction: more, foldOffset }
    }
  }
  return gaps
}
