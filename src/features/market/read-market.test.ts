/** What markets there are, and what is in them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, testEncryptionKey } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { fillMarkets, madeUpAdverts, type StoredProperty } from '../../../test/many-adverts.ts'
import { type Database, openDatabase, type Tx } from '../../kit/db/index.ts'
import { deriveHashPads } from '../../kit/identifier-hash.ts'
import { readMarket } from './read-market.ts'
import { listMarkets, type MarketComparable } from './service.ts'

const market = { operation: 'sale', propertyType: 'homes', currency: 'EUR', priceBasis: 'asking' } as const

let database: Database
let tenantId: string
let all: StoredProperty[]
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), {
    hashPads: deriveHashPads(testEncryptionKey),
    onError: () => {},
  })
  tenantId = (await makeWorkspace(database)).liveTenantId
  all = await fillMarkets(database, madeUpAdverts(6500))
}, 120_000)
afterAll(() => database.close())

const read = <T>(work: (tx: Tx) => Promise<T>) => database.readTenant({ tenantId }, work)

test('a market is read in pages, those seen last first', async () => {
  const key = { ...market, environment: 'live' } as const
  const pages = await read(async tx => {
    const pages: MarketComparable[][] = []
    for await (const page of readMarket(tx, key, 5100)) pages.push(page)
    return pages
  })
  expect(pages.map(page => page.length)).toEqual([5000, 100])
  const expected = all
    .filter(one => one.environment === 'live' && one.currency === 'EUR' && one.priceBasis === 'asking')
    .sort((a, b) => Temporal.Instant.compare(b.seenAt, a.seenAt) || (a.id < b.id ? 1 : -1))
  expect(pages.flat().map(({ id }) => id)).toEqual(expected.slice(0, 5100).map(({ id }) => id))
})

test('markets are told with how many properties each has', async () => {
  const markets = await read(listMarkets)
  expect(markets[0]).toMatchObject({ ...market, environment: 'live' })
  expect(markets.reduce((sum, { properties }) => sum + properties, 0)).toBe(all.length)
  expect(markets.filter(({ environment }) => environment === 'live')).toHaveLength(4)
})
