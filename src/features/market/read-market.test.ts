/** Markets are listed, and their properties are read in pages. */
import { expect, test } from 'vitest'
import { makeListings, prepareLargeMarket } from '../../../test/large-market.ts'
import { readMarket } from './read-market.ts'
import { listMarkets, type MarketComparable } from './service.ts'

const market = { operation: 'sale', propertyType: 'homes', currency: 'EUR', priceBasis: 'asking' } as const

const stored = prepareLargeMarket(() => makeListings(6500))
const { read } = stored

test('a market is read in pages, those seen last first', async () => {
  const key = { ...market, environment: 'live' } as const
  const pages = await read(async tx => {
    const pages: MarketComparable[][] = []
    for await (const page of readMarket(tx, key, 5100)) pages.push(page)
    return pages
  })
  expect(pages.map(page => page.length)).toEqual([5000, 100])
  const expected = stored.all
    .filter(one => one.environment === 'live' && one.currency === 'EUR' && one.priceBasis === 'asking')
    .sort((a, b) => Temporal.Instant.compare(b.seenAt, a.seenAt) || (a.id < b.id ? 1 : -1))
  expect(pages.flat().map(({ id }) => id)).toEqual(expected.slice(0, 5100).map(({ id }) => id))
})

test('the markets of an environment are listed with their number of properties, the largest first', async () => {
  const names = ['environment', 'operation', 'propertyType', 'currency', 'priceBasis'] as const
  for (const environment of ['live', 'test'] as const) {
    const byName = Object.groupBy(
      stored.all.filter(one => one.environment === environment),
      one => names.map(name => one[name]).join(' '),
    )
    const expected = Object.entries(byName).map(([name, ones]) => [name, ones!.length] as const)
    const markets = await read(tx => listMarkets(tx, environment))
    expect(markets.map(one => [names.map(name => one[name]).join(' '), one.properties])).toEqual(
      expected.sort(([, a], [, b]) => b - a),
    )
  }
})

test('the properties of a market are counted up to the given maximum', async () => {
  const markets = await read(tx => listMarkets(tx, 'live', 500))
  expect(markets.map(({ properties }) => properties)).toEqual([500, 500, 500, expect.any(Number)])
  expect(markets[3]!.properties).toBeLessThan(500)
})
