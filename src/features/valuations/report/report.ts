/** What a report is made of: everything that is printed is in here, and nothing is looked up. */
import type { Branding } from '../../../documents/document.ts'
import type { Estimate } from '../../../domain/valuation/estimate.ts'
import type {
  Characteristics,
  Operation,
  PriceBasis,
  PropertyType,
} from '../../../domain/valuation/property.ts'
import type { ReportConfig } from './schemas.ts'

export interface ValuationReport {
  /** What the agency calls it. */
  name: string | null
  address: string | null
  subject: Characteristics
  /** What else is there, in the words of whoever ordered the valuation. */
  otherAmenities: string[]
  operation: Operation
  propertyType: PropertyType
  /** ISO 4217. */
  currency: string
  priceBasis: PriceBasis
  estimate: Estimate
  /** How many comparables were looked at: `estimate` shows only the first of those that were left out. */
  considered: number
  /** The moment that the value is for. */
  asOf: Temporal.Instant
  issuedAt: Temporal.Instant
  /** IANA; in which dates are printed. */
  timezone: string
  branding: Branding
  config: ReportConfig
  /** Prices of the market around, for the plots; null: those of the compared properties. */
  market: MarketPoint[] | null
}

export interface MarketPoint {
  /** Whole units of the currency or parts of them; for rent, per month. */
  pricePerSquareMeter: number
  seenAt: Temporal.Instant
}
