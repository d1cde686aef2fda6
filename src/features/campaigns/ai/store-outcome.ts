/**
 * Stores what became of a run, in the transaction that queues the message: so nothing is sent twice. It decides again whether the person
 * may be answered at all.
 */
import { createHandOff, type HandOff } from '../../../domain/ai-replies/hand-off.ts'
import { formatDisclosure, formatHandOff } from '../../../domain/ai-replies/sentences.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import type { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { changeCustomFields } from '../../leads/service.ts'
import {
  findAnswerRefusal,
  handOverConversation,
  lockConversations,
  queueMessage,
  recordInboxChanges,
} from '../../messaging/service.ts'
import { type Claim, endClaim, findTakeover, lockClaim, quietMs, storeHandOff } from './conversations.ts'
import { aiReplyDrafted, conversationHandedOff } from './events.ts'
import { findAiSettings, findLastInbound, type Situation } from './read-situation.ts'
import { discardDrafts, insertReply, type NewReply } from './replies.ts'
import type { ModelRun } from './run-model.ts'

export interface OutcomeDependencies {
  accounts: Pick<ChatAccounts, 'getProvider'>
}

const backoffSeconds = [20, 60, 180]

export interface FinishedRun {
  claim: Claim
  situation: Situation
  run: ModelRun
}

/** True if the AI must not answer: the campaign, a person of the agency, the work on the lead or the person forbids it. */
export async function isStopped(
  tx: Tx,
  { accounts }: OutcomeDependencies,
  { claim, situation }: Pick<FinishedRun, 'claim' | 'situation'>,
): Promise<boolean> {
  const { conversationId, campaignId, lead } = situation
  if (lead.isClosed || !(await findAiSettings(tx, campaignId))?.enabled) return true
  if (await findTakeover(tx, conversationId, claim.resumedAt)) return true
  return (await findAnswerRefusal(tx, accounts, { conversationId, leadId: lead.id })) !== null
}

/** Throws a Problem if the message can't be queued: roll the transaction back, and hand the conversation over. */
export async function storeOutcome(
  tx: Tx,
  dependencies: OutcomeDependencies,
  finished: FinishedRun,
  { saysSo }: { saysSo: boolean },
): Promise<void> {
  const { claim, situation, run } = finished
  const { conversationId } = situation
  // See insert-message.ts of messaging for the order of locks.
  if (run.outcome.kind === 'reply' && situation.settings.mode === 'auto') await lockLeadWrites(tx)
  await lockConversations(tx, [conversationId])
  if (!(await lockClaim(tx, claim))) return
  const discard = () => insertReply(tx, toReply(finished, { status: 'discarded' }))
  if ((await findLastInbound(tx, conversationId)) > situation.sequence) {
    await discard()
    const at = new Date(getNow(tx).getTime() + quietMs)
    return endClaim(tx, conversationId, { again: { at, isNew: true }, hasAnswered: false })
  }
  if (await isStopped(tx, dependencies, finished)) {
    await discard()
    return endClaim(tx, conversationId, { again: null, hasAnswered: false })
  }
  if (run.outcome.kind === 'reply') return storeAnswer(tx, dependencies, finished, run.outcome)
  if (run.outcome.kind === 'handOff')
    return storeHandedOff(tx, dependencies, finished, { handOff: run.outcome.handOff, saysSo })
  const { error } = run.outcome
  const seconds = backoffSeconds[claim.attempts - 1]
  if (error.isRetryable && seconds !== undefined) {
    const at = new Date(getNow(tx).getTime() + Math.max(seconds * 1000, error.retryAfterMs))
    return endClaim(tx, conversationId, { again: { at, isNew: false }, hasAnswered: false })
  }
  const handOff = createHandOff('AI_UNAVAILABLE', error.message)
  return storeHandedOff(tx, dependencies, finished, { handOff, saysSo })
}

function toReply(
  { situation, run }: FinishedRun,
  given: Pick<NewReply, 'status'> & Partial<NewReply>,
): NewReply {
  const text = run.outcome.kind === 'reply' ? run.outcome.text : null
  const { messageId, campaignId, settings } = situation
  return {
    run,
    messageId,
    campaignId,
    mode: settings.mode,
    text,
    hasDisclosure: false,
    sentMessageId: null,
    ...given,
  }
}

/** The first message says that a machine writes. */
function addDisclosure({ isIntroduced, language, agency }: Situation, text: string) {
  return isIntroduced
    ? { text, hasDisclosure: false }
    : { text: `${formatDisclosure(language, agency)}\n\n${text}`, hasDisclosure: true }
}

async function storeAnswer(
  tx: Tx,
  { accounts }: OutcomeDependencies,
  finished: FinishedRun,
  outcome: ModelRun['outcome'] & { kind: 'reply' },
): Promise<void> {
  const { situation } = finished
  const { conversationId, settings, lead, campaignId } = situation
  const content = addDisclosure(situation, outcome.text)
  await discardDrafts(tx, [conversationId])
  if (settings.mode === 'draft') {
    const replyId = await insertReply(tx, toReply(finished, { status: 'draft', ...content }))
    await endClaim(tx, conversationId, { again: null, hasAnswered: false })
    await emit(tx, aiReplyDrafted, { replyId, conversationId, leadId: lead.id, campaignId })
    return recordInboxChanges(tx, [{ conversationId, messageId: null }])
  }
  const sentMessageId = await queueText(tx, accounts, situation, content.text)
  if (Object.keys(outcome.answers).length > 0) await changeCustomFields(tx, lead.id, outcome.answers)
  await insertReply(tx, toReply(finished, { status: 'sent', ...content, sentMessageId }))
  return endClaim(tx, conversationId, { again: null, hasAnswered: true })
}

async function queueText(
  tx: Tx,
  accounts: OutcomeDependencies['accounts'],
  { conversationId }: Pick<Situation, 'conversationId'>,
  text: string,
): Promise<string> {
  const input = { kind: 'text', text } as const
  const { id } = await queueMessage(tx, accounts, { conversationId, input, author: null, nature: 'ai' })
  return id
}

async function storeHandedOff(
  tx: Tx,
  { accounts }: OutcomeDependencies,
  finished: FinishedRun,
  { handOff, saysSo }: { handOff: HandOff; saysSo: boolean },
): Promise<void> {
  const { situation, run } = finished
  const { conversationId, settings, lead, campaignId, language, agency } = situation
  await discardDrafts(tx, [conversationId])
  const isTold = saysSo && settings.mode === 'auto'
  const content = isTold
    ? addDisclosure(situation, formatHandOff(language, agency))
    : { text: null, hasDisclosure: false }
  const sentMessageId = content.text === null ? null : await queueText(tx, accounts, situation, content.text)
  const logged = { ...run, outcome: { kind: 'handOff', handOff } as const }
  await insertReply(
    tx,
    toReply({ ...finished, run: logged }, { status: 'handed_off', ...content, sentMessageId }),
  )
  await storeHandOff(tx, conversationId, handOff)
  await handOverConversation(tx, conversationId, { assignedUserId: lead.ownerUserId })
  await emit(tx, conversationHandedOff, { conversationId, leadId: lead.id, campaignId, ...toReason(handOff) })
}

const toReason = ({ code, message }: HandOff) => ({ code, reason: message })

/** A refused message is no failure of the run: a person writes it, or finds another way. */
export const toNotSendable = (problem: Problem): ModelRun['outcome'] => ({
  kind: 'handOff',
  handOff: createHandOff('NOT_SENDABLE', problem.message),
})
