/** The interface of lead ads for other features. */
export { type Ads, createAds } from './ad-connections.ts'
export { findForms } from './forms.ts'
export { adLeadsTaken, assignAdLeads } from './hooks.ts'
export { findAdLead, listTakenAdLeads } from './lead-queries.ts'
export { findConnections } from './queries.ts'
export { storeNotices } from './webhook/store-notices.ts'
