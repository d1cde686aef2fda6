/** The input of a report. It is complete: rendering reads nothing else. */
import type { Branding } from '../../../documents/document.ts'
import type { Streets } from '../../../documents/map/streets.ts'
import type { Estimate } from '../../../domain/valuation/estimate.ts'
import type {
  Characteristics,
  Operation,
  PriceBasis,
  PropertyType,
} from '../../../domain/valuation/property.ts'
import type { ReportConfig } from './schemas.ts'

export interface ValuationReport {
  /** The agency's name for the valuation. */
  name: string | null
  address: string | null
  subject: Characteristics
  /** Amenities in free text, which earlier versions accepted. */
  otherAmenities: string[]
  operation: Operation
  propertyType: PropertyType
  /** ISO 4217. */
  currency: string
  priceBasis: PriceBasis
  estimate: Estimate
  /** The number of comparables considered; `estimate` lists only some of those left out. */
  considered: number
  /** The date of the value. */
  asOf: Temporal.Instant
  issuedAt: Temporal.Instant
  /** The time zone of printed dates, an IANA name. */
  timezone: string
  branding: Branding
  config: ReportConfig
  /** The prices of the surrounding market for the charts; null: use the compared properties. */
  market: MarketPoint[] | null
  /** Of `findMapView`; null: the map shows distances only. */
  streets: Streets | null
}

export interface MarketPoint {
  /** In units of the currency, with decimals; for rent, per month. */
  pricePerSquareMeter: number
  seenAt: Temporal.Instant
}
