/** The sandbox: the people of the test environment, and routes that control it. */
import type { Blobs } from '../../kit/blobs/blobs.ts'
import type { ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import type { Ads } from '../ads/service.ts'
import { messageWasSent } from '../messaging/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { adRoutes } from './ad-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { type FindListing, listingRoutes } from './listing-routes.ts'
import { type MessageDependencies, messageRoutes } from './message-routes.ts'
import { erasePhones } from './phones/erasure.ts'
import { phonePublicRoutes } from './phones/public-routes.ts'
import { type PhoneDependencies, phoneRoutes } from './phones/routes.ts'
import { deliverReplies, replySchedule } from './replies/deliver.ts'
import { createReplyPlanner } from './replies/plan-replies.ts'

interface SandboxDependencies extends MessageDependencies, PhoneDependencies {
  /** The time-dependent work of all other features. */
  scheduledTasks: ScheduledTask[]
  findListing: FindListing
  ads: Ads
  blobs: Pick<Blobs, 'read'>
}

export function sandbox({ scheduledTasks, findListing, ads, ...people }: SandboxDependencies): Feature {
  const replies = replySchedule(people.cipher)
  return {
    name: 'sandbox',
    tags: {
      Sandbox:
        'Control the test environment: chat as a lead, move its clock, change listings of the simulated portals.',
    },
    // The replies of leads come first, because other work follows from them.
    routes: [
      ...clockRoutes([replies, ...scheduledTasks]),
      ...listingRoutes(findListing),
      ...messageRoutes(people),
      ...phoneRoutes(people),
      ...adRoutes(ads),
    ],
    publicRoutes: phonePublicRoutes(people),
    jobs: [deliverReplies(people.cipher)],
    hooks: [on(messageWasSent, createReplyPlanner(people.cipher)), on(erasePersonData, erasePhones)],
    events: [],
  }
}
