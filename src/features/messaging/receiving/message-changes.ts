/** What a person does to a message afterwards: edits it, deletes it, reacts to it. Any of these may arrive first. */
import type { Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import { touchIdentities } from '../conversations/seen-identities.ts'
import { formatIdentity } from '../identities.ts'
import { deleteFilesOfMessages } from '../media/files.ts'
import { indexMessage, insertMessage } from '../messages/insert-message.ts'
import { type Reaction, setReaction } from '../messages/reactions.ts'
import { findOrCreateConversation } from '../participants/find-or-create-conversation.ts'
import { toStoredProviderId } from '../provider-ids.ts'
import { assignLead } from './conversation-lead.ts'
import { toStoredContent, toWord } from './inbound-content.ts'
import { findPerson, isErased, type ReceivingAccount, toReceivedTime } from './inbound-event.ts'
import { type EarlierText, findKnownMessage, type KnownMessage, updateMessage } from './queries.ts'

/** A person may edit a message any number of times. */
const earlierTextsMax = 10

type ChangeEvent = InboundEvent & { type: 'edited' | 'deleted' | 'reaction' }

/** Applies a change to its message. If the message has not arrived, it is stored as far as it is known. */
export async function changeMessage(tx: Tx, account: ReceivingAccount, event: ChangeEvent): Promise<void> {
  await lockLeadWrites(tx)
  const providerMessageId = toStoredProviderId(event.providerMessageId)
  const known = await findKnownMessage(tx, account.id, providerMessageId)
  if (!known) return insertUnknown(tx, account, event, providerMessageId)
  if (known.deletedAt) return
  if (event.type === 'reaction')
    await setReaction(tx, known.id, {
      from: 'person',
      emoji: event.emoji === null ? null : toWord(event.emoji),
      at: toReceivedTime(tx, event),
    })
  else if (event.type === 'edited') await editMessage(tx, known, event)
  else await deleteMessage(tx, known, toReceivedTime(tx, event))
}

async function editMessage(
  tx: Tx,
  known: KnownMessage,
  event: InboundEvent & { type: 'edited' },
): Promise<void> {
  const at = toReceivedTime(tx, event)
  const { text, content, kind, media } = toStoredContent(event.content)
  const { reactions, isEditedFirst } = known.content
  // Edits that arrive late are kept as earlier texts.
  if (known.editedAt && at <= known.editedAt) return addEarlierText(tx, known, text, at)
  const earlierTexts = withEarlierText(known.content.earlierTexts, known.text, at)
  // An edit of a caption does not repeat the file.
  const changedKind = media.length === 0 && kind !== 'media' ? { kind } : {}
  await updateMessage(tx, known, {
    ...changedKind,
    text,
    content: {
      ...content,
      ...(reactions && { reactions }),
      ...(isEditedFirst && { isEditedFirst }),
      earlierTexts,
    },
    edited_at: at,
  })
  await indexMessage(tx, { ...known, text, content: {} })
}

/** Keeps the text with which an edited message was first written, if the edit arrived before the message. */
export async function addOriginalText(tx: Tx, known: KnownMessage, text: string | null): Promise<void> {
  if (!known.content.isEditedFirst || known.deletedAt) return
  const { isEditedFirst: _, ...content } = known.content
  await updateMessage(tx, known, {
    content: { ...content, earlierTexts: withEarlierText(content.earlierTexts, text, known.editedAt!) },
  })
}

async function addEarlierText(tx: Tx, known: KnownMessage, text: string | null, at: Date): Promise<void> {
  if (text === known.text) return
  const earlierTexts = withEarlierText(known.content.earlierTexts, text, at)
  await updateMessage(tx, known, { content: { ...known.content, earlierTexts } })
}

function withEarlierText(texts: EarlierText[] = [], text: string | null, until: Date): EarlierText[] {
  if (text === null || texts.some(earlier => earlier.text === text)) return texts
  return [...texts, { text, until: until.toISOString() }].slice(-earlierTextsMax)
}

async function deleteMessage(tx: Tx, known: KnownMessage, at: Date): Promise<void> {
  await deleteFilesOfMessages(tx, [known.id])
  await updateMessage(tx, known, { text: null, content: {}, deleted_at: at })
  await indexMessage(tx, { ...known, text: null, content: {} })
}

/** The id under which a reaction is stored, because the message that it belongs to may still arrive. */
export const toReactionId = (providerMessageId: string): string =>
  toStoredProviderId(`reaction:${providerMessageId}`)

/** The reactions of a message that arrives after the reaction. */
export function toEarlierReactions({ content: { emoji }, providerAt }: KnownMessage): Reaction[] {
  return emoji ? [{ from: 'person', emoji, at: providerAt!.toISOString() }] : []
}

async function insertUnknown(
  tx: Tx,
  account: ReceivingAccount,
  event: ChangeEvent,
  providerMessageId: string,
): Promise<void> {
  const person = await findPerson(tx, event.from)
  if (!person || isErased(person, event)) return
  const at = toReceivedTime(tx, event)
  if (event.type === 'reaction') {
    const known = await findKnownMessage(tx, account.id, toReactionId(providerMessageId))
    if (known) return changeEarlyReaction(tx, known, event.emoji, at)
    if (event.emoji === null) return
  }
  const ownId = event.type === 'reaction' ? toReactionId(providerMessageId) : providerMessageId
  const { identities } = person
  const conversation = await findOrCreateConversation(tx, account.id, identities)
  const seen = identities.map(identity => ({ ...identity, wroteAt: at }))
  await touchIdentities(tx, account.id, seen)
  const { id } = await insertMessage(tx, {
    conversationId: conversation.id,
    direction: 'in',
    status: 'received',
    providerMessageId: ownId,
    providerAt: at,
    person: formatIdentity(identities[0]!),
    ...toPlaceholder(event),
  })
  if (event.type !== 'reaction')
    await updateMessage(
      tx,
      { id, conversationId: conversation.id },
      event.type === 'edited' ? { edited_at: at } : { deleted_at: at },
    )
  await assignLead(tx, conversation)
}

async function changeEarlyReaction(
  tx: Tx,
  known: KnownMessage,
  emoji: string | null,
  at: Date,
): Promise<void> {
  if (known.deletedAt || at <= known.providerAt!) return
  const word = emoji === null ? null : toWord(emoji)
  await updateMessage(tx, known, { content: { emoji: word }, provider_at: at })
}

function toPlaceholder(event: ChangeEvent) {
  if (event.type === 'reaction')
    return { kind: 'reaction', text: null, content: { emoji: toWord(event.emoji!) } } as const
  if (event.type === 'deleted') return { kind: 'unsupported', text: null } as const
  const { kind, text, content } = toStoredContent(event.content)
  return { kind, text, content: { ...content, isEditedFirst: true } }
}
