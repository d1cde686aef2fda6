/** The sandbox: routes that control the test environment. */
import type { ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import type { Feature } from '../../kit/feature.ts'
import { clockRoutes } from './clock-routes.ts'
import { type FindListing, listingRoutes } from './listing-routes.ts'
import { type MessageDependencies, messageRoutes } from './message-routes.ts'

/** `scheduledTasks`: the time-dependent work of all other features. */
export const sandbox = ({
  scheduledTasks,
  findListing,
  ...messages
}: {
  scheduledTasks: ScheduledTask[]
  findListing: FindListing
} & MessageDependencies): Feature => ({
  name: 'sandbox',
  tags: {
    Sandbox:
      'Control the test environment: move its clock, change listings of the simulated portals, write as a lead.',
  },
  routes: [...clockRoutes(scheduledTasks), ...listingRoutes(findListing), ...messageRoutes(messages)],
  jobs: [],
  events: [],
})
