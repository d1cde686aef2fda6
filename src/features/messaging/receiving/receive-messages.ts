/** Stores what a person writes, or what the owner of the account writes to them with another program. */
import { findIntent, type MessageIntent } from '../../../domain/messaging/opt-out-words.ts'
import { createId } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundContent, InboundEvent } from '../../../plugins/chat.ts'
import { recordReply } from '../../leads/service.ts'
import { messageReceived, messageSent } from '../events.ts'
import { insertInboundFiles } from '../media/files.ts'
import { applyKeptStatuses } from '../messages/early-statuses.ts'
import { insertMessages, type NewMessage } from '../messages/insert-message.ts'
import {
  type FoundConversation,
  findOrCreateConversation,
} from '../participants/find-or-create-conversation.ts'
import { toStoredProviderId } from '../provider-ids.ts'
import { findOrCreateLead } from './conversation-lead.ts'
import { toContext, toStoredContent, toWord } from './inbound-content.ts'
import { findPerson, isErased, type Person, type ReceivingAccount, toReceivedTime } from './inbound-event.ts'
import { addOriginalText, toEarlierReactions, toReactionId } from './message-changes.ts'
import { optOutPerson } from './opt-outs.ts'
import {
  awaitsReply,
  deleteReaction,
  findKnownMessages,
  isAskedLast,
  type KnownMessage,
  setSubject,
} from './queries.ts'
import { formatIdentity } from './valid-identities.ts'

export type MessageEvent = InboundEvent & { type: 'message' }

type KnownMessages = Map<string, KnownMessage>

/**
 * Stores messages between the account and one person, all of the same side, in their order. Each is stored once, however
 * often it arrives.
 */
export async function receiveMessages(
  tx: Tx,
  account: ReceivingAccount,
  events: MessageEvent[],
): Promise<void> {
  // Independent statements are sent at once, and run in this order, here and below.
  const [, known, person] = await Promise.all([
    lockLeadWrites(tx),
    findKnownMessages(tx, account.id, events.flatMap(toKnownIds)),
    findPerson(tx, events[0]!.from),
  ])
  const news = new Map<string, MessageEvent>()
  for (const event of events) {
    const providerMessageId = toStoredProviderId(event.providerMessageId)
    const earlier = known.get(providerMessageId)
    if (earlier) await addOriginalText(tx, earlier, toStoredContent(event.content).text)
    else if (person && !isErased(person, event) && !news.has(providerMessageId))
      news.set(providerMessageId, event)
  }
  if (person && news.size > 0) await storeMessages(tx, account, person, news, known)
}

/** The ids of the message, of a reaction that arrived before it, and of the message that it answers. */
function toKnownIds({ providerMessageId, replyTo }: MessageEvent): string[] {
  const id = toStoredProviderId(providerMessageId)
  return [id, toReactionId(id), ...(replyTo === null ? [] : [toStoredProviderId(replyTo)])]
}

async function storeMessages(
  tx: Tx,
  account: ReceivingAccount,
  person: Person,
  news: Map<string, MessageEvent>,
  known: KnownMessages,
): Promise<void> {
  const conversation = await findOrCreateConversation(tx, {
    accountId: account.id,
    leadId: null,
    identities: person.identities,
  })
  const isReply = await awaitsReply(tx, conversation.id)
  const isUnclear = [...news.values()].some(({ content }) => readIntent(content)?.isUnclear)
  const isAsked = isUnclear && (await isAskedLast(tx, conversation.id))
  const messages = toMessages(tx, person, { news, known, isAsked })
  await insertMessages(tx, conversation.id, messages)
  await storeParts(tx, conversation.id, messages, known)
  const [{ event }] = messages as [ReceivedMessage]
  const firstOfPerson = messages.find(({ isOfPerson }) => isOfPerson)
  const leadId = await findLead(tx, account, conversation, firstOfPerson)
  const ids = { conversationId: conversation.id, accountId: account.id }
  await Promise.all([
    firstOfPerson &&
      leadId &&
      recordReply(tx, leadId, {
        at: new Date(Math.max(...messages.map(({ providerAt }) => providerAt.getTime()))),
        isReply,
        channel: account.channel,
        messageId: firstOfPerson.id,
        ...ids,
      }),
    emitMany(
      tx,
      event.isEcho ? messageSent : messageReceived,
      messages.map(({ id }) => ({ messageId: id, ...ids, leadId, campaignId: null })),
    ),
  ])
  if (event.isEcho)
    await applyKeptStatuses(
      tx,
      account.id,
      messages.map(({ providerMessageId }) => providerMessageId),
    )
  const refusal = messages.findLast(({ intent }) => intent?.kind === 'opt_out')
  if (refusal?.intent) {
    const { id: messageId, intent, providerAt: requestedAt } = refusal
    await optOutPerson(tx, account, { conversationId: conversation.id, messageId, intent, requestedAt })
  }
}

type ReceivedMessage = ReturnType<typeof toMessages>[number]

interface NewMessages {
  news: Map<string, MessageEvent>
  known: KnownMessages
  /** The last message to the person is a question. */
  isAsked: boolean
}

function toMessages(tx: Tx, person: Person, { news, known, isAsked }: NewMessages) {
  const sender = formatIdentity(person.identities[0]!)
  // Ids of the same millisecond are in random order.
  const ids = Array.from(news, () => createId(tx)).sort()
  const newIds = new Map([...news.keys()].map((providerMessageId, index) => [providerMessageId, ids[index]!]))
  return [...news].map(([providerMessageId, event]) => {
    const { isEcho, nature } = event
    const stored = toStoredContent(event.content)
    const isOfPerson = !isEcho && nature === 'person'
    const request = isOfPerson ? readIntent(event.content) : null
    const intent = request?.isUnclear && isAsked ? null : request
    const replyTo = event.replyTo === null ? null : toStoredProviderId(event.replyTo)
    const reaction = known.get(toReactionId(providerMessageId))
    return {
      event,
      isOfPerson,
      intent,
      media: stored.media,
      id: newIds.get(providerMessageId)!,
      direction: isEcho ? 'out' : 'in',
      kind: stored.kind,
      text: stored.text,
      content: {
        ...stored.content,
        ...toContext(event),
        ...(intent && { intent: intent.kind }),
        ...(reaction && { reactions: toEarlierReactions(reaction) }),
      },
      status: isEcho ? 'sent' : 'received',
      nature: isEcho ? 'person' : nature,
      replyToId: replyTo === null ? null : (newIds.get(replyTo) ?? known.get(replyTo)?.id ?? null),
      providerMessageId,
      providerAt: toReceivedTime(tx, event),
      person: isEcho ? null : sender,
    } satisfies Omit<NewMessage, 'conversationId'> & Record<string, unknown>
  })
}

/**
 * What the person requests. The title of a choice answers us ("¿Qué planta? [Baja] [Primera]"): only its id, which an
 * approved template or a program gave it, says that it is a refusal.
 */
function readIntent(content: InboundContent): MessageIntent | null {
  if (content.kind === 'text') return findIntent(content.text)
  return content.kind === 'choice' ? findIntent(content.id) : null
}

/** Stores the files and the subject, and removes what stood for the reactions. */
async function storeParts(
  tx: Tx,
  conversationId: string,
  messages: ReceivedMessage[],
  known: KnownMessages,
): Promise<void> {
  for (const { id, media } of messages) if (media.length > 0) await insertInboundFiles(tx, id, media)
  const subject = messages.map(({ event }) => event.email?.subject).find(Boolean)
  if (subject) await setSubject(tx, conversationId, toWord(subject))
  const reactions = messages.flatMap(
    ({ providerMessageId }) => known.get(toReactionId(providerMessageId)) ?? [],
  )
  for (const reaction of reactions) await deleteReaction(tx, reaction)
}

/** The lead of the conversation. What a machine sends makes none, nor does the owner of the account. */
function findLead(
  tx: Tx,
  { channel }: ReceivingAccount,
  conversation: FoundConversation,
  message: ReceivedMessage | undefined,
): Promise<string | null> {
  if (!message) return findOrCreateLead(tx, conversation, null)
  const { id, event, providerAt } = message
  return findOrCreateLead(tx, conversation, {
    name: event.profileName === null ? null : toWord(event.profileName),
    channel,
    proof: `The person wrote at ${providerAt.toISOString()}: message ${id}.`,
  })
}
