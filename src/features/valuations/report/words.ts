/** The texts of valuation reports that no other document uses. A missing text in a language is a type error. */
import type { Words } from '../../../documents/words.ts'
import type { Factor } from '../../../domain/valuation/adjustments.ts'
import type { Estimate, ExclusionReason } from '../../../domain/valuation/estimate.ts'
import type { Operation, PriceBasis } from '../../../domain/valuation/property.ts'
import type { ReportSection } from './schemas.ts'

/** Texts differ between asking prices and closed deals, and between sale prices and rents. */
type ByPrice<T> = Record<PriceBasis, Record<Operation, T>>

/** Parameters of functions are already formatted. */
export interface ReportWords {
  title: Record<Operation, string>
  /** Says that the report is not an official appraisal. */
  disclaimer: string
  section: Record<ReportSection, string>
  /** The label above the estimate. */
  estimated: ByPrice<string>
  /** The kind of price as the subject of a sentence: "the asking price". */
  thePrice: ByPrice<string>
  /** The heading of the column with the prices of comparables. */
  price: ByPrice<string>
  /** A sentence about the source of the prices. */
  basis: ByPrice<string>
  /** A warning with the age and month of the newest price and the median age, if no price is recent. */
  oldPrices: (newest: string, month: string, median: string) => string
  /** Follows `oldPrices`. */
  widerForAge: string
  range: (coverage: string) => string
  pricePerSquareMeter: string
  confidence: string
  confidenceLevel: Record<Estimate['confidence']['level'], string>
  valuedOn: string
  issuedOn: string
  thisProperty: string
  column: {
    /** The date when a listing was last seen, or when a deal was closed. */
    seen: Record<PriceBasis, string>
    distance: string
    area: string
    characteristics: string
    adjustedPrice: string
    weight: string
    /** The adjusted price times its weight. */
    share: string
  }
  factor: Record<Factor, string>
  adjustmentsIntro: string
  /** Explains the column of the factor `unexplained`. */
  unexplainedIntro: string
  sum: string
  rounded: string
  scaleCaption: string
  mapCaption: string
  /** Explains the arrows of comparables outside the map. */
  mapBeyond: string
  /** The label of the count axis. */
  count: Record<PriceBasis, string>
  distributionCaption: Record<PriceBasis, string>
  beyondAxis: (count: string) => string
  trendCaption: Record<PriceBasis, string>
  tooFewMonths: string
  noPrices: string

  method: {
    how: string
    counts: (used: number, considered: number) => string
    /** Says that a user chose the comparables. */
    chosen: string
    leftOut: string
    exclusion: Record<ExclusionReason, string>
    /** `price` is one of `thePrice`. */
    range: (coverage: string, price: string, low: string, high: string) => string
    currency: string
    deviation: string
    /** The label of the origin of the adjustments: `calibrated` to the market, or `uncalibrated`. */
    adjustments: string
    calibrated: (date: string) => string
    uncalibrated: string
  }
}

/** All texts of a report in one language. */
export type AllWords = Words & ReportWords
