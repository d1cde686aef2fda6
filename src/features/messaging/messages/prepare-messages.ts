/** Prepares messages of one account: what they say, and whether it can be sent. A refused one keeps no other from being sent. */
import { isRecentAnswer } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput, Problem } from '../../../kit/problem.ts'
import { attempt, mapAccepted, type Result, toProblem } from '../../../kit/results.ts'
import type { Author } from '../../../kit/writer.ts'
import type { ChatIdentity, ChatProvider } from '../../../plugins/chat.ts'
import { assertAccountSends } from '../account-provider.ts'
import type { ConversationRow } from '../conversations/queries.ts'
import { formatKinds, getWindowStart, hasRecipient } from '../identities.ts'
import type { MessageKind, Nature } from '../message-types.ts'
import { noIdentity, unsupportedMessage } from '../problems.ts'
import { assertSupported, assertTextFits, type MessageInput } from './message-input.ts'
import { assertOneLead, withLead } from './message-lead.ts'
import { type PreparedContent, prepareContents, type Sender, withSubject } from './prepare-content.ts'
import { findTarget } from './target.ts'
import { toOutgoing } from './to-outgoing.ts'

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
  /** Its step in the campaign, from 0. */
  campaignStep?: number | null
  /** When the campaign sends it. Missing: a person or the program writes it. */
  sendAt?: Date | null
  replyToId?: string | null
  retryOfId?: string | null
}

/** The conversation of a message as far as sending depends on it. */
export type TargetConversation = Pick<
  ConversationRow,
  'id' | 'leadId' | 'identities' | 'lastInboundAt' | 'unreadCount' | 'assignedUserId'
>

/** `own`: the conversation as it is; it may be of another lead of the person. */
export type OpenRequest = QueueRequest & { own: TargetConversation }

export interface PreparedMessage {
  request: OpenRequest
  /** The conversation as it is for the lead of the message. */
  conversation: TargetConversation
  replyToId: string | null
  kind: MessageKind
  content: PreparedContent
}

interface Draft extends Pick<PreparedMessage, 'request' | 'conversation' | 'replyToId'> {
  /** The provider's id of the message that it answers. */
  replyTo: string | null
}

/**
 * Refuses with 400 unknown references; 409 ACCOUNT_NOT_SENDING; 422 LEAD_AMBIGUOUS, NO_IDENTITY, UNSUPPORTED_MESSAGE,
 * TEXT_TOO_LONG, and those of templates and files. The caller shares the leads for a template and for another lead.
 */
export async function prepareMessages(
  tx: Tx,
  sender: Sender,
  requests: OpenRequest[],
): Promise<Result<PreparedMessage>[]> {
  const drafts: Result<Draft>[] = []
  for (const request of requests) drafts.push(await openDraft(tx, request).catch(toProblem))
  return mapAccepted(drafts, async accepted => {
    const contents = await findContents(tx, accepted, sender)
    return accepted.map((draft, index) => {
      const content = contents[index]!
      return content instanceof Problem ? content : attempt(() => prepareMessage(tx, draft, content, sender))
    })
  })
}

/** What does not exist is refused before what is not possible now. */
async function openDraft(tx: Tx, request: OpenRequest): Promise<Draft> {
  const { own, input, leadId = null } = request
  const conversation = await withLead(tx, own, leadId)
  const replyToId = request.replyToId ?? (input.kind === 'reaction' ? input.messageId : null)
  const target = { messageId: replyToId, kind: input.kind }
  const replyTo = replyToId === null ? null : await getProviderIdOf(tx, own.id, target as Target)
  if (input.kind === 'template' && leadId === null) await assertOneLead(tx, own)
  return { request, conversation, replyToId, replyTo }
}

interface Target {
  messageId: string
  kind: Input['kind']
}

async function findContents(tx: Tx, drafts: Draft[], sender: Sender): Promise<Result<PreparedContent>[]> {
  const written = await prepareContents(
    tx,
    drafts.flatMap(({ request: { input, author }, conversation }) =>
      input.kind === 'prepared' ? [] : { input, conversation, author },
    ),
    sender,
  )
  const next = written.values()
  return drafts.map(({ request: { input } }) =>
    input.kind === 'prepared' ? input.content : next.next().value!,
  )
}

function prepareMessage(
  tx: Tx,
  { request, conversation, replyToId, replyTo }: Draft,
  prepared: PreparedContent,
  { account, provider }: Sender,
): PreparedMessage {
  const { input, subject = null } = request
  const kind = input.kind === 'prepared' ? input.of : input.kind
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
  return { request, conversation, replyToId, kind, content }
}

function assertIdentity({ label, capabilities }: ChatProvider, identities: readonly ChatIdentity[]): void {
  const kinds = capabilities.identities
  if (hasRecipient(identities, kinds)) return
  throw new Problem(
    noIdentity,
    `The person has no ${formatKinds(kinds)}, which ${label} needs. Choose an account of another provider.`,
  )
}

/** An answer and a reaction need a message of the same conversation that the provider knows. Returns its id there. */
async function getProviderIdOf(tx: Tx, conversationId: string, { messageId, kind }: Target): Promise<string> {
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
