/** The words of a report that no other document needs. A word that a language lacks does not compile. */
import type { Words } from '../../../documents/words.ts'
import type { Factor } from '../../../domain/valuation/adjustments.ts'
import type { Estimate, ExclusionReason } from '../../../domain/valuation/estimate.ts'
import type { Operation, PriceBasis } from '../../../domain/valuation/property.ts'
import type { ReportSection } from './schemas.ts'

/** What was asked and what was paid have other words, and so have prices and rents. */
type ByPrice<T> = Record<PriceBasis, Record<Operation, T>>

/** Texts in parameters are formatted already. */
export interface ReportWords {
  title: Record<Operation, string>
  /** That this is no official appraisal. */
  disclaimer: string
  section: Record<ReportSection, string>
  /** Above the estimate. */
  estimated: ByPrice<string>
  /** As the subject of a sentence: the asking price. */
  thePrice: ByPrice<string>
  /** Of a column with the prices of others. */
  price: ByPrice<string>
  /** Where the prices come from, in a sentence. */
  basis: ByPrice<string>
  /** How old the newest price is and of which month, and what half of them are at least, where none is recent. */
  oldPrices: (newest: string, month: string, median: string) => string
  /** Goes on after `oldPrices`. */
  widerForAge: string
  range: (coverage: string) => string
  pricePerSquareMeter: string
  confidence: string
  confidenceLevel: Record<Estimate['confidence']['level'], string>
  valuedOn: string
  issuedOn: string
  thisProperty: string
  column: {
    /** When an advert was last seen, or when a sale was closed. */
    seen: Record<PriceBasis, string>
    distance: string
    area: string
    characteristics: string
    adjustedPrice: string
    weight: string
    /** The adjusted price by its weight. */
    share: string
  }
  factor: Record<Factor, string>
  adjustmentsIntro: string
  /** Where a column is of what no fact explains. */
  unexplainedIntro: string
  sum: string
  rounded: string
  scaleCaption: string
  mapCaption: string
  /** Some pins are beyond the frame. */
  mapBeyond: string
  /** Above the axis of counts. */
  count: Record<PriceBasis, string>
  distributionCaption: Record<PriceBasis, string>
  beyondAxis: (count: string) => string
  trendCaption: Record<PriceBasis, string>
  tooFewMonths: string
  noPrices: string

  method: {
    how: string
    counts: (used: number, considered: number) => string
    /** That a person chose those that count. */
    chosen: string
    leftOut: string
    exclusion: Record<ExclusionReason, string>
    /** `price` is `thePrice`. */
    range: (coverage: string, price: string, low: string, high: string) => string
    currency: string
    deviation: string
    /** What the adjustments are: learnt from the market, or the `usual` ones. */
    adjustments: string
    calibrated: (date: string) => string
    usual: string
  }
}

/** All words of a report in one language. */
export type AllWords = Words & ReportWords
