/** The record of campaigns: its routes, events, and what pauses it. */
import { on } from '../../../kit/hook.ts'
import { erasePersonData } from '../../privacy/service.ts'
import { templateEnding } from '../../templates/service.ts'
import type { FeaturePart } from '../parts.ts'
import { erasePeopleFromCampaigns } from './erasure.ts'
import { campaignEvents } from './events.ts'
import { pauseWhenAccountStops } from './jobs.ts'
import { campaignPersonData } from './person-data.ts'
import { campaignProblemFields } from './problems.ts'
import { listCampaignsSending } from './references.ts'
import { campaignRoutes, type RecordDependencies } from './routes.ts'

export const recordParts = (dependencies: RecordDependencies): FeaturePart => ({
  routes: campaignRoutes(dependencies),
  subscribers: [pauseWhenAccountStops(dependencies.accounts)],
  events: campaignEvents,
  problemFields: campaignProblemFields,
  personData: campaignPersonData,
  hooks: [on(erasePersonData, erasePeopleFromCampaigns), on(templateEnding, listCampaignsSending)],
})
