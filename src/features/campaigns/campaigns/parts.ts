/** The record of campaigns: its routes, events, and what pauses it. */
import type { FeaturePart } from '../parts.ts'
import { campaignEvents } from './events.ts'
import { pauseWhenAccountStops } from './jobs.ts'
import { campaignProblemFields } from './problems.ts'
import { campaignRoutes, type RecordDependencies } from './routes.ts'

export const recordParts = (dependencies: RecordDependencies): FeaturePart => ({
  routes: campaignRoutes(dependencies),
  subscribers: [pauseWhenAccountStops(dependencies.accounts)],
  events: campaignEvents,
  problemFields: campaignProblemFields,
})
