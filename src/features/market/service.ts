/** What other features may do with the market. */
export { advertOfListing, yearsAheadMax } from './advert.ts'
export {
  type ComparablesQuery,
  comparablesById,
  countComparables,
  findComparables,
  isAnyNear,
} from './comparables.ts'
export { fitMarketOf } from './fit.ts'
export { importMarketFile, type MarketImport } from './import-file.ts'
export { skipReasons } from './import-rows.ts'
export { listKnownMarkets, listMarketFits, marketModelOf } from './models.ts'
export type { MarketComparable } from './queries.ts'
export { listMarkets } from './read-market.ts'
export { keepMarketAdverts, type StoredAdverts, storeMarketAdverts } from './store.ts'
