/** A request for a valuation, and the market query for its comparables. */
import type { Operation, PropertyType } from '../../domain/valuation/property.ts'
import type { Environment } from '../../kit/db/index.ts'
import type { ComparablesQuery, MarketComparable } from '../market/service.ts'
import type { Subject } from './property-schemas.ts'
import type { Area } from './subject.ts'

export interface ValuationRequest {
  environment: Environment
  operation: Operation
  propertyType: PropertyType
  subject: Subject
  area: Area
  asOf: Temporal.Instant
  /** Ids in lower case. */
  included: string[]
  excluded: string[]
}

/** The currency and basis of a price; an estimate never mixes two of them. */
export type PriceKind = Pick<MarketComparable, 'currency' | 'priceBasis'>

/** The market query for similar properties, without an area. */
export function toComparablesQuery({
  environment,
  operation,
  propertyType,
  subject: { latitude, longitude, squareMeters, bedrooms },
}: Pick<ValuationRequest, 'environment' | 'operation' | 'propertyType' | 'subject'>): Omit<
  ComparablesQuery,
  'area' | 'limit'
> {
  return { environment, operation, propertyType, latitude, longitude, squareMeters, bedrooms }
}
