/** The sandbox: how a program drives the test environment. */
import type { ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import type { Feature } from '../../kit/feature.ts'
import { clockRoutes } from './clock-routes.ts'
import { type FindListing, listingRoutes } from './listing-routes.ts'

/** `scheduledTasks`: what waits for time in the other features. */
export const sandbox = ({
  scheduledTasks,
  findListing,
}: {
  scheduledTasks: ScheduledTask[]
  findListing: FindListing
}): Feature => ({
  name: 'sandbox',
  tags: { Sandbox: 'What a program can do to the test environment, to try what happens then.' },
  routes: [...clockRoutes(scheduledTasks), ...listingRoutes(findListing)],
  jobs: [],
  events: [],
})
