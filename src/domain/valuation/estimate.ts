/** Estimates the value of a property from comparables, in a way that a person can recompute by hand. */
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
  /** Empty if the comparable is not included. */
  adjustments: Adjustment[]
  /** The price plus all adjustments: its price if it were the subject. Null if it is not included. */
  adjustedPrice: number | null
  /** Its weight in the estimate, 0 to 1, to four digits; 0 if it is not included. The weights add up to 1. */
  weight: number
  included: boolean
  exclusionReason: ExclusionReason | null
}

export interface Estimate {
  /** The weighted sum of the adjusted prices, in whole units of the currency. */
  value: number
  /** The price lies between `low` and `high` in `coverage` of cases. */
  low: number
  high: number
  coverage: number
  pricePerSquareMeter: number
  /** Forecast standard deviation, as a share of the value. */
  fsd: number
  /** `score`: 0 to 100; 100 minus twice the fsd in percent. */
  confidence: { level: 'high' | 'medium' | 'low'; score: number }
  /** The included ones by falling weight, then a selection of the others with their reason. */
  compared: ComparedProperty[]
  /** Counts all that are not included, listed or not. */
  exclusionCounts: Partial<Record<ExclusionReason, number>>
  modelVersion: string
}

/** The 80 % range of a normal distribution is this many standard deviations to either side. */
const deviationsInHalfRange = 1.2816

/**
 * Values a subject. `comparables` are those near it, ideally the 200 nearest comparable ones. Returns null if fewer
 * than `comparablesMin` of them can be weighed.
 *
 * Each comparable is adjusted by what its market pays for the differences. The estimate is the sum of the adjusted
 * prices, weighted by similarity. If the model was not fitted on prices of this place, the default model is used.
 */
export function estimateValue(
  subject: Subject,
  comparables: Comparable[],
  marketModel: MarketModel,
  choice: Choice = { included: new Set(), excluded: new Set() },
): Estimate | null {
  const candidates = toCandidates(subject, comparables)
  const marketContext = createValuationContext(subject, candidates, marketModel)
  const context = isModelApplicable(marketContext)
    ? marketContext
    : createValuationContext(subject, candidates, defaultMarketModel)
  const { model, subjectPrediction } = context
  const weighted = weighPlausible(context, choice)
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
  const exclusions = toExclusions(context, weighted, choice)
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
