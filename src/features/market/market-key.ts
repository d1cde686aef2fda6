/** Markets: groups of properties whose prices can be compared. */
import { type RawBuilder, sql } from 'kysely'
import type { Operation, PriceBasis, PropertyType } from '../../domain/valuation/property.ts'
import type { Environment } from '../../kit/db/index.ts'

/** A market. Prices of different markets are never compared. */
export interface Market {
  operation: Operation
  propertyType: PropertyType
  /** ISO 4217. */
  currency: string
  priceBasis: PriceBasis
}

export type MarketKey = Market & { environment: Environment }

/** A text that is unique for each market of an environment. */
export function formatMarketKey({ operation, propertyType, currency, priceBasis }: Market): string {
  return [operation, propertyType, currency, priceBasis].join(' ')
}

/** SQL: true if a row belongs to this market. */
export function matchesMarket(market: MarketKey): RawBuilder<boolean> {
  const { environment, operation, propertyType, currency, priceBasis } = market
  return sql`environment = ${environment} and operation = ${operation} and property_type = ${propertyType}
    and currency = ${currency} and price_basis = ${priceBasis}`
}

/** SQL: true for every property `p`. The condition of the partial index `market_properties_market`, which queries must repeat. */
export const inMarketIndex = sql`p.latitude >= -90`

/**
 * SQL: the common table expression `markets` of a recursive query, with the key of every market of an environment. It skips
 * from one key to the next in the index, because each market may have a million properties.
 */
export function selectMarkets(environment: Environment): RawBuilder<unknown> {
  return sql`
    markets as (
      (select environment, operation, property_type, currency, price_basis from market_properties p
       where environment = ${environment} and ${inMarketIndex} order by 1, 2, 3, 4, 5 limit 1)
      union all
      select next.* from markets m cross join lateral (
        select p.environment, p.operation, p.property_type, p.currency, p.price_basis from market_properties p
        where p.environment = m.environment and ${inMarketIndex}
          and (p.operation, p.property_type, p.currency, p.price_basis) > (m.operation, m.property_type, m.currency, m.price_basis)
        order by 1, 2, 3, 4, 5 limit 1) next
    )`
}
