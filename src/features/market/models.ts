/** The fitted models of markets: stored as rows, and cached in memory. */

import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Accuracy } from '../../domain/valuation/accuracy.ts'
import type { FittedMarket } from '../../domain/valuation/fit-market.ts'
import { defaultMarketModel, type MarketModel, modelForm } from '../../domain/valuation/market-model.ts'
import { sqlMachineNow } from '../../kit/clock/clock.ts'
import type { Environment } from '../../kit/db/index.ts'
import { sanitizeJson } from '../../kit/sanitize-text.ts'
import { formatMarketKey, inMarketIndex, type MarketKey, matchesMarket, selectMarkets } from './market-key.ts'
import type { MarketDatabase } from './queries.ts'

export interface MarketFit {
  fittedAt: Date
  modelVersion: string
  /** The number of properties that the model was fitted to. */
  properties: number
  accuracy: Accuracy
}

/** A model has a few megabytes; the least recently used one leaves the cache first. */
const modelCacheMax = 20
const modelCache = new Map<string, MarketModel>()

/** The prefix of the versions that this release can use. */
const versionPrefix = `${modelForm}-`

/** Returns the newest model of a market; the default model if there is none, or it was fitted by an incompatible release. */
export async function getMarketModel(tx: MarketDatabase, market: MarketKey): Promise<MarketModel> {
  const { rows } = await sql<{ version: string }>`
    select version from market_models where ${matchesMarket(market)}`.execute(tx)
  const version = rows[0]?.version
  if (!version?.startsWith(versionPrefix)) return defaultMarketModel
  const key = `${market.environment} ${formatMarketKey(market)} ${version}`
  const known = modelCache.get(key)
  if (known) {
    modelCache.delete(key)
    modelCache.set(key, known)
    return known
  }
  const { rows: bodies } = await sql<{ body: Buffer }>`
    select body from market_models where ${matchesMarket(market)} and version = ${version}`.execute(tx)
  // A newer model replaced this one between the two queries.
  if (!bodies[0]) return getMarketModel(tx, market)
  const model = deserialize(zstdDecompressSync(bodies[0].body)) as MarketModel
  modelCache.set(key, model)
  if (modelCache.size > modelCacheMax) modelCache.delete(modelCache.keys().next().value!)
  return model
}

export async function storeMarketModel(
  tx: MarketDatabase,
  market: MarketKey,
  properties: number,
  { model, accuracy }: FittedMarket,
): Promise<void> {
  const { environment, operation, propertyType, currency, priceBasis } = market
  await sql`
    insert into market_models
      (environment, operation, property_type, currency, price_basis, version, fitted_at, properties, accuracy, body)
    values (${environment}, ${operation}, ${propertyType}, ${currency}, ${priceBasis}, ${model.version}, ${sqlMachineNow}, ${properties},
      ${sanitizeJson(accuracy)}, ${zstdCompressSync(serialize(model))})
    on conflict (environment, operation, property_type, currency, price_basis) do update
      set version = excluded.version, fitted_at = excluded.fitted_at, properties = excluded.properties,
        accuracy = excluded.accuracy, body = excluded.body`.execute(tx)
}

/** Lists the fits of an environment, those with the most properties first; without models that this release can't use. */
export async function listMarketFits(
  tx: MarketDatabase,
  environment: Environment,
): Promise<(MarketKey & MarketFit)[]> {
  const { rows } = await sql<MarketKey & MarketFit>`
    select environment, operation, property_type as "propertyType", currency, price_basis as "priceBasis",
      fitted_at as "fittedAt", version as "modelVersion", properties, accuracy
    from market_models where environment = ${environment} and starts_with(version, ${versionPrefix})
    order by properties desc, 1, 2, 3, 4, 5`.execute(tx)
  return rows
}

/** A market with its last fit. All fields of the fit are null if there is none. */
export type KnownMarket = MarketKey & { properties: number } & (
    | Omit<MarketFit, 'properties'>
    | { fittedAt: null; modelVersion: null; accuracy: null }
  )

/**
 * Lists every market of an environment, those with the most properties first. `properties`: how many the model was fitted
 * to; without a model, how many there are.
 */
export async function listKnownMarkets(tx: MarketDatabase, environment: Environment): Promise<KnownMarket[]> {
  const { rows } = await sql<KnownMarket>`
    with recursive ${selectMarkets(environment)}
    select m.environment, m.operation, m.property_type as "propertyType", m.currency, m.price_basis as "priceBasis",
      f.fitted_at as "fittedAt", f.version as "modelVersion", f.accuracy,
      coalesce(f.properties, (
        select count(*) from market_properties p
        where (p.environment, p.operation, p.property_type, p.currency, p.price_basis)
          = (m.environment, m.operation, m.property_type, m.currency, m.price_basis) and ${inMarketIndex})) as properties
    from markets m left join (select * from market_models where starts_with(version, ${versionPrefix})) f
      using (environment, operation, property_type, currency, price_basis)
    order by properties desc, 1, 2, 3, 4, 5`.execute(tx)
  return rows
}
