/** Reads whole markets, to fit models to them. */
import { sql } from 'kysely'
import type { Environment } from '../../kit/db/index.ts'
import { inMarketIndex, type MarketKey, matchesMarket, selectMarkets } from './market-key.ts'
import {
  type MarketComparable,
  type MarketDatabase,
  type PropertyRow,
  propertyColumns,
  toComparable,
} from './queries.ts'

/** The rows of a page. */
const pageRows = 5000

/** Reads the properties of a market in pages, those seen last first, `limit` of them at most. */
export async function* readMarket(
  tx: MarketDatabase,
  market: MarketKey,
  limit: number,
): AsyncGenerator<MarketComparable[]> {
  // `last_seen_at` is in no index, to keep its updates cheap: so all ids are sorted once, then read a page at a time.
  const { rows: ids } = await sql<{ id: string }>`
    select id from market_properties p
    where ${matchesMarket(market)} and ${inMarketIndex}
    order by last_seen_at desc, id desc limit ${limit}`.execute(tx)
  for (let offset = 0; offset < ids.length; offset += pageRows) {
    const page = ids.slice(offset, offset + pageRows).map(({ id }) => id)
    const { rows } = await sql<PropertyRow>`
      select ${propertyColumns} from unnest(${page}::uuid[]) with ordinality i (id, n)
      join market_properties p using (id) order by i.n`.execute(tx)
    yield rows.map(toComparable)
  }
}

/** Lists every market of an environment with its number of properties, the largest first. Counts stop at `countMax`. */
export async function listMarkets(
  tx: MarketDatabase,
  environment: Environment,
  countMax: number | null = null,
): Promise<(MarketKey & { properties: number })[]> {
  const { rows } = await sql<MarketKey & { properties: number }>`
    with recursive ${selectMarkets(environment)}
    select m.environment, m.operation, m.property_type as "propertyType", m.currency, m.price_basis as "priceBasis",
      (select count(*) from (
        select from market_properties p
        where (p.environment, p.operation, p.property_type, p.currency, p.price_basis)
          = (m.environment, m.operation, m.property_type, m.currency, m.price_basis) and ${inMarketIndex}
        limit ${countMax}::bigint) counted) as properties
    from markets m order by properties desc, 1, 2, 3, 4, 5`.execute(tx)
  return rows
}
