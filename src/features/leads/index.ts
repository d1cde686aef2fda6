/** Leads: people with a property to sell or let, and where they were found. */
import type { Feature } from '../../kit/route.ts'
import { leadEvents } from './events.ts'
import { runOperation } from './jobs.ts'
import { eraseExpiredLeads } from './retention.ts'
import { leadRoutes } from './routes.ts'

export const leads: Feature = {
  name: 'leads',
  routes: leadRoutes,
  jobs: [runOperation, eraseExpiredLeads],
  events: leadEvents,
}
