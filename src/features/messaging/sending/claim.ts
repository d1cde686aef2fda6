/** Claims due messages, and decides again whether they may be sent. */
import { isAnswer } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Claim } from '../../../kit/outbox/outbox.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity, ChatProvider } from '../../../plugins/chat.ts'
import {
  type AccountRow,
  type ChatAccounts,
  isSending,
  type OpenAccount,
  reserveBudget,
  toMessagesPerSecond,
} from '../../accounts/service.ts'
import { lockConversations } from '../conversations/queries.ts'
import { sortIdentities } from '../identities.ts'
import { type FileRow, findFilesOfMessages } from '../media/queries.ts'
import type { MessageFailure } from '../message-types.ts'
import { changeStatus } from '../messages/change-status.ts'
import { toUnknown } from '../messages/to-failure.ts'
import { getUnsubscribeUrl, type UnsubscribeDependencies } from '../unsubscribe/link.ts'
import { includeNotice, readPermission } from './check-message.ts'
import type { ClaimedMessage, SendTarget } from './claimed-message.ts'
import { type DueMessage, findDue, findNextDueAt, readDue } from './due-messages.ts'
import { toOutgoing } from './to-outgoing.ts'

/** The lease of a claim: longer than the longest call. */
export const claimLeaseMs = 120_000
/** After this time, a message whose result was lost is `unknown`. */
export const undecidedMs = 15 * 60_000

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
  if (!isSending(account, getNow(tx)))
    return { target: null, isFailing, items: [], isFull: false, nextAt: account.pausedUntil }
  const due = await findDue(tx, accountId, { excludedIds, limit })
  const items: ClaimedMessage[] = []
  if (due.length > 0) {
    // See insert-message.ts for the order of locks.
    await lockLeadWrites(tx)
    await lockConversations(tx, [...new Set(due.map(({ conversationId }) => conversationId))])
    const messages = await readDue(
      tx,
      due.map(({ id }) => id),
    )
    const files = await findFilesOfMessages(
      tx,
      messages.map(({ id }) => id),
    )
    for (const message of messages) {
      const item = await claimMessage(tx, message, {
        opened,
        unsubscribe,
        file: files.get(message.id)?.[0] ?? null,
        leaseMs,
      })
      if (item) items.push(item)
    }
  }
  return {
    target: {
      opened,
      tenantId: getTenantId(tx),
      messagesPerSecond: toMessagesPerSecond(account, opened.provider),
    },
    isFailing,
    items,
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

interface ClaimContext {
  opened: OpenAccount
  unsubscribe: UnsubscribeDependencies
  file: FileRow | null
  leaseMs: number
}

/** Null: the message is not to be sent now. */
async function claimMessage(
  tx: Tx,
  message: DueMessage,
  context: ClaimContext,
): Promise<ClaimedMessage | null> {
  const { provider, account } = context.opened
  if (message.claimedAt) return recoverMessage(tx, message, context)
  const permission = message.failure
    ? { failure: message.failure }
    : await readPermission(tx, message, provider)
  if (permission.failure) return failMessage(tx, message, permission.failure)
  const reservedDay = await reserveDay(tx, message, { account, provider })
  if (reservedDay === 'exhausted') return null
  const { needsNotice } = permission
  const mediaKind = context.file?.kind ?? null
  const noticed = needsNotice
    ? await includeNotice(tx, message, { provider, isAnswer: permission.isAnswer, mediaKind })
    : { failure: null, text: message.text }
  if (noticed.failure) return failMessage(tx, { ...message, reservedDay }, noticed.failure)
  const sent = { ...message, text: noticed.text }
  return storeClaim(tx, sent, { ...context, task: 'send', reservedDay, claimedAt: getNow(tx) })
}

/**
 * A process died while it sent the message. If the provider recognizes a repeated message, it is sent again; otherwise
 * the provider is asked, or its callback decides. After a quarter of an hour a person has to decide.
 */
async function recoverMessage(
  tx: Tx,
  message: DueMessage,
  context: ClaimContext,
): Promise<ClaimedMessage | null> {
  const { provider } = context.opened
  const claimedAt = message.claimedAt!
  const { reservedDay } = message
  if (provider.capabilities.idempotent && (await mayRepeat(tx, message, provider)))
    return storeClaim(tx, message, { ...context, task: 'send', reservedDay, claimedAt: getNow(tx) })
  if (provider.reconcile)
    return storeClaim(tx, message, { ...context, task: 'reconcile', reservedDay, claimedAt })
  await deferDecision(tx, message)
  return null
}

/**
 * Waits for the callback of the provider, up to a quarter of an hour after the claim; then it is `unknown`. `askAfterMs`:
 * the provider is asked before.
 */
export async function deferDecision(
  tx: Tx,
  message: Pick<DueMessage, 'id' | 'claimedAt'> & Parameters<typeof changeStatus>[1],
  askAfterMs = undecidedMs,
): Promise<void> {
  const now = getNow(tx)
  const decidedAt = (message.claimedAt ?? now).getTime() + undecidedMs
  if (decidedAt <= now.getTime()) {
    const failure = toUnknown('the process that sent it ended, or the connection broke')
    await changeStatus(tx, message, { status: 'unknown', at: now, providerMessageId: null, failure })
    return
  }
  await sql`
    update messages set next_attempt_at = ${new Date(Math.min(decidedAt, now.getTime() + askAfterMs))}
    where tenant_id = ${getTenantId(tx)} and id = ${message.id} and status = 'queued'`.execute(tx)
}

async function failMessage(tx: Tx, message: DueMessage, failure: MessageFailure): Promise<null> {
  await changeStatus(tx, message, { status: 'failed', at: getNow(tx), providerMessageId: null, failure })
  return null
}

/** A message is repeated as it was, with the notice or without. */
const mayRepeat = async (tx: Tx, message: DueMessage, provider: ChatProvider): Promise<boolean> =>
  message.failure === null && (await readPermission(tx, message, provider)).failure === null

/** Reserves the budget of a message that answers nobody. If it is used up, the message waits for the next day. */
async function reserveDay(
  tx: Tx,
  message: DueMessage,
  { account, provider }: { account: AccountRow; provider: ChatProvider },
): Promise<string | null | 'exhausted'> {
  const { reservedDay, nature, lastInboundAt } = message
  const { replyWindowHours } = provider.capabilities
  if (reservedDay !== null || nature === 'opt_out_confirmation') return reservedDay
  if (isAnswer(lastInboundAt, replyWindowHours, getNow(tx))) return null
  const reserved = await reserveBudget(tx, account)
  if ('day' in reserved) return reserved.day
  await sql`
    update messages set next_attempt_at = ${reserved.exhaustedUntil}
    where tenant_id = ${getTenantId(tx)} and id = ${message.id}`.execute(tx)
  return 'exhausted'
}

/** An e-mail that answers nobody names a way to refuse the next one. */
const needsUnsubscribe = (
  { campaignId, nature, lastInboundAt }: DueMessage,
  { channel, capabilities }: ChatProvider,
  now: Date,
): boolean =>
  channel === 'email' &&
  nature !== 'opt_out_confirmation' &&
  (campaignId !== null || !isAnswer(lastInboundAt, capabilities.replyWindowHours, now))

interface NewClaim extends ClaimContext {
  task: ClaimedMessage['task']
  reservedDay: string | null
  claimedAt: Date
}

async function storeClaim(
  tx: Tx,
  message: DueMessage,
  { opened, unsubscribe, file, leaseMs, task, reservedDay, claimedAt }: NewClaim,
): Promise<ClaimedMessage> {
  const claimToken = newId()
  await sql`
    update messages set claimed_at = ${claimedAt}, claim_token = ${claimToken}, reserved_day = ${reservedDay}::date,
      next_attempt_at = ${new Date(getNow(tx).getTime() + leaseMs)}
    where tenant_id = ${getTenantId(tx)} and id = ${message.id}`.execute(tx)
  const to: ChatIdentity[] = sortIdentities(message.identities, opened.provider.capabilities.identities)
  return {
    id: message.id,
    orderKey: message.conversationId,
    claimToken,
    claimEndsMs: performance.now() + leaseMs,
    task,
    message: {
      id: message.id,
      to,
      content: toOutgoing(message, file),
      replyTo: message.replyTo,
      thread: { subject: message.subject, references: message.references },
      unsubscribeUrl: needsUnsubscribe(message, opened.provider, getNow(tx))
        ? await getUnsubscribeUrl(tx, unsubscribe, message.id)
        : null,
      ...(message.nature === 'opt_out_confirmation' ? { isAutomatic: true } : {}),
    },
  }
}
