/** Generates listings around a place, so that a property there can be valued. */
import { createRandom } from '../src/domain/random.ts'
import type { Place } from '../src/domain/valuation/property.ts'
import { type StoreCounts, storeMarketListings } from '../src/features/market/service.ts'
import type { Database, Environment } from '../src/kit/db/index.ts'

type MarketListings = Parameters<typeof storeMarketListings>[1]['listings']

/** Generates the same listings each time: flats within two kilometres, at about 4,000 per square metre. */
export function makeListingsAround(
  place: Place,
  overrides: Partial<MarketListings[number]> = {},
  count = 40,
): MarketListings {
  const random = createRandom(30)
  return Array.from({ length: count }, (_, index) => {
    const squareMeters = 60 + Math.floor(random() * 50)
    return {
      source: 'made-up',
      listingId: `${index}`,
      operation: 'sale',
      propertyType: 'homes',
      currency: 'EUR',
      priceBasis: 'asking',
      squareMeters,
      plotSquareMeters: null,
      bedrooms: 2 + (index % 3),
      bathrooms: 1 + (index % 2),
      latitude: place.latitude + (random() - 0.5) * 0.02,
      longitude: place.longitude + (random() - 0.5) * 0.02,
      condition: 'good',
      floor: index % 8,
      yearBuilt: 1950 + index,
      subtype: 'flat',
      amenities: index % 4,
      price: Math.round(squareMeters * 4000 * (0.85 + 0.3 * random())),
      seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z').add({ hours: index * 24 }),
      ...overrides,
    }
  })
}

/** Stores the listings in the market; repeated calls store them once. */
export function fillMarket(
  { unscoped }: Pick<Database, 'unscoped'>,
  environment: Environment,
  listings: MarketListings,
): Promise<StoreCounts> {
  return unscoped.transaction().execute(tx => storeMarketListings(tx, { environment, listings }))
}
