/** All that is known of a market, for whoever learns from it how prices come about. */
import { sql } from 'kysely'
import type { Environment } from '../../kit/db/index.ts'
import { inNames, isMarket, type MarketOf, marketNames } from './market-key.ts'
import {
  type MarketComparable,
  type MarketDatabase,
  type PropertyRow,
  propertyColumns,
  toComparable,
} from './queries.ts'

/** Read at a time. */
const pageRows = 5000

/** Properties of a market, in pages: those seen last come first, `limit` of them at most. */
export async function* readMarket(
  tx: MarketDatabase,
  market: MarketOf,
  limit: number,
): AsyncGenerator<MarketComparable[]> {
  // When each was seen is in no index, lest seeing it again be costly: all ids are sorted once, and read a page at a time.
  const { rows: ids } = await sql<{ id: string }>`
    select id from market_properties p
    where ${isMarket(market)} and ${inNames}
    order by last_seen_at desc, id desc limit ${limit}`.execute(tx)
  for (let at = 0; at < ids.length; at += pageRows) {
    const page = ids.slice(at, at + pageRows).map(({ id }) => id)
    const { rows } = await sql<PropertyRow>`
      select ${propertyColumns} from unnest(${page}::uuid[]) with ordinality i (id, n)
      join market_properties p using (id) order by i.n`.execute(tx)
    yield rows.map(toComparable)
  }
}

/** Every market of an environment, and how many properties it has, counted up to `countMax`; the largest first. */
export async function listMarkets(
  tx: MarketDatabase,
  environment: Environment,
  countMax: number | null = null,
): Promise<(MarketOf & { properties: number })[]> {
  const { rows } = await sql<MarketOf & { properties: number }>`
    with recursive ${marketNames(environment)}
    select m.environment, m.operation, m.property_type as "propertyType", m.currency, m.price_basis as "priceBasis",
      (select count(*) from (
        select from market_properties p
        where (p.environment, p.operation, p.property_type, p.currency, p.price_basis)
          = (m.environment, m.operation, m.property_type, m.currency, m.price_basis) and ${inNames}
        limit ${countMax}::bigint) counted) as properties
    from markets m order by properties desc, 1, 2, 3, 4, 5`.execute(tx)
  return rows
}
