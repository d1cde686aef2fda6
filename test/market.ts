/** A market of made-up adverts around a place, such that a property there can be valued. */
import { randomOf } from '../src/domain/random.ts'
import type { Place } from '../src/domain/valuation/property.ts'
import { type StoredAdverts, storeMarketAdverts } from '../src/features/market/service.ts'
import type { Database, Environment } from '../src/kit/db/index.ts'

type Adverts = Parameters<typeof storeMarketAdverts>[1]['adverts']

/** The same adverts each time: flats within two kilometres, of about 4,000 a square metre. */
export function advertsAround(place: Place, overrides: Partial<Adverts[number]> = {}, count = 40): Adverts {
  const random = randomOf(30)
  return Array.from({ length: count }, (_, at) => {
    const squareMeters = 60 + Math.floor(random() * 50)
    return {
      ...{ source: 'made-up', advertId: `${at}`, operation: 'sale', propertyType: 'homes', currency: 'EUR' },
      ...{
        priceBasis: 'asking',
        squareMeters,
        plotSquareMeters: null,
        bedrooms: 2 + (at % 3),
        bathrooms: 1 + (at % 2),
      },
      latitude: place.latitude + (random() - 0.5) * 0.02,
      longitude: place.longitude + (random() - 0.5) * 0.02,
      ...{ condition: 'good', floor: at % 8, yearBuilt: 1950 + at, subtype: 'flat', amenities: at % 4 },
      price: Math.round(squareMeters * 4000 * (0.85 + 0.3 * random())),
      seenAt: Temporal.Instant.from('2026-10-01T00:00:00Z').add({ hours: at * 24 }),
      ...overrides,
    }
  })
}

/** Stored once, however often it is asked for. */
export function fillMarket(
  { outside }: Pick<Database, 'outside'>,
  environment: Environment,
  adverts: Adverts,
): Promise<StoredAdverts> {
  return outside.transaction().execute(tx => storeMarketAdverts(tx, { environment, adverts }))
}
