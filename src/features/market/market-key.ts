/** Which market a property is of. */
import { type RawBuilder, sql } from 'kysely'
import type { Operation, PriceBasis, PropertyType } from '../../domain/valuation/property.ts'
import type { Environment } from '../../kit/db/index.ts'

/** Prices of two of them are never compared. */
export interface Market {
  operation: Operation
  propertyType: PropertyType
  /** ISO 4217. */
  currency: string
  priceBasis: PriceBasis
}

export type MarketOf = Market & { environment: Environment }

/** Another for each. */
export function marketNameOf({ operation, propertyType, currency, priceBasis }: Market): string {
  return [operation, propertyType, currency, priceBasis].join(' ')
}

/** Whether a row is of this market. */
export function isMarket(market: MarketOf): RawBuilder<boolean> {
  const { environment, operation, propertyType, currency, priceBasis } = market
  return sql`environment = ${environment} and operation = ${operation} and property_type = ${propertyType}
    and currency = ${currency} and price_basis = ${priceBasis}`
}
