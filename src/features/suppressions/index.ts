/** The suppression list: who is not contacted, kept as keyed hashes. */
import type { Feature } from '../../kit/route.ts'
import { reviewSuppressedLeads } from './jobs.ts'
import { suppressionRoutes } from './routes.ts'

export const suppressions: Feature = {
  name: 'suppressions',
  routes: suppressionRoutes,
  jobs: [reviewSuppressedLeads],
  events: [],
}
