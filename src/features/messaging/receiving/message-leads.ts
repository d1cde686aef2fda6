/** The leads that messages of a conversation are about, and those whose messages a person answers. */
import type { Tx } from '../../../kit/db/index.ts'
import type { Reply } from '../../leads/service.ts'
import type { FoundConversation } from '../participants/find-or-create-conversation.ts'
import type { ReceivingAccount } from './inbound-event.ts'
import { findMessageLeads, findThreads, type Thread } from './queries.ts'

interface NewMessage {
  id: string
  conversation: FoundConversation
  conversationId: string
  direction: 'in' | 'out'
  replyToId: string | null
  isOfPerson: boolean
}

/**
 * Adds the leads to messages; null: that of the conversation. A message is about the lead of the message that it quotes,
 * else of the last one before it. Returns the threads as they were before.
 */
export async function addLeads<Message extends NewMessage>(
  tx: Tx,
  messages: Message[],
): Promise<{ messages: (Message & { leadId: string | null })[]; threads: Map<string, Thread> }> {
  const newIds = new Set(messages.map(({ id }) => id))
  const quotedIds = messages.flatMap(({ replyToId }) =>
    replyToId === null || newIds.has(replyToId) ? [] : replyToId,
  )
  const conversations = new Map(messages.map(({ conversation }) => [conversation.id, conversation]))
  // They are sent at once.
  const [threads, quoted] = await Promise.all([
    findThreads(
      tx,
      [...conversations.values()].map(({ id, absorbedIds }) => ({ id, isJoined: absorbedIds.length > 0 })),
    ),
    findMessageLeads(tx, quotedIds),
  ])
  const lastLeads = new Map([...threads].map(([id, { lastLeadId }]) => [id, lastLeadId]))
  const added = messages.map(message => {
    const { id, conversationId, direction, replyToId, isOfPerson } = message
    const quote = replyToId === null ? undefined : quoted.get(replyToId)
    const isQuoted = quote?.conversationId === conversationId
    const leadId = isQuoted ? quote.leadId : (lastLeads.get(conversationId) ?? null)
    quoted.set(id, { conversationId, leadId })
    if (isOfPerson || direction === 'out') lastLeads.set(conversationId, leadId)
    return { ...message, leadId }
  })
  return { messages: added, threads }
}

interface Answer extends NewMessage {
  leadId: string | null
  providerAt: Date
}

/**
 * That people wrote. The first message of a person answers everything that was written to them since they last wrote,
 * whatever lead it is about: each of these leads has replied. `leads`: those of the conversations.
 */
export function toReplies(
  { id: accountId, channel }: ReceivingAccount,
  messages: Answer[],
  { leads, threads }: { leads: Map<string, string | null>; threads: Map<string, Thread> },
): Reply[] {
  const answered = new Set<string>()
  return messages.flatMap(({ id: messageId, conversationId, leadId, providerAt: at, isOfPerson }) => {
    if (!isOfPerson) return []
    const toLeadId = (id: string | null) => id ?? leads.get(conversationId) ?? null
    const unanswered = answered.has(conversationId) ? [] : threads.get(conversationId)!.unansweredLeadIds
    answered.add(conversationId)
    const replied = new Set(unanswered.map(toLeadId))
    return [...new Set([toLeadId(leadId), ...replied])].flatMap(leadId =>
      leadId === null
        ? []
        : [{ leadId, at, isReply: replied.has(leadId), conversationId, messageId, accountId, channel }],
    )
  })
}
