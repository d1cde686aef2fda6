/** The interface of leads for other features. */

export {
  leadsDeleted,
  leadsMerged,
  mergeUndone,
  repliesSeparated,
  type SeparatedReplies,
} from './hooks.ts'
export { changeIdentifiers } from './inbound/change-identifiers.ts'
export { type FormPerson, saveFormLeads } from './inbound/form-lead.ts'
export {
  createInboundLeads,
  findLeadsByIdentifiers,
  type InboundPerson,
  type Reply,
  recordReplies,
} from './inbound/inbound-lead.ts'
export { recordBooking } from './inbound/record-booking.ts'
export { listLeads } from './list/lead-list.ts'
export { findPhoneDigits, toLeadQuery } from './list/lead-search.ts'
export {
  findKnownSources,
  markListingsSeen,
  type PortalListing,
  type SourceState,
  withdrawListings,
} from './listings/lead-sources.ts'
export { type ListingBatch, type StoredListing, storeListings } from './listings/store-listings.ts'
export { assertLead, findLeads } from './queries.ts'
export { leadsPerMonth, readLeadQuota } from './quotas.ts'
export { emitImportedChanges } from './record/emit-updates.ts'
export { type CustomValue, type LeadInput, parseInputIdentifiers } from './record/lead-input.ts'
export { recordContacts } from './record/record-contacts.ts'
export { getWorkspaceLocale } from './record/workspace-locale.ts'
export { parseFields } from './selected-fields.ts'
export { changeCustomFields } from './writing/custom-fields.ts'
export {
  addNotes,
  deleteImportedNotes,
  recordImportedBases,
  recordMissingBases,
  removeBases,
} from './writing/notes-and-bases.ts'
export { type PreparedLead, prepareLead, type SavedLead, saveLeads } from './writing/save-leads.ts'
export { deleteImportSources, type ImportWrite, type UndoResult, undoWrites } from './writing/undo-writes.ts'
