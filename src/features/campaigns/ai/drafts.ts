/** What users do with drafts, and with the AI of a conversation. */
import { createHandOff } from '../../../domain/ai-replies/hand-off.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { type Author, lockLeadWrites } from '../../../kit/writer.ts'
import { changeCustomFields } from '../../leads/service.ts'
import {
  findAnswerRefusal,
  handOverConversation,
  lockConversations,
  queueMessage,
  recordInboxChanges,
} from '../../messaging/service.ts'
import { clearDueAnswers, findAiState, findTakeover, storeHandOff, storeResumption } from './conversations.ts'
import { conversationHandedOff } from './events.ts'
import { findConversationLead, findLastInbound } from './read-situation.ts'
import { type Draft, discardDrafts, endDraft, getConversationId, lockReply } from './replies.ts'
import type { ConversationAi } from './schemas.ts'
import type { OutcomeDependencies } from './store-outcome.ts'

async function lockDraft(tx: Tx, id: string): Promise<Draft> {
  // See insert-message.ts of messaging for the order of locks.
  await lockLeadWrites(tx)
  await lockConversations(tx, [await getConversationId(tx, id)])
  const found = await lockReply(tx, id)
  if (found.status === 'draft') return found
  throw new Problem(
    'INVALID_TRANSITION',
    `The AI reply is ${found.status}: only a draft can be sent or discarded.`,
  )
}

/**
 * Sends a draft in the name of the user. `text` null: as the AI wrote it. Throws 404; 409 INVALID_TRANSITION, also if the person has
 * written since; what `queueMessage` throws.
 */
export async function sendDraft(
  tx: Tx,
  { accounts }: OutcomeDependencies,
  id: string,
  { text, author }: { text: string | null; author: Author },
): Promise<void> {
  const draft = await lockDraft(tx, id)
  const { conversationId, leadId } = draft
  if ((await findLastInbound(tx, conversationId)) > draft.sequence)
    throw new Problem(
      'INVALID_TRANSITION',
      'The person has written since. Read the message: a new draft replaces this one within seconds, or write an answer yourself.',
    )
  const sent = text ?? draft.text
  const { id: messageId } = await queueMessage(tx, accounts, {
    conversationId,
    input: { kind: 'text', text: sent },
    author,
    nature: 'ai',
  })
  const [disclosure = ''] = draft.text.split('\n\n')
  await endDraft(tx, id, {
    status: 'sent',
    text: sent,
    hasDisclosure: draft.hasDisclosure && sent.includes(disclosure),
    sentMessageId: messageId,
    userId: author.userId,
  })
  if (leadId !== null && Object.keys(draft.answers).length > 0)
    await changeCustomFields(tx, leadId, draft.answers)
  await recordInboxChanges(tx, [{ conversationId, messageId: null }])
}

/** Throws 404; 409 INVALID_TRANSITION. */
export async function discardDraft(tx: Tx, id: string, author: Author): Promise<void> {
  const { text, conversationId } = await lockDraft(tx, id)
  const end = { status: 'discarded' as const, text, hasDisclosure: false, sentMessageId: null }
  await endDraft(tx, id, { ...end, userId: author.userId })
  await recordInboxChanges(tx, [{ conversationId, messageId: null }])
}

/** Throws 404 for a conversation that no campaign with AI has begun. */
export async function readConversationAi(
  tx: Tx,
  { accounts }: OutcomeDependencies,
  conversationId: string,
): Promise<ConversationAi> {
  const state = await findAiState(tx, conversationId)
  if (!state) throw notFound('AI of the conversation')
  const takenOverAt = await findTakeover(tx, conversationId, state.resumedAt)
  const { leadId } = await findConversationLead(tx, conversationId)
  const isStopped =
    leadId !== null && (await findAnswerRefusal(tx, accounts, { conversationId, leadId })) !== null
  const toIso = (time: Date | null) => time?.toISOString() ?? null
  return {
    conversationId,
    campaignId: state.campaignId,
    status: isStopped ? 'stopped' : state.handedOffAt ? 'handed_off' : takenOverAt ? 'taken_over' : 'active',
    handOff: state.handOff,
    handedOffAt: toIso(state.handedOffAt),
    takenOverAt: toIso(takenOverAt),
    answered: state.answered,
    nextAnswerAt: toIso(state.dueAt),
  }
}

/** Handles `conversationsRefused`: nothing is written to these people, and nothing waits to be. */
export async function dropAnswers(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  await discardDrafts(tx, conversationIds)
  await clearDueAnswers(tx, conversationIds)
}

/** Lets people, or the AI, answer from now on. Throws 404. */
export async function changeConversationAi(
  tx: Tx,
  conversationId: string,
  status: 'active' | 'handed_off',
): Promise<void> {
  await lockConversations(tx, [conversationId])
  const state = await findAiState(tx, conversationId)
  if (!state) throw notFound('AI of the conversation')
  if (status === 'active') {
    await storeResumption(tx, conversationId)
    return recordInboxChanges(tx, [{ conversationId, messageId: null }])
  }
  if (state.handedOffAt) return
  const handOff = createHandOff('BY_USER')
  await discardDrafts(tx, [conversationId])
  await storeHandOff(tx, conversationId, handOff)
  const { leadId, ownerUserId } = await findConversationLead(tx, conversationId)
  await handOverConversation(tx, conversationId, { assignedUserId: ownerUserId })
  const { code, message } = handOff
  await emit(tx, conversationHandedOff, {
    conversationId,
    leadId,
    campaignId: state.campaignId,
    code,
    reason: message,
  })
}
