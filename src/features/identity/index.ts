/** Identity: workspaces, users, keys and what they have used. */
import type { Feature } from '../../kit/route.ts'
import { identityEvents } from './events.ts'
import { forgetIdempotencyKeys } from './jobs.ts'
import { identityRoutes } from './routes.ts'

export const identity: Feature = {
  name: 'identity',
  tags: { Identity: 'The current workspace and its usage.' },
  routes: identityRoutes,
  jobs: [forgetIdempotencyKeys],
  events: identityEvents,
}
