/** Queues a message to the person of a conversation: the one way out, whoever writes it. */
import { getExpiry } from '../../../domain/messaging/expiry.ts'
import { isRecentAnswer, isWindowOpen } from '../../../domain/messaging/reply-window.ts'
import { getNow, recordLockAcquired } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import { reserve } from '../../../kit/quota.ts'
import { type Author, shareLeads } from '../../../kit/writer.ts'
import type { ChatIdentity, ChatProvider } from '../../../plugins/chat.ts'
import { type AccountRow, assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { previewContacts } from '../../privacy/service.ts'
import { assertAccountSends, getAccountProvider } from '../account-provider.ts'
import { enqueueReceipt } from '../conversations/mark-read.ts'
import {
  type ConversationRow,
  getConversation,
  lockConversations,
  setSubject,
} from '../conversations/queries.ts'
import { formatKinds, getWindowStart, hasRecipient, toContactIdentifiers } from '../identities.ts'
import { isAnswerTo } from '../is-answer.ts'
import { attachFile } from '../media/files.ts'
import type { MessageKind, Nature } from '../message-types.ts'
import { noIdentity, unsupportedMessage, windowClosed } from '../problems.ts'
import { messagesPerMonth } from '../quotas.ts'
import { insertMessage, isReadingAnswer } from './insert-message.ts'
import { insertTask } from './insert-task.ts'
import { assertSupported, assertTextFits, type MessageInput } from './message-input.ts'
import { assertOneLead, withLead } from './message-lead.ts'
import { addNotice, findNotice, type NoticeCarrier, toLanguage } from './notice.ts'
import { type PreparedContent, prepareContent, withSubject } from './prepare-content.ts'
import { promoteNext } from './promote-next.ts'
import { findTarget } from './target.ts'
import { toOutgoing } from './to-outgoing.ts'

interface Sender {
  conversation: ConversationRow
  account: AccountRow
  provider: ChatProvider
  author: Author | null
}

/** `prepared`: the content of an earlier message, with its kind. */
type Input = MessageInput | { kind: 'prepared'; of: MessageKind; content: PreparedContent }

export interface QueueRequest {
  conversationId: string
  /** The lead that the message is about; null: that of the conversation. A template to a person with several leads needs it. */
  leadId?: string | null
  input: Input
  /** Begins a new e-mail thread; null: the message continues the last one. */
  subject?: string | null
  /** Null: the program writes. */
  author: Author | null
  /** `opt_out_confirmation`: allowed after the opt-out, and needs no quota. */
  nature?: Exclude<Nature, 'auto_reply'>
  campaignId?: string | null
  replyToId?: string | null
  retryOfId?: string | null
}

/**
 * Checks a message and queues it. Roll the transaction back if it throws: 404 for an unknown conversation; 400 for unknown
 * references; 409 ACCOUNT_NOT_SENDING; 422 LEAD_AMBIGUOUS, NO_IDENTITY, NOT_CONTACTABLE, WINDOW_CLOSED, UNSUPPORTED_MESSAGE, TEXT_TOO_LONG, NOTICE_MISSING, and those
 * of templates and files; 429 QUOTA_EXCEEDED. The person, the window and the budget are checked again when it is sent.
 *
 * It locks the conversation, and shares the leads only for a template or another lead: who answers does not wait for what is
 * being received. Whatever forbids messages locks the conversation too (`failQueued`): it is committed before and counts, or
 * fails this one.
 */
export async function queueMessage(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  request: QueueRequest,
): Promise<{ id: string; sequence: number }> {
  const { conversationId, input, subject = null, nature = 'person' } = request
  const { campaignId = null, leadId = null } = request
  // A merge must not miss its lead, nor an erasure what a template says of it.
  if (leadId !== null || input.kind === 'template') await shareLeads(tx)
  const own = await getConversation(tx, conversationId)
  const conversation = await withLead(tx, own, leadId)
  const account = await assertAccount(tx, conversation.accountId)
  const provider = getAccountProvider(accounts, account)
  // What does not exist is refused before what is not possible now.
  const replyToId = request.replyToId ?? (input.kind === 'reaction' ? input.messageId : null)
  const replyTo =
    replyToId === null
      ? null
      : await getProviderIdOf(tx, conversationId, { messageId: replyToId, kind: input.kind })
  if (input.kind === 'template' && leadId === null) await assertOneLead(tx, own)
  const sender = { conversation, account, provider, author: request.author }
  const { kind, content } = await prepareSendable(tx, input, { sender, subject, replyTo })
  await lockConversations(tx, [conversationId])
  recordLockAcquired(tx)
  const isAnswer = isAnswerTo(tx, { campaignId, nature, lastInboundAt: conversation.lastInboundAt })
  const needsNotice =
    nature !== 'opt_out_confirmation' && (await needsNoticeNow(tx, conversation, { provider, isAnswer }))
  if (needsNotice && kind !== 'reaction')
    await assertRoomForNotice(tx, conversation, { provider, isAnswer, kind, content })
  if (!content.isApproved) assertWindowOpen(conversation, { provider, kind, now: getNow(tx) })
  const hasQuota = nature !== 'opt_out_confirmation'
  const message = await insertMessage(tx, {
    conversationId,
    direction: 'out',
    kind,
    text: content.text,
    content: content.parts,
    templateVersionId: content.templateVersionId,
    status: 'queued',
    nature,
    campaignId,
    leadId: conversation.leadId === own.leadId ? null : conversation.leadId,
    replyToId,
    retryOfId: request.retryOfId ?? null,
    author: request.author,
    expiresAt: provider.mode === 'chat' ? getExpiry(kind, getNow(tx)) : null,
    hasQuota,
  })
  if (isReadingAnswer({ direction: 'out', ...request }) && own.unreadCount > 0)
    await enqueueReceipt(tx, conversationId)
  if (subject !== null) await setSubject(tx, conversationId, subject)
  if (content.media) await attachFile(tx, message.id, content.media)
  if (provider.mode === 'chat') await promoteNext(tx, [conversationId])
  else {
    const { assignedUserId } = conversation
    await insertTask(tx, { messageId: message.id, accountId: account.id, assignedUserId })
  }
  // Last, because other transactions of the tenant wait for the row of the quota.
  if (hasQuota) await reserve(tx, messagesPerMonth)
  return message
}

/** Prepares the content. Throws if the account can't send it to the person. */
async function prepareSendable(
  tx: Tx,
  input: Input,
  { sender, subject, replyTo }: { sender: Sender; subject: string | null; replyTo: string | null },
): Promise<{ kind: MessageKind; content: PreparedContent }> {
  const { conversation, account, provider } = sender
  const kind = input.kind === 'prepared' ? input.of : input.kind
  const prepared = input.kind === 'prepared' ? input.content : await prepareContent(tx, input, sender)
  const content = subject === null ? prepared : withSubject(provider, prepared, subject)
  const { identities, replyWindowHours } = provider.capabilities
  const windowStart = getWindowStart(conversation.identities, identities)
  assertAccountSends(account, { isAnswer: isRecentAnswer(windowStart, replyWindowHours, getNow(tx)) })
  assertIdentity(provider, conversation.identities)
  if (input.kind !== 'prepared') assertSupported(provider, input)
  if (content.text !== null)
    assertTextFits(provider, content.text, {
      isCaption: content.media !== null && !content.isApproved,
    })
  assertAccepted(provider, { kind, replyTo, ...content })
  return { kind, content }
}

function assertIdentity({ label, capabilities }: ChatProvider, identities: readonly ChatIdentity[]): void {
  const kinds = capabilities.identities
  if (hasRecipient(identities, kinds)) return
  throw new Problem(
    noIdentity,
    `The person has no ${formatKinds(kinds)}, which ${label} needs. Choose an account of another provider.`,
  )
}

async function needsNoticeNow(
  tx: Tx,
  { leadId, identities }: ConversationRow,
  { provider, isAnswer }: { provider: ChatProvider; isAnswer: boolean },
): Promise<boolean> {
  const identifiers = toContactIdentifiers(identities)
  const [permission] = await previewContacts(tx, provider.channel, [{ leadId, isAnswer, identifiers }])
  if (permission instanceof Problem) throw permission
  return permission!.obligations.includes('INCLUDE_NOTICE')
}

/**
 * Throws 422 if the message can't have the notice. It is added when the message is sent, or its task opened, because an
 * earlier one may have it by then.
 */
async function assertRoomForNotice(
  tx: Tx,
  { leadId }: ConversationRow,
  {
    provider,
    isAnswer,
    kind,
    content,
  }: { provider: ChatProvider; isAnswer: boolean; kind: MessageKind; content: PreparedContent },
): Promise<void> {
  const parts = content.parts as NoticeCarrier['content']
  const notice = await findNotice(tx, leadId, { isAnswer, language: toLanguage(parts) })
  const carrier = { kind, text: content.text, content: parts, mediaKind: content.media?.kind ?? null }
  if (notice) addNotice(provider, carrier, notice)
}

function assertWindowOpen(
  { identities, lastInboundAt }: ConversationRow,
  { provider, kind, now }: { provider: ChatProvider; kind: MessageKind; now: Date },
): void {
  const { label, capabilities } = provider
  const hours = capabilities.replyWindowHours
  const start = getWindowStart(identities, capabilities.identities)
  if (isWindowOpen(start, hours, now)) return
  const reason = start
    ? `The reply window is closed: the person last wrote more than ${hours} hours ago.`
    : lastInboundAt
      ? 'The person has not written from the number or id yet that they have now.'
      : 'The person has not written yet.'
  throw new Problem(
    windowClosed,
    kind === 'template'
      ? `${reason} ${label} has not approved this text of the template, or has paused it: its status says more.`
      : `${reason} Send an approved template.`,
  )
}

/** An answer and a reaction need a message of the same conversation that the provider knows. Returns its id there. */
async function getProviderIdOf(
  tx: Tx,
  conversationId: string,
  { messageId, kind }: { messageId: string; kind: Input['kind'] },
): Promise<string> {
  const target = await findTarget(tx, messageId)
  const path = kind === 'reaction' ? '/reaction/messageId' : '/replyToId'
  if (target?.conversationId !== conversationId)
    throw invalidInput(path, 'UNKNOWN_MESSAGE', 'The conversation has no message with this id.')
  if (target.providerMessageId === null)
    throw invalidInput(path, 'NOT_SENT', 'The provider does not know this message: it was not sent.')
  return target.providerMessageId
}

/** Throws 422 if the provider would refuse the content. */
function assertAccepted(
  { findRefusal }: ChatProvider,
  { kind, text, parts, replyTo, media }: PreparedContent & { kind: MessageKind; replyTo: string | null },
): void {
  const content = toOutgoing({ kind, text, content: parts as Record<string, unknown>, replyTo }, media)
  const refusal = findRefusal?.(content)
  if (refusal) throw new Problem(unsupportedMessage, refusal.message)
}
