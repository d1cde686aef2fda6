/** Leads: people with a property to sell or let, and where they were found. */
import type { Feature } from '../../kit/route.ts'
import { leadEvents } from './events.ts'
import { runOperation, sweepOperations } from './jobs.ts'
import { eraseExpiredLeads, forgetDeletedIds } from './person/retention.ts'
import { leadRoutes } from './routes.ts'

export const leads: Feature = {
  name: 'leads',
  routes: leadRoutes,
  jobs: [runOperation, sweepOperations, eraseExpiredLeads, forgetDeletedIds],
  events: leadEvents,
}
