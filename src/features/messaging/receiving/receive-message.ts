/** Stores what a person writes, or what the owner of the account writes to them with another program. */
import { findIntent } from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import { recordReply } from '../../leads/service.ts'
import { messageReceived, messageSent } from '../events.ts'
import { insertInboundFiles } from '../media/files.ts'
import { applyKeptStatuses } from '../messages/early-statuses.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { findOrCreateLead } from './conversation-lead.ts'
import { findOrCreateConversation } from './find-or-create-conversation.ts'
import { formatIdentity, toStoredProviderId } from './identities.ts'
import { type StoredContent, toContext, toStoredContent, toWord } from './inbound-content.ts'
import { findPerson, type ReceivingAccount, toReceivedTime } from './inbound-event.ts'
import { addOriginalText } from './message-changes.ts'
import { optOutPerson } from './opt-outs.ts'
import { awaitsReply, findKnownMessage, setSubject } from './queries.ts'

type MessageEvent = InboundEvent & { type: 'message' }

/** Stores a message once, whatever how often it arrives. */
export async function receiveMessage(tx: Tx, account: ReceivingAccount, event: MessageEvent): Promise<void> {
  const stored = toStoredContent(event.content)
  const providerMessageId = toStoredProviderId(event.providerMessageId)
  // Independent statements are sent at once, and run in this order, here and below.
  const [, known, person] = await Promise.all([
    lockLeadWrites(tx),
    findKnownMessage(tx, account.id, providerMessageId),
    findPerson(tx, event),
  ])
  if (known) return addOriginalText(tx, known, stored.text)
  if (!person) return
  const conversation = await findOrCreateConversation(tx, {
    accountId: account.id,
    leadId: null,
    identities: person.identities,
  })
  const at = toReceivedTime(tx, event)
  const isPerson = !event.isEcho && event.nature === 'person'
  const [isReply, replyToId] = await Promise.all([
    isPerson && awaitsReply(tx, conversation.id),
    findReplyTo(tx, account.id, event.replyTo),
  ])
  const intent =
    isPerson && stored.media.length === 0 && stored.text !== null ? findIntent(stored.text) : null
  const { id } = await insertMessage(tx, {
    conversationId: conversation.id,
    direction: event.isEcho ? 'out' : 'in',
    kind: stored.kind,
    text: stored.text,
    content: { ...stored.content, ...toContext(event), ...(intent && { intent: intent.kind }) },
    status: event.isEcho ? 'sent' : 'received',
    nature: event.isEcho ? 'person' : event.nature,
    replyToId,
    providerMessageId,
    providerAt: at,
    person: event.isEcho ? null : formatIdentity(person.identities[0]!),
  })
  await storeParts(tx, { conversationId: conversation.id, messageId: id }, stored, event)
  const leadId = await findOrCreateLead(
    tx,
    conversation,
    isPerson
      ? {
          name: event.profileName === null ? null : toWord(event.profileName),
          channel: account.channel,
          proof: `The person wrote at ${at.toISOString()}: message ${id}.`,
        }
      : null,
  )
  const ids = { messageId: id, conversationId: conversation.id, accountId: account.id }
  await Promise.all([
    isPerson && leadId && recordReply(tx, leadId, { at, isReply, channel: account.channel, ...ids }),
    emit(tx, event.isEcho ? messageSent : messageReceived, { ...ids, leadId, campaignId: null }),
  ])
  if (event.isEcho) await applyKeptStatuses(tx, account.id, providerMessageId)
  if (intent?.kind === 'opt_out')
    await optOutPerson(tx, account, { ...person, conversationId: conversation.id, messageId: id, intent })
}

async function findReplyTo(tx: Tx, accountId: string, replyTo: string | null): Promise<string | null> {
  if (replyTo === null) return null
  return (await findKnownMessage(tx, accountId, toStoredProviderId(replyTo)))?.id ?? null
}

async function storeParts(
  tx: Tx,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  { media }: StoredContent,
  { email }: MessageEvent,
): Promise<void> {
  await insertInboundFiles(tx, messageId, media)
  if (email?.subject) await setSubject(tx, conversationId, toWord(email.subject))
}
