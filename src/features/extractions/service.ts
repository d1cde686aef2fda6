/** The interface of extractions for other features. */
export { cancel as cancelExtraction } from './completion.ts'
export { campaignExtractionEnded, campaignExtractionRetried } from './hooks.ts'
export { listPendingListings } from './pending.ts'
export { listChain } from './run-queries.ts'
export { listSearchLeads, type ResultPosition } from './search-leads.ts'
export { startCampaignExtraction } from './start.ts'
