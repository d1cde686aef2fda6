/** Conversations with people, and their messages in and out. */
import type { Feature } from '../../kit/feature.ts'
import { messagingEvents } from './events.ts'
import { type InboxDependencies, inboxParts } from './inbox.ts'
import { type OutgoingDependencies, outgoingParts } from './outgoing.ts'
import { messagesPerMonth } from './quotas.ts'
import { type ReceivingDependencies, receivingParts } from './receiving/receiving.ts'

type Dependencies = InboxDependencies & OutgoingDependencies & ReceivingDependencies

export function messaging(dependencies: Dependencies): Feature {
  const inbox = inboxParts(dependencies)
  const outgoing = outgoingParts(dependencies)
  const receiving = receivingParts(dependencies)
  return {
    name: 'messaging',
    tags: { Messaging: 'Conversations and their messages.' },
    scopes: ['messaging:read', 'messaging:write'],
    quotas: [messagesPerMonth],
    routes: [...outgoing.routes, ...inbox.routes, ...receiving.routes],
    publicRoutes: outgoing.publicRoutes,
    jobs: [...outgoing.jobs, ...inbox.jobs, ...receiving.jobs],
    deploymentJobs: [...outgoing.deploymentJobs, ...inbox.deploymentJobs],
    scheduledTasks: [...outgoing.scheduledTasks, ...inbox.scheduledTasks, ...receiving.scheduledTasks],
    outboxes: outgoing.outboxes,
    subscribers: [...outgoing.subscribers, ...inbox.subscribers],
    events: messagingEvents(dependencies.baseUrl),
    hooks: [...outgoing.hooks, ...receiving.hooks],
    settings: receiving.settings,
    personData: receiving.personData,
  }
}
