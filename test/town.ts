/** A market whose model can be fitted: sales in a town. Their prices follow a formula. */

import type { Market } from '../src/features/market/market-key.ts'
import type { Database, Environment } from '../src/kit/db/index.ts'
import { fillMarket } from './market.ts'
import { makeTown } from './synthetic-market.ts'

/** Each recorded sale is a separate property. */
export const townMarket: Market = {
  operation: 'sale',
  propertyType: 'homes',
  currency: 'EUR',
  priceBasis: 'closed',
}

/** Generates `count` sales in `townMarket`, and stores them. */
export async function fillTown(database: Database, environment: Environment, count: number): Promise<void> {
  const sales = makeTown(count).map(({ id, ...facts }) => ({
    ...townMarket,
    ...facts,
    source: 'town',
    listingId: id,
  }))
  await fillMarket(database, environment, sales)
}
