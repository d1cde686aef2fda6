/** The market, for other features. */

export {
  type ComparablesQuery,
  countComparables,
  findComparables,
  findComparablesById,
  hasPropertyNear,
} from './comparables.ts'
export { fitAndStoreMarket } from './fit.ts'
export { importMarketFile, type MarketImport } from './import-file.ts'
export { skipReasons } from './import-rows.ts'
export { toSourceListing, yearsAheadMax } from './market-listing.ts'
export { getMarketModel, listKnownMarkets, listMarketFits } from './models.ts'
export type { MarketComparable } from './queries.ts'
export { listMarkets } from './read-market.ts'
export { recordListingsSeen, type StoreCounts, storeMarketListings } from './store.ts'
