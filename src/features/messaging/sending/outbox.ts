/** Outgoing messages as an outbox: each account is a destination; a conversation has one message in flight. */
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import type { CounterDefinition, Metrics } from '../../../kit/metrics.ts'
import type { Outbox } from '../../../kit/outbox/outbox.ts'
import { accountsTopic, type ChatAccounts } from '../../accounts/service.ts'
import { messagesChangedTopic, messagesDueTopic } from '../topics.ts'
import type { UnsubscribeDependencies } from '../unsubscribe/link.ts'
import { claimLeaseMs, claimMessages } from './claim.ts'
import type { ClaimedMessage, SendAttempt, SendTarget } from './claimed-message.ts'
import { listDueAccounts, messageSchedule } from './due-messages.ts'
import { recordMessages, releaseMessages } from './record.ts'
import { sendMessage } from './send.ts'

export interface MessageOutboxDependencies {
  accounts: Pick<ChatAccounts, 'openConnection' | 'createContext'>
  blobs: Pick<Blobs, 'read'>
  unsubscribe: UnsubscribeDependencies
  metrics: Metrics
  /** Overrides the lease of a claim, for tests. */
  claimLeaseMs?: number | undefined
}

const attempts: CounterDefinition<'result'> = {
  name: 'aldaba_chat_messages_total',
  help: 'Attempts to send a chat message, by result.',
  labelNames: ['result'],
}

export function messageOutbox({
  accounts,
  blobs,
  unsubscribe,
  metrics,
  claimLeaseMs: leaseMs = claimLeaseMs,
}: MessageOutboxDependencies): Outbox<SendTarget, ClaimedMessage, SendAttempt> {
  return {
    name: 'messages',
    topics: { due: messagesDueTopic, changed: accountsTopic, erased: messagesChangedTopic },
    concurrency: { first: 2, max: 8 },
    // More would wait for the rate of the account, and be renewed.
    batch: 32,
    listDue: listDueAccounts,
    schedule: messageSchedule,
    claim: (tx, accountId, options) =>
      claimMessages(tx, { accounts, unsubscribe }, accountId, { ...options, leaseMs }),
    release: (tx, _accountId, items) => releaseMessages(tx, items),
    async send(target, item, context) {
      const attempt = await sendMessage({ accounts, blobs }, context, { target, item })
      const { outcome } = attempt
      metrics
        .counter(attempts)
        .inc({ result: outcome.kind === 'result' ? outcome.result.status : outcome.kind })
      return attempt
    },
    record: recordMessages,
    logFailures(log, accountId, failed) {
      const { attempt, target } = failed.at(-1)!
      const { provider } = target.opened.account
      log.warn({ accountId, provider, count: failed.length, error: attempt.error }, 'messages were not sent')
    },
  }
}
