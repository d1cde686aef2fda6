/** Conversations with people, and their messages in and out. */
import type { Feature } from '../../kit/feature.ts'
import { messagingEvents } from './events.ts'
import { type InboxDependencies, inboxParts } from './inbox.ts'
import { messagesPerMonth } from './quotas.ts'

export function messaging(dependencies: InboxDependencies): Feature {
  const inbox = inboxParts(dependencies)
  return {
    name: 'messaging',
    tags: { Messaging: 'Conversations and their messages.' },
    scopes: ['messaging:read', 'messaging:write'],
    quotas: [messagesPerMonth],
    routes: inbox.routes,
    jobs: inbox.jobs,
    deploymentJobs: inbox.deploymentJobs,
    scheduledTasks: inbox.scheduledTasks,
    events: messagingEvents,
  }
}
