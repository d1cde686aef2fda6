/** The models of markets: unchanged by the database, and always the newest. */
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makeTown } from '../../../test/synthetic-market.ts'
import type { FittedMarket } from '../../domain/valuation/fit-market.ts'
import { defaultMarketModel, type MarketModel, modelForm } from '../../domain/valuation/market-model.ts'
import { predictComparables } from '../../domain/valuation/predictions.ts'
import { fitPriceModel } from '../../domain/valuation/price-model.ts'
import { type Database, openDatabase } from '../../kit/db/index.ts'
import type { MarketKey } from './market-key.ts'
import { getMarketModel, listKnownMarkets, storeMarketModel } from './models.ts'

const market: MarketKey = {
  environment: 'live',
  operation: 'sale',
  propertyType: 'homes',
  currency: 'EUR',
  priceBasis: 'asking',
}
const town = makeTown(150)
const prices = fitPriceModel(town)
const accuracy: FittedMarket['accuracy'] = {
  count: 40,
  medianRatio: 1.0123456789,
  cod: 12.5,
  prd: 1.01,
  mdape: 9.75,
  mdapeError: 0.5,
  within5: 0.25,
  within10: 0.5,
  within20: 0.8,
  intervalCoverage: 0.79,
  medianHalfWidth: 17,
}

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), {
    identifierKey: testIdentifierKey,
    onError: () => {},
  })
})
afterAll(() => database.close())
beforeEach(() => sql`truncate market_models`.execute(database.owner))

const makeModel = (name: string): MarketModel => ({
  ...defaultMarketModel,
  prices,
  version: `${modelForm}-${name}`,
})
const store = (model: MarketModel, key = market) =>
  storeMarketModel(database.unscoped, key, 150, { model, accuracy })
const readModel = () => getMarketModel(database.unscoped, market)

test('a model from the database equals the stored one, to the last bit of every value', async () => {
  const model = makeModel('bits')
  await store(model)
  const read = await readModel()
  expect(read).toEqual(model)
  expect(read).not.toBe(model)
  expect(predictComparables(read.prices, town)).toEqual(predictComparables(prices, town))
})

test('without a model, or with one of another form, the default model is used', async () => {
  expect(await readModel()).toBe(defaultMarketModel)
  await store({ ...makeModel('x'), version: 'comparables-0-x' })
  expect(await readModel()).toBe(defaultMarketModel)
  await store({ ...makeModel('x'), version: `${modelForm}0-x` })
  expect(await readModel()).toBe(defaultMarketModel)
})

test('each market has its own model', async () => {
  await store(makeModel('ours'))
  for (const other of [
    { environment: 'test' },
    { operation: 'rent' },
    { propertyType: 'garages' },
    { currency: 'USD' },
    { priceBasis: 'closed' },
  ] as const)
    expect(await getMarketModel(database.unscoped, { ...market, ...other })).toBe(defaultMarketModel)
})

test('the newest model is used as soon as it is stored, and is read once', async () => {
  await store(makeModel('first'))
  const first = await readModel()
  await store(makeModel('second'))
  const second = await readModel()
  expect([first.version, second.version]).toEqual([`${modelForm}-first`, `${modelForm}-second`])
  expect(await readModel()).toBe(second)
})

test('a model that is stored while the previous one is being read is used', async () => {
  await store(makeModel('before'))
  let results = 0
  const between: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // Between the query of the version and the query of the body.
      if (++results === 1) await store(makeModel('between'))
      return result
    },
  }
  const { version } = await getMarketModel(database.unscoped.withPlugin(between), market)
  expect(version).toBe(`${modelForm}-between`)
})

test('if several models are stored concurrently, one is stored completely', async () => {
  const models = Array.from({ length: 6 }, (_, index) => makeModel(`at once ${index}`))
  await Promise.all(models.map(model => store(model)))
  const { version } = await readModel()
  expect(models.map(model => model.version)).toContain(version)
})

test('markets are listed with their fits, or with their number of properties', async () => {
  const place = { latitude: 41.39, longitude: 2.16 }
  const fill = (
    environment: 'live' | 'test',
    overrides: Parameters<typeof makeListingsAround>[1],
    count: number,
  ) =>
    fillMarket(database, environment, makeListingsAround(place, { source: 'made-up', ...overrides }, count))
  await fill('live', {}, 3)
  await fill('live', { priceBasis: 'closed', source: 'sold' }, 5)
  await fill('live', { currency: 'USD', source: 'dollars' }, 7)
  await fill('live', { operation: 'rent', price: 900, source: 'rents' }, 2)
  await fill('test', { propertyType: 'garages', source: 'garages' }, 1)
  await store(makeModel('fitted'))
  const none = { fittedAt: null, modelVersion: null, accuracy: null }
  const fit = { fittedAt: expect.any(Date), modelVersion: `${modelForm}-fitted`, accuracy }
  expect(await listKnownMarkets(database.unscoped, 'live')).toEqual([
    { ...market, ...fit, properties: 150 },
    { ...market, ...none, currency: 'USD', properties: 7 },
    { ...market, ...none, priceBasis: 'closed', properties: 5 },
    { ...market, ...none, operation: 'rent', properties: 2 },
  ])
  expect(await listKnownMarkets(database.unscoped, 'test')).toMatchObject([{ propertyType: 'garages' }])
})
