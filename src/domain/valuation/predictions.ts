/** Predictions of a price model for comparables, for a subject, and for the difference between them. */
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

/** Prediction for a comparable by the fold that has not seen it, and the residual of its price; logarithms. */
export interface Prediction {
  fold: number
  baseline: number
  correction: number
  residual: number
}

/** Returns the predictions in the order of the properties. */
export function predictComparables(model: PriceModel, properties: Comparable[]): Prediction[] {
  const predictions: Prediction[] = []
  const entries = properties.map((property, index) => ({ index, fold: toFold(property) }))
  for (const [fold, group] of Map.groupBy(entries, ({ fold }) => fold)) {
    const propertiesAtTime = group.map(({ index }) => ({
      property: properties[index]!,
      at: properties[index]!.seenAt,
    }))
    const correction = predictLogCorrections(model, fold, propertiesAtTime)
    for (const [nth, { index }] of group.entries()) {
      const baseline = computeBaselineLogPrice(properties[index]!)
      const residual = Math.log(properties[index]!.price) - baseline - correction[nth]!
      predictions[index] = { fold, baseline, correction: correction[nth]!, residual }
    }
  }
  return predictions
}

/** Prediction for a subject; logarithms. */
export interface SubjectPrediction {
  baseline: number
  /** By fold: the learnt difference from the baseline price. */
  correction: number[]
  /** The stretched mean of all folds. */
  expected: number
}

/** Predictions of trees are too close to the middle (regression to the mean), so they are stretched by this share. */
const stretch = 0.03

/** `isKnown`: the subject itself is listed, so only the fold that has not seen it is used. */
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

/** A comparable with its prediction. */
export interface PredictedComparable {
  comparable: Comparable
  prediction: Prediction
}

/** The predicted difference between a subject and a comparable, by the fold of the comparable; logarithms. */
export interface PredictionGap {
  /** The subject, with unknown facts taken from the comparable. */
  subject: Characteristics
  /** Expected price of the subject minus that of the comparable; `correction` is the learnt part of it. */
  expected: number
  correction: number
  /** Price of the subject that all folds expect, minus the one that this fold expects. */
  foldOffset: number
}

/** Returns the gaps in the order of the comparables. */
export function computePredictionGaps(
  model: PriceModel,
  subjectAtTime: PropertyAtTime,
  subjectPrediction: SubjectPrediction,
  predicted: PredictedComparable[],
): PredictionGap[] {
  const gaps: PredictionGap[] = []
  const filled = predicted.map(({ comparable }) => fillUnknowns(subjectAtTime.property, comparable))
  for (const [fold, indexes] of Map.groupBy(predicted.keys(), index => predicted[index]!.prediction.fold)) {
    // Most comparables fill in the same facts, so one prediction of the subject serves several.
    const groupsByFacts = Map.groupBy(
      indexes.filter(index => filled[index] !== subjectAtTime.property),
      index => JSON.stringify(filled[index]),
    )
    const recomputed = [...groupsByFacts.values()]
    const newCorrections = predictLogCorrections(
      model,
      fold,
      recomputed.map(([index]) => ({ property: filled[index!]!, at: subjectAtTime.at })),
    )
    const corrections = new Map(
      recomputed.flatMap((indexes, nth) => indexes.map(index => [index, newCorrections[nth]!])),
    )
    const foldOffset =
      subjectPrediction.expected - subjectPrediction.baseline - subjectPrediction.correction[fold]!
    for (const index of indexes) {
      const { prediction } = predicted[index]!
      const correctionGap =
        (corrections.get(index) ?? subjectPrediction.correction[fold]!) - prediction.correction
      const baselineGap = computeBaselineLogPrice(filled[index]!) - prediction.baseline
      gaps[index] = {
        subject: filled[index]!,
        expected: baselineGap + correctionGap,
        correction: correctionGap,
        foldOffset,
      }
    }
  }
  return gaps
}
