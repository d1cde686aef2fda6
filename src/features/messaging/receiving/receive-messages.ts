/** Stores what a person writes, or what the owner of the account writes to them with another program. */
import { isAnswer } from '../../../domain/messaging/opt-out-answers.ts'
import { findIntent, type MessageIntent } from '../../../domain/messaging/opt-out-words.ts'
import { createId } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import { recordContacts, recordReplies } from '../../leads/service.ts'
import { enqueueReceiptOf } from '../conversations/mark-read.ts'
import { setSubject } from '../conversations/queries.ts'
import { touchIdentities } from '../conversations/seen-identities.ts'
import { messageReceived, messageSent } from '../events.ts'
import { formatIdentity } from '../identities.ts'
import { insertInboundFiles } from '../media/files.ts'
import { applyKeptStatuses } from '../messages/early-statuses.ts'
import { insertMessages, type NewMessage } from '../messages/insert-message.ts'
import {
  type FoundConversation,
  findOrCreateConversations,
} from '../participants/find-or-create-conversation.ts'
import { toStoredProviderId } from '../provider-ids.ts'
import { findOrCreateLeads } from './conversation-lead.ts'
import { toContext, toStoredContent, toWord } from './inbound-content.ts'
import { findPeople, isErased, type Person, type ReceivingAccount, toReceivedTime } from './inbound-event.ts'
import { addOriginalText, toEarlierReactions, toReactionId } from './message-changes.ts'
import { addLeads, toReplies } from './message-leads.ts'
import { optOutPerson } from './opt-outs.ts'
import { deleteReaction, findDialogueText, findKnownMessages, type KnownMessage } from './queries.ts'

export type MessageEvent = InboundEvent & { type: 'message' }

type KnownMessages = Map<string, KnownMessage>

/** A new message, with the person with whom it was exchanged. */
interface NewEvent {
  event: MessageEvent
  person: Person
}

/**
 * Stores messages that people sent to the account, or the owner of the account to people, in their order. Each is stored
 * once, however often it arrives.
 */
export async function receiveMessages(
  tx: Tx,
  account: ReceivingAccount,
  events: MessageEvent[],
): Promise<void> {
  // Independent statements are sent at once, and run in this order, here and below.
  const [, known, people] = await Promise.all([
    lockLeadWrites(tx),
    findKnownMessages(tx, account.id, events.flatMap(toKnownIds)),
    findPeople(
      tx,
      events.map(({ from }) => from),
    ),
  ])
  const arrived = new Map<string, NewEvent>()
  for (const [index, event] of events.entries()) {
    const person = people[index]
    const providerMessageId = toStoredProviderId(event.providerMessageId)
    const earlier = known.get(providerMessageId)
    if (earlier) await addOriginalText(tx, earlier, toStoredContent(event.content).text)
    else if (person && !isErased(person, event) && !arrived.has(providerMessageId))
      arrived.set(providerMessageId, { event, person })
  }
  if (arrived.size > 0) await storeMessages(tx, account, arrived, known)
}

/** The ids of the message, of a reaction that arrived before it, and of the message that it answers. */
function toKnownIds({ providerMessageId, replyTo }: MessageEvent): string[] {
  const id = toStoredProviderId(providerMessageId)
  return [id, toReactionId(id), ...(replyTo === null ? [] : [toStoredProviderId(replyTo)])]
}

async function storeMessages(
  tx: Tx,
  account: ReceivingAccount,
  arrived: Map<string, NewEvent>,
  known: KnownMessages,
): Promise<void> {
  const placed = await placeMessages(tx, account, arrived)
  const dialogueTexts = await findDialogueTexts(tx, placed)
  const { messages, threads } = await addLeads(tx, toMessages(tx, placed, { known, dialogueTexts }))
  await insertMessages(tx, messages)
  await storeParts(tx, messages, known)
  for (const { id, conversationId, event } of messages)
    if (event.isAwaited) await enqueueReceiptOf(tx, { conversationId, messageId: id })
  const byConversation = [...Map.groupBy(messages, ({ conversationId }) => conversationId).values()]
  const leads = await findLeads(tx, account, byConversation)
  const { isEcho } = placed[0]!.event
  const toLeadId = ({ leadId, conversationId }: (typeof messages)[number]) =>
    leadId ?? leads.get(conversationId)!
  if (isEcho)
    await recordContacts(
      tx,
      messages.flatMap(message => {
        const leadId = toLeadId(message)
        return leadId ? { leadId, at: message.providerAt, hasNotice: false } : []
      }),
    )
  else await recordReplies(tx, toReplies(account, messages, { leads, threads }))
  await emitMany(
    tx,
    isEcho ? messageSent : messageReceived,
    messages.map(message => ({
      messageId: message.id,
      conversationId: message.conversationId,
      accountId: account.id,
      leadId: toLeadId(message),
      campaignId: null,
      campaignStep: null,
    })),
  )
  if (isEcho)
    await applyKeptStatuses(
      tx,
      account.id,
      messages.map(({ providerMessageId }) => providerMessageId),
    )
  for (const own of byConversation) await optOut(tx, account, own)
}

/** True for what a person wrote; false for a machine of theirs, and for the owner of the account. */
const isOfPerson = ({ isEcho, nature }: MessageEvent): boolean => !isEcho && nature === 'person'

/** A new message with its conversation. */
interface PlacedMessage extends NewEvent {
  providerMessageId: string
  conversation: FoundConversation
}

async function placeMessages(
  tx: Tx,
  account: ReceivingAccount,
  arrived: Map<string, NewEvent>,
): Promise<PlacedMessage[]> {
  const people = [...arrived.values()].map(({ person }) => person.identities)
  const conversations = await findOrCreateConversations(tx, account.id, people)
  const seen = [...arrived.values()].flatMap(({ event, person }) => {
    const wroteAt = isOfPerson(event) ? toReceivedTime(tx, event) : null
    return person.identities.map(identity => ({ ...identity, wroteAt }))
  })
  await touchIdentities(tx, account.id, seen)
  return [...arrived].map(([providerMessageId, { event, person }], index) => ({
    providerMessageId,
    event,
    person,
    conversation: conversations[index]!,
  }))
}

/** What was last written to the people whose words may answer it, by conversation. */
async function findDialogueTexts(tx: Tx, placed: PlacedMessage[]): Promise<Map<string, string>> {
  const unclear = placed.filter(({ event }) => readIntent(event)?.answers)
  const texts = new Map<string, string>()
  for (const id of new Set(unclear.map(({ conversation }) => conversation.id))) {
    const text = await findDialogueText(tx, id)
    if (text !== null) texts.set(id, text)
  }
  return texts
}

type ReceivedMessage = ReturnType<typeof toMessages>[number]

interface Surroundings {
  known: KnownMessages
  /** See `findDialogueTexts`. */
  dialogueTexts: Map<string, string>
}

function toMessages(tx: Tx, placed: PlacedMessage[], { known, dialogueTexts }: Surroundings) {
  // Ids of the same millisecond are in random order.
  const ids = placed.map(() => createId(tx)).sort()
  const newIds = new Map(placed.map(({ providerMessageId }, index) => [providerMessageId, ids[index]!]))
  return placed.map(({ providerMessageId, event, person, conversation }) => {
    const { isEcho, nature } = event
    const stored = toStoredContent(event.content)
    const isTheirs = isOfPerson(event)
    const request = isTheirs ? readIntent(event) : null
    const isAnswered = request && isAnswer(request, dialogueTexts.get(conversation.id) ?? '')
    const intent = isAnswered ? null : request
    const replyTo = event.replyTo === null ? null : toStoredProviderId(event.replyTo)
    const reaction = known.get(toReactionId(providerMessageId))
    return {
      event,
      conversation,
      conversationId: conversation.id,
      isOfPerson: isTheirs,
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
      person: isEcho ? null : formatIdentity(person.identities[0]!),
    } satisfies NewMessage & Record<string, unknown>
  })
}

/**
 * What the person requests. The title of a choice answers us ("¿Qué planta? [Baja] [Primera]"): only its id, which an
 * approved template or a program gave it, says that it is a refusal.
 */
function readIntent({ content, email }: MessageEvent): MessageIntent | null {
  if (content.kind === 'text') return findIntent(content.text, { isEmail: email !== null })
  return content.kind === 'choice' ? findIntent(content.id) : null
}

/** Stores the files and the subjects, and removes what stood for the reactions. */
async function storeParts(tx: Tx, messages: ReceivedMessage[], known: KnownMessages): Promise<void> {
  const subjects = new Map<string, string>()
  for (const { id, conversationId, media, event, providerMessageId } of messages) {
    if (media.length > 0) await insertInboundFiles(tx, id, media)
    const subject = event.email?.subject
    if (subject && !subjects.has(conversationId)) subjects.set(conversationId, toWord(subject))
    const reaction = known.get(toReactionId(providerMessageId))
    if (reaction) await deleteReaction(tx, reaction)
  }
  for (const [conversationId, subject] of subjects) await setSubject(tx, conversationId, subject)
}

/** The leads of the conversations. What a machine sends makes none, nor does the owner of the account. */
function findLeads(
  tx: Tx,
  { channel }: ReceivingAccount,
  byConversation: ReceivedMessage[][],
): Promise<Map<string, string | null>> {
  return findOrCreateLeads(
    tx,
    byConversation.map(messages => {
      const { conversation } = messages[0]!
      const first = messages.find(({ isOfPerson }) => isOfPerson)
      const wrote = first && {
        name: first.event.profileName === null ? null : toWord(first.event.profileName),
        channels: [channel],
        proof: `The person wrote at ${first.providerAt.toISOString()}: message ${first.id}.`,
      }
      return { conversation, wrote: wrote ?? null }
    }),
  )
}

/** Opts the person of a conversation out, if a message says so. */
async function optOut(tx: Tx, account: ReceivingAccount, messages: ReceivedMessage[]): Promise<void> {
  const refusal = messages.findLast(({ intent }) => intent?.kind === 'opt_out')
  if (!refusal?.intent) return
  const { id: messageId, conversationId, intent, providerAt: requestedAt } = refusal
  await optOutPerson(tx, account, { conversationId, messageId, intent, requestedAt })
}
