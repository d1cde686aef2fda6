/** What a property is worth, from comparables, in such a way that a person can redo the sum. */
import { type Adjustment, computeAdjustments } from './adjustments.ts'
import {
  type Candidate,
  type Choice,
  createValuationContext,
  isModelApplicable,
  toCandidates,
  weighPlausible,
} from './candidates.ts'
import { collectSignals, computeHalfRange, coverage } from './error-model.ts'
import {
  countByReason,
  type Exclusion,
  type ExclusionReason,
  selectShown,
  toExclusions,
} from './exclusions.ts'
import { defaultMarketModel, type MarketModel } from './market-model.ts'
import type { Comparable, Subject } from './property.ts'
import { daysPerYear, msPerDay } from './time.ts'

export { type ExclusionReason, exclusionReasons } from './exclusions.ts'

export interface ComparedProperty {
  comparable: Comparable
  distanceMeters: number
  ageDays: number
  /** Empty for what is left out. */
  adjustments: Adjustment[]
  /** Its price and all adjustments: what it would cost if it were the subject. Null for what is left out. */
  adjustedPrice: number | null
  /** Its share in the estimate, 0 to 1, to four digits; 0 for what is left out. Together 1. */
  weight: number
  included: boolean
  exclusionReason: ExclusionReason | null
}

export interface Estimate {
  /** The sum of adjusted prices by their weights, in whole units of the currency. */
  value: number
  /** The price lies between these in `coverage` of cases. */
  low: number
  high: number
  coverage: number
  pricePerSquareMeter: number
  /** Forecast standard deviation, as a share of the value. */
  fsd: number
  /** `score`: 0 to 100, what is left of 100 after twice the fsd in percent. */
  confidence: { level: 'high' | 'medium' | 'low'; score: number }
  /** Those included first, by falling weight; then the telling ones of those left out. */
  compared: ComparedProperty[]
  /** Of all that were left out, shown or not. */
  exclusionCounts: Partial<Record<ExclusionReason, number>>
  modelVersion: string
}

/** Of a normal distribution the range of 80 % is as many standard deviations to either side. */
const deviationsInHalfRange = 1.2816

/**
 * Values a subject. `comparables`: those near it, at best the 200 nearest that are like it. Null: fewer than `comparablesMin`
 * of them can be weighed.
 *
 * Each comparable is adjusted by what its market pays for the differences; the estimate is the sum of adjusted prices by their
 * weights, which follow from how alike they are. A model that was not learnt from prices of this place is not followed.
 */
export function estimateValue(
  subject: Subject,
  comparables: Comparable[],
  marketModel: MarketModel,
  choice: Choice = { included: new Set(), excluded: new Set() },
): Estimate | null {
  const candidates = toCandidates(subject, comparables)
  const appliedModel = createValuationContext(subject, candidates, marketModel)
  const appraisal = isModelApplicable(appliedModel)
    ? appliedModel
    : createValuationContext(subject, candidates, defaultMarketModel)
  const { model, subjectPrediction } = appraisal
  const weighted = weighPlausible(appraisal, choice)
  if (!weighted) return null
  const { chosen, shares, weights, credibility } = weighted
  const included = chosen.map((candidate, nth) => ({
    ...toCompared(subject, candidate),
    ...withAdjustments(candidate, computeAdjustments(subject, candidate, credibility, model)),
    weight: weights[nth]!,
    included: true,
    exclusionReason: null,
  }))
  const value = Math.round(
    included.reduce((sum, { weight, adjustedPrice }) => sum + weight * adjustedPrice, 0),
  )
  const signals = collectSignals({
    subject: subject.characteristics,
    value: Math.log(value),
    expected: subjectPrediction.expected,
    shares,
    credibility,
    residuals: chosen.map(({ prediction }) => prediction.residual),
    gaps: chosen.map(({ gap }) => gap.expected),
    meters: chosen.map(({ meters }) => meters),
    candidateMeters: candidates.map(({ meters }) => meters),
  })
  const exclusions = toExclusions(appraisal, weighted, choice)
  return {
    value,
    ...computeRange(value, computeHalfRange(model.errors, signals, getAgeYears(included))),
    pricePerSquareMeter: Math.round((value / subject.characteristics.squareMeters) * 100) / 100,
    compared: [...included, ...selectShown(exclusions).map(one => withReason(subject, one))],
    exclusionCounts: countByReason(exclusions),
    modelVersion: model.version,
  }
}

function getAgeYears(included: ComparedProperty[]): number {
  return included.reduce((sum, { ageDays, weight }) => sum + (weight * ageDays) / daysPerYear, 0)
}

function withAdjustments({ comparable }: Candidate, adjustments: Adjustment[]) {
  return {
    adjustments,
    adjustedPrice: adjustments.reduce((sum, { amount }) => sum + amount, comparable.price),
  }
}

function withReason(subject: Subject, { candidate, reason }: Exclusion): ComparedProperty {
  const noEstimate = { adjustments: [], adjustedPrice: null, weight: 0, included: false }
  return { ...toCompared(subject, candidate), ...noEstimate, exclusionReason: reason }
}

function toCompared({ asOf }: Subject, { comparable, meters }: Candidate) {
  const ageMs = asOf.epochMilliseconds - comparable.seenAt.epochMilliseconds
  return {
    comparable,
    distanceMeters: Math.round(meters),
    ageDays: Math.max(0, Math.floor(ageMs / msPerDay)),
  }
}

function computeRange(
  value: number,
  half: number,
): Pick<Estimate, 'low' | 'high' | 'coverage' | 'fsd' | 'confidence'> {
  const fsd = Math.round((half / deviationsInHalfRange) * 1000) / 1000
  return {
    low: Math.round(value * Math.exp(-half)),
    high: Math.round(value * Math.exp(half)),
    coverage,
    fsd,
    confidence: {
      level: fsd <= 0.13 ? 'high' : fsd <= 0.2 ? 'medium' : 'low',
      score: Math.max(0, Math.round(100 - 200 * fsd)),
    },
  }
}
