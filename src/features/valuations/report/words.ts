/** All words of a report. A language is one file of `words/`; a word that it lacks does not compile. */
import type { Factor } from '../../../domain/valuation/adjustments.ts'
import type { Estimate, ExclusionReason } from '../../../domain/valuation/estimate.ts'
import type {
  Amenity,
  Condition,
  Operation,
  PriceBasis,
  PropertyType,
} from '../../../domain/valuation/property.ts'
import type { ReportSection } from './schemas.ts'

/** Kinds of homes that sources name in the same way; any other is printed as the source has it. */
export type KnownSubtype =
  | 'flat'
  | 'duplex'
  | 'studio'
  | 'penthouse'
  | 'house'
  | 'blockOfFlats'
  | 'tenement'
  | 'apartmentBuilding'

/** What was asked and what was paid have other words, and so have prices and rents. */
type OfPrice<T> = Record<PriceBasis, Record<Operation, T>>

/** Texts in parameters are formatted already. */
export interface Words {
  /** BCP 47: of numbers and dates. */
  locale: string
  title: Record<Operation, string>
  /** That this is no official appraisal. */
  disclaimer: string
  section: Record<ReportSection, string>
  /** Above the estimate. */
  estimated: OfPrice<string>
  /** As the subject of a sentence: the asking price. */
  thePrice: OfPrice<string>
  /** Of a column with the prices of others. */
  price: OfPrice<string>
  /** Where the prices come from, in a sentence. */
  basis: OfPrice<string>
  /** How old the newest price is and of which month, and what half of them are at least, where none is recent. */
  oldPrices: (newest: string, month: string, median: string) => string
  /** Goes on after `oldPrices`. */
  widerForAge: string
  perMonth: (money: string) => string
  range: (coverage: string) => string
  pricePerSquareMeter: string
  confidence: string
  confidenceLevel: Record<Estimate['confidence']['level'], string>
  valuedOn: string
  issuedOn: string
  /** Page 2 of 4. */
  page: (page: string, pages: string) => string

  facts: {
    heading: string
    address: string
    operation: string
    propertyType: string
    subtype: string
    area: string
    plot: string
    bedrooms: string
    bathrooms: string
    condition: string
    floor: string
    yearBuilt: string
    amenities: string
  }
  operation: Record<Operation, string>
  propertyType: Record<PropertyType, string>
  subtype: Record<KnownSubtype, string>
  condition: Record<Condition, string>
  amenity: Record<Amenity, string>
  studio: string
  groundFloor: string
  mezzanine: string
  belowGround: string
  /** Shortly, one after another in a table. */
  short: {
    bedrooms: (count: number) => string
    bathrooms: (count: number, text: string) => string
    floor: (floor: number) => string
    yearBuilt: (year: string) => string
    plot: (area: string) => string
  }
  yes: string
  no: string

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
