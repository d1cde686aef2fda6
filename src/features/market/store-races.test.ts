/** What becomes of the market when several bring adverts to it at once. */
import { describe, expect, test } from 'vitest'
import { advert, day, useMarket } from '../../../test/stored-market.ts'
import type { OfferedAdvert } from './advert.ts'
import { keepMarketAdverts, storeMarketAdverts } from './service.ts'

const market = useMarket()
const { store, open, properties, adverts } = market

describe('several at once', () => {
  const town = () =>
    Array.from({ length: 40 }, (_, at) =>
      advert({ latitude: 41.4 + (at % 10) / 500, longitude: 2.1 + Math.floor(at / 10) / 500, floor: at % 4 }),
    )
  const again = (some: OfferedAdvert[], source: string) => some.map(one => ({ ...one, source }))

  test('make each property once, though they bring the same in another order', async () => {
    const some = town()
    const others = Array.from({ length: 4 }, open)
    const orders = [some, some.toReversed(), again(some, 'portal_b'), again(some, 'portal_c').toReversed()]
    const stored = await Promise.all(orders.map((adverts, at) => store(adverts, 'live', others[at])))
    await Promise.all(others.map(other => other.close()))
    expect(stored.reduce((sum, { created }) => sum + created, 0)).toBe(40)
    expect(await properties()).toHaveLength(40)
    expect(await adverts()).toHaveLength(120)
  })

  test('do not fail for each other, whatever they change and keep', async () => {
    const some = town()
    await store([...some, ...again(some, 'portal_b')])
    const round = (at: number) =>
      market.database.outside.transaction().execute(async tx => {
        const mine = some.filter((_, nth) => (nth + at) % 2 === 0)
        const kept = some.filter((_, nth) => (nth + at) % 2 === 1)
        const source = at % 3 === 0 ? 'portal_a' : 'portal_b'
        const told = mine.map(one => ({ ...one, source, price: 300_000 + at, seenAt: day(1 + at) }))
        await storeMarketAdverts(tx, { environment: 'live', adverts: at % 2 ? told : told.toReversed() })
        const seen = kept.map(({ advertId }) => ({ advertId, source, seenAt: day(1 + at) }))
        await keepMarketAdverts(tx, { environment: 'live', adverts: seen })
      })
    await Promise.all(Array.from({ length: 24 }, (_, at) => round(at)))
    expect(await properties()).toHaveLength(40)
  })
})
