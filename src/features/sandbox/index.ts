/** The sandbox: routes that control the test environment. */
import type { ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import type { Feature } from '../../kit/feature.ts'
import { clockRoutes } from './clock-routes.ts'
import { type FindListing, listingRoutes } from './listing-routes.ts'

/** `scheduledTasks`: the time-dependent work of all other features. */
export const sandbox = ({
  scheduledTasks,
  findListing,
}: {
  scheduledTasks: ScheduledTask[]
  findListing: FindListing
}): Feature => ({
  name: 'sandbox',
  tags: {
    Sandbox: 'Control the test environment: move its clock, change listings of the simulated portals.',
  },
  routes: [...clockRoutes(scheduledTasks), ...listingRoutes(findListing)],
  jobs: [],
  events: [],
})
