/** What other features may do with leads. */

export {
  type IdentifiedListing,
  keepListings,
  lookUpSources,
  type SourceTrace,
  withdrawListings,
} from './adverts/lead-sources.ts'
export { type ListingBatch, type StoredListing, storeListings } from './adverts/store-listings.ts'
export { leadsDeleted, leadsMerged, mergeUndone } from './hooks.ts'
export { listLeads } from './list/lead-list.ts'
export { leadsPerMonth } from './quotas.ts'
export { getHome } from './record/home.ts'
export { type CustomValue, identifiersIn, type LeadDraft } from './record/lead-draft.ts'
export { tellImported } from './record/lead-updates.ts'
export {
  addBases,
  addNotes,
  takeBackNotes,
} from './writing/import-additions.ts'
export { type FreshLead, readFresh, type SavedDraft, saveDrafts } from './writing/save-leads.ts'
export { forgetSources, type UndoneDraft, undoDrafts, type WrittenDraft } from './writing/undo-drafts.ts'
