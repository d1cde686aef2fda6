/** Claims due messages, and decides again whether they may be sent. */
import { isRecentAnswer } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Claim } from '../../../kit/outbox/outbox.ts'
import { Problem } from '../../../kit/problem.ts'
import { shareLeads } from '../../../kit/writer.ts'
import type { ChatProvider, OutgoingMessage } from '../../../plugins/chat.ts'
import {
  type ChatAccounts,
  isSending,
  type OpenAccount,
  toMessagesPerSecond,
} from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import { formatIdentity, selectRecipients } from '../identities.ts'
import { findFilesOfMessages } from '../media/queries.ts'
import { releaseDays } from '../messages/budget-days.ts'
import { changeStatuses } from '../messages/change-status.ts'
import { toRefusal } from '../messages/to-failure.ts'
import { needsFile, toOutgoing } from '../messages/to-outgoing.ts'
import { getUnsubscribeUrl, type UnsubscribeDependencies } from '../unsubscribe/link.ts'
import type { ClaimedMessage, SendTarget } from './claimed-message.ts'
import { decideDue, isAnswer, type NewClaim } from './decide-due.ts'
import { type DueMessage, findDue, findNextDueAt, readDue } from './due-messages.ts'
import { extendWaits, storeNotices, storeSending } from './store-sending.ts'
import { budgetExhausted } from './wait-reasons.ts'

/** The lease of a claim: longer than the longest call. */
export const claimLeaseMs = 120_000

export interface ClaimDependencies {
  accounts: Pick<ChatAccounts, 'openConnection'>
  unsubscribe: UnsubscribeDependencies
}

export interface ClaimOptions {
  excludedIds: string[]
  limit: number
  leaseMs: number
}

/** Claims due messages of an account. See `Outbox.claim`. */
export async function claimMessages(
  tx: Tx,
  { accounts, unsubscribe }: ClaimDependencies,
  accountId: string,
  { excludedIds, limit, leaseMs }: ClaimOptions,
): Promise<Claim<SendTarget, ClaimedMessage>> {
  const opened = await openAccount(tx, accounts, accountId)
  if (!opened) return { target: null, isFailing: false, items: [], isFull: false, nextAt: null }
  const { account } = opened
  const { isFailing } = account
  if (!isSending(account, { now: getNow(tx), isAnswer: true }))
    return { target: null, isFailing, items: [], isFull: false, nextAt: account.pausedUntil }
  const due = await findDue(tx, accountId, { excludedIds, limit })
  return {
    target: {
      opened,
      tenantId: getTenantId(tx),
      messagesPerSecond: toMessagesPerSecond(account, opened.provider),
    },
    isFailing,
    items: due.length === 0 ? [] : await claimDue(tx, due, { opened, unsubscribe, leaseMs }),
    isFull: due.length === limit,
    nextAt: await findNextDueAt(tx, accountId, excludedIds),
  }
}

/** Null: the account or its provider is gone, or people send its messages. */
async function openAccount(
  tx: Tx,
  accounts: ClaimDependencies['accounts'],
  accountId: string,
): Promise<OpenAccount | null> {
  const opened = await accounts.openConnection(tx, accountId).catch(error => {
    if (error instanceof Problem) return null
    throw error
  })
  return opened?.provider.mode === 'chat' ? opened : null
}

const lostFile = toRefusal('MEDIA_REJECTED', 'The file of the message is no longer there. Upload it again.')

interface ClaimContext {
  opened: OpenAccount
  unsubscribe: UnsubscribeDependencies
  leaseMs: number
}

async function claimDue(
  tx: Tx,
  due: { id: string; conversationId: string }[],
  context: ClaimContext,
): Promise<ClaimedMessage[]> {
  // See insert-message.ts for the order of locks.
  await shareLeads(tx)
  await lockConversations(tx, [...new Set(due.map(({ conversationId }) => conversationId))])
  const ids = due.map(({ id }) => id)
  const [messages, files] = await Promise.all([readDue(tx, ids), findFilesOfMessages(tx, ids)])
  const candidates = messages.map(message => {
    const file = files.get(message.id)?.[0] ?? null
    const failure = message.failure ?? (needsFile(message) && !file ? lostFile : null)
    return { message: { ...message, failure }, file }
  })
  const { claims, deferred, changes } = await decideDue(tx, candidates, context.opened)
  const items = await storeClaims(tx, claims, context)
  // Another day's budget may count what a campaign defers.
  await releaseDays(
    tx,
    deferred.filter(({ deferredUntil }) => deferredUntil).map(({ message }) => message),
  )
  await storeSending(
    tx,
    deferred.map(deferral => ({
      ...deferral.message,
      ...deferral,
      reservedDay: deferral.deferredUntil ? null : deferral.message.reservedDay,
    })),
  )
  await extendWaits(
    tx,
    deferred.filter(({ waitReason }) => waitReason === budgetExhausted),
  )
  await changeStatuses(tx, changes)
  return items
}

async function storeClaims(
  tx: Tx,
  claims: NewClaim[],
  { opened, unsubscribe, leaseMs }: ClaimContext,
): Promise<ClaimedMessage[]> {
  const nextAttemptAt = new Date(getNow(tx).getTime() + leaseMs)
  const tokens = claims.map(() => newId())
  const recipients = claims.map(({ message: { identities } }) =>
    selectRecipients(identities, opened.provider.capabilities, getNow(tx)),
  )
  await storeSending(
    tx,
    claims.map(({ message, claimedAt, reservedDay }, index) => {
      const claimToken = tokens[index]!
      const { attempts } = message
      const [to] = recipients[index]!
      return {
        message,
        attempts,
        person: to && formatIdentity(to),
        claimedAt,
        claimToken,
        reservedDay,
        nextAttemptAt,
        waitReason: null,
      }
    }),
  )
  await storeNotices(
    tx,
    claims.flatMap(({ message: { id }, noticedText }) =>
      noticedText === null ? [] : [{ id, text: noticedText }],
    ),
  )
  const items: ClaimedMessage[] = []
  for (const [index, { message, file, task, noticedText }] of claims.entries()) {
    const { id, conversationId, text, replyTo, subject, references } = message
    items.push({
      id,
      orderKey: conversationId,
      claimToken: tokens[index]!,
      claimEndsMs: performance.now() + leaseMs,
      task,
      isAnswer: isAnswer(message, opened.provider, getNow(tx)),
      message: {
        id,
        to: recipients[index]!,
        content: toOutgoing({ ...message, text: noticedText ?? text }, file),
        // Providers refuse a reaction as an answer. Its content names the message.
        replyTo: message.kind === 'reaction' ? null : replyTo,
        thread: { subject, references },
        unsubscribeUrl: needsUnsubscribe(message, opened.provider, getNow(tx))
          ? await getUnsubscribeUrl(tx, unsubscribe, id)
          : null,
        ...toAutomatic(message.nature),
      },
    })
  }
  return items
}

/** An absence note is no answer to a notice or to a machine. */
function toAutomatic(nature: DueMessage['nature']): Pick<OutgoingMessage, 'automatic'> {
  if (nature === 'opt_out_confirmation' || nature === 'ai') return { automatic: 'replied' }
  return nature === 'appointment' ? { automatic: 'generated' } : {}
}

/** An e-mail that answers nobody names a way to refuse the next one. A notice of an appointment has the link to cancel it. */
const needsUnsubscribe = (
  { campaignId, nature, lastInboundAt }: DueMessage,
  { channel, capabilities }: ChatProvider,
  now: Date,
): boolean =>
  channel === 'email' &&
  nature === 'person' &&
  (campaignId !== null || !isRecentAnswer(lastInboundAt, capabilities.replyWindowHours, now))
