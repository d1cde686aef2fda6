/** The interface of privacy for other features: contactability, erased people, opt-outs, erasure and its hooks. */

export { assertContactable, checkContacts, notContactable, previewContacts } from './assert-contactable.ts'
export { contactFacts, createContactabilityFormatter } from './contactability.ts'
export { contactableCondition, notContactableCandidates } from './contactable-condition.ts'
export { containsAny } from './contains-any.ts'
export { erasePeople } from './erasure.ts'
export {
  deleteLeadsOfPeople,
  type ErasedPeople,
  eraseHistory,
  eraseMessages,
  erasePersonData,
  peopleOptedIn,
  peopleOptedOut,
  type Traces,
} from './hooks.ts'
export { normalizeBasis, type StoredBasis, validateBasis } from './lawful-basis.ts'
export { acceptMarketing, refuseMarketing } from './marketing.ts'
export { copyRefusals, optIn, optOut } from './opt-outs.ts'
export { findLeadsOfPeople, isProfessional, toIdentifier } from './person.ts'
export { findMergeTree, formerLeadsTable, mergeTreeCte, personColumns } from './related-leads.ts'
export { retentionMonths } from './settings.ts'
export {
  findErased,
  findSuppressions,
  hasErased,
  listingIdentifier,
  markSuppressedAmong,
} from './suppression-list.ts'
