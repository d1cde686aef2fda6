/** What arrives: the parts of messaging that handle it, for `index.ts`. */
import type { Feature } from '../../../kit/feature.ts'
import { on } from '../../../kit/hook.ts'
import { jobSchedule } from '../../../kit/jobs/job-schedule.ts'
import { type ChatAccounts, chatEventsReceived } from '../../accounts/service.ts'
import { leadsDeleted, leadsMerged, mergeUndone, repliesSeparated } from '../../leads/service.ts'
import { erasePersonData, peopleOptedOut } from '../../privacy/service.ts'
import { settings } from '../settings.ts'
import { erasePeopleFromMessages } from './erasure.ts'
import { deleteExpiredMessages } from './jobs.ts'
import {
  detachConversations,
  findSeparatedReplies,
  moveConversations,
  restoreConversations,
} from './lead-references.ts'
import { optInRoute } from './opt-in-route.ts'
import { createOptOutHandler } from './opt-outs.ts'
import { messagingPersonData } from './person-data.ts'
import { receiveEvents } from './receive-events.ts'
import { findNextMessageExpiry } from './retention-queries.ts'

export interface ReceivingDependencies {
  accounts: Pick<ChatAccounts, 'list'>
  /** The public URL with the base path. */
  baseUrl: string
}

type ReceivingParts = Pick<Feature, 'routes'> &
  Required<Pick<Feature, 'hooks' | 'jobs' | 'scheduledTasks' | 'settings' | 'personData'>>

export function receivingParts({ accounts, baseUrl }: ReceivingDependencies): ReceivingParts {
  const channels = new Map(accounts.list().map(({ id, channel }) => [id, channel]))
  const getChannel = (provider: string) => channels.get(provider)
  return {
    routes: [optInRoute({ getChannel, baseUrl })],
    hooks: [
      on(chatEventsReceived, receiveEvents),
      on(peopleOptedOut, createOptOutHandler(getChannel)),
      on(erasePersonData, erasePeopleFromMessages),
      on(leadsDeleted, detachConversations),
      on(leadsMerged, moveConversations),
      on(mergeUndone, restoreConversations),
      on(repliesSeparated, findSeparatedReplies),
    ],
    jobs: [deleteExpiredMessages],
    scheduledTasks: [jobSchedule(deleteExpiredMessages, findNextMessageExpiry)],
    settings,
    personData: messagingPersonData,
  }
}
