/** Conversations and outgoing messages: their routes, jobs and outbox. */
import type { Feature } from '../../kit/feature.ts'
import type { ChatAccounts } from '../accounts/service.ts'
import { endConversationSnoozes, markConversationRead, snoozeSchedule } from './conversations/jobs.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { applyEarlyStatuses } from './messages/jobs.ts'
import { messageRoutes } from './messages/routes.ts'
import { openingRoute } from './participants/route.ts'
import {
  endOverdueMessages,
  failDisconnected,
  failWhenDisconnected,
  overdueSchedule,
} from './sending/jobs.ts'
import { type MessageOutboxDependencies, messageOutbox } from './sending/outbox.ts'
import { sendWaiting, sendWaitingWhenLimitChanged } from './sending/send-waiting.ts'
import { unsubscribeRoute } from './unsubscribe/page.ts'

export interface OutgoingDependencies extends MessageOutboxDependencies {
  accounts: Pick<ChatAccounts, 'getProvider' | 'openConnection' | 'createContext'>
  /** The public URL with the base path. */
  baseUrl: string
}

type Parts = Pick<Feature, 'routes' | 'jobs'> &
  Required<
    Pick<Feature, 'publicRoutes' | 'hooks' | 'deploymentJobs' | 'scheduledTasks' | 'outboxes' | 'subscribers'>
  >

export const outgoingParts = (dependencies: OutgoingDependencies): Parts => ({
  routes: [
    openingRoute(dependencies.accounts),
    ...conversationRoutes(dependencies.accounts),
    ...messageRoutes(dependencies),
  ],
  jobs: [markConversationRead(dependencies.accounts), applyEarlyStatuses, failDisconnected, sendWaiting],
  hooks: [sendWaitingWhenLimitChanged],
  subscribers: [failWhenDisconnected],
  publicRoutes: [unsubscribeRoute],
  deploymentJobs: [endConversationSnoozes, endOverdueMessages],
  scheduledTasks: [snoozeSchedule, overdueSchedule],
  outboxes: [messageOutbox(dependencies)],
})
