/** The source `social_ads`: people who submit forms of lead ads. */
import { on } from '../../../kit/hook.ts'
import { adLeadsTaken, assignAdLeads } from '../../ads/service.ts'
import type { FeaturePart } from '../parts.ts'
import { findCampaignsOfForms, joinAdLeads } from './ad-leads.ts'
import { joinEarlierJob, joinWhenStarted } from './join-earlier.ts'

export const adParts: FeaturePart = {
  hooks: [on(assignAdLeads, findCampaignsOfForms), on(adLeadsTaken, joinAdLeads)],
  subscribers: [joinWhenStarted],
  jobs: [joinEarlierJob],
}
