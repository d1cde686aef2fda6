/** Conversations with people, and their messages in and out. */
import type { Feature } from '../../kit/feature.ts'
import { messagingEvents } from './events.ts'
import { type InboxDependencies, inboxParts } from './inbox.ts'
import { messagesPerMonth } from './quotas.ts'
import { type ReceivingDependencies, receivingParts } from './receiving/receiving.ts'

export function messaging(dependencies: InboxDependencies & ReceivingDependencies): Feature {
  const inbox = inboxParts(dependencies)
  const receiving = receivingParts(dependencies)
  return {
    name: 'messaging',
    tags: { Messaging: 'Conversations and their messages.' },
    scopes: ['messaging:read', 'messaging:write'],
    quotas: [messagesPerMonth],
    routes: inbox.routes,
    jobs: [...inbox.jobs, ...receiving.jobs],
    deploymentJobs: inbox.deploymentJobs,
    scheduledTasks: [...inbox.scheduledTasks, ...receiving.scheduledTasks],
    events: messagingEvents,
    hooks: receiving.hooks,
    settings: receiving.settings,
    personData: receiving.personData,
  }
}
