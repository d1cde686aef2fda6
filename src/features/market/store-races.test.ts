/** Concurrent writers of the market. */
import { describe, expect, test } from 'vitest'
import { day, makeListing, prepareMarket } from '../../../test/stored-market.ts'
import type { SourceListing } from './market-listing.ts'
import { recordListingsSeen, storeMarketListings } from './service.ts'

const market = prepareMarket()
const { store, openAnother, readProperties, readListings } = market

describe('concurrent writers', () => {
  const town = () =>
    Array.from({ length: 40 }, (_, index) =>
      makeListing({
        latitude: 41.4 + (index % 10) / 500,
        longitude: 2.1 + Math.floor(index / 10) / 500,
        floor: index % 4,
      }),
    )
  const copyTo = (townListings: SourceListing[], source: string) =>
    townListings.map(one => ({ ...one, source }))

  test('create each property once, even if they store the same listings in another order', async () => {
    const townListings = town()
    const others = Array.from({ length: 4 }, openAnother)
    const orders = [
      townListings,
      townListings.toReversed(),
      copyTo(townListings, 'portal_b'),
      copyTo(townListings, 'portal_c').toReversed(),
    ]
    const stored = await Promise.all(orders.map((listings, index) => store(listings, 'live', others[index])))
    await Promise.all(others.map(other => other.close()))
    expect(stored.reduce((sum, { created }) => sum + created, 0)).toBe(40)
    expect(await readProperties()).toHaveLength(40)
    expect(await readListings()).toHaveLength(120)
  })

  test('do not make each other fail, in any mix of changes', async () => {
    const townListings = town()
    await store([...townListings, ...copyTo(townListings, 'portal_b')])
    const round = (index: number) =>
      market.database.unscoped.transaction().execute(async tx => {
        const updated = townListings.filter((_, nth) => (nth + index) % 2 === 0)
        const seenAgain = townListings.filter((_, nth) => (nth + index) % 2 === 1)
        const source = index % 3 === 0 ? 'portal_a' : 'portal_b'
        const batch = updated.map(one => ({ ...one, source, price: 300_000 + index, seenAt: day(1 + index) }))
        await storeMarketListings(tx, {
          environment: 'live',
          listings: index % 2 ? batch : batch.toReversed(),
        })
        const seen = seenAgain.map(({ listingId }) => ({ listingId, source, seenAt: day(1 + index) }))
        await recordListingsSeen(tx, { environment: 'live', listings: seen })
      })
    await Promise.all(Array.from({ length: 24 }, (_, index) => round(index)))
    expect(await readProperties()).toHaveLength(40)
  })
})
