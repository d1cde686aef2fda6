/** The SQL statements of the log of AI replies, drafts included. */
import { findMentions } from '../../../domain/messaging/mentions.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page, toJsonObject } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import type { ModelRun } from './run-model.ts'
import type { AiReplyFilter } from './schemas.ts'

export type AiReplyStatus = 'draft' | 'sent' | 'discarded' | 'handed_off'

export interface NewReply {
  run: ModelRun
  messageId: string
  campaignId: string
  mode: 'draft' | 'auto'
  status: AiReplyStatus
  /** What the person gets; null: nothing. */
  text: string | null
  hasDisclosure: boolean
  sentMessageId: string | null
}

/** Returns the id. */
export async function insertReply(tx: Tx, { run, text, ...reply }: NewReply): Promise<string> {
  const { outcome, prompt, steps } = run
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('ai_replies')
    .values({
      tenant_id: getTenantId(tx),
      id,
      message_id: reply.messageId,
      campaign_id: reply.campaignId,
      status: reply.status,
      mode: reply.mode,
      text: text === null ? null : sanitizeText(text),
      has_disclosure: reply.hasDisclosure,
      sent_message_id: reply.sentMessageId,
      answers: sanitizeJson(outcome.kind === 'reply' ? outcome.answers : {}),
      appointment_id: run.appointmentId,
      hand_off: outcome.kind === 'handOff' ? sanitizeJson(outcome.handOff) : null,
      model: run.model,
      prompt: sanitizeJson(prompt),
      prompt_hash: run.promptHash,
      steps: sanitizeJson(steps),
      input_tokens: run.inputTokens,
      output_tokens: run.outputTokens,
      mentions: findMentions([prompt, steps, text]),
      created_at: now,
      decided_at: reply.status === 'draft' ? null : now,
    })
    .execute()
  return id
}

/** Drafts that an answer to a later message replaces, or that nobody may send any more. */
export async function discardDrafts(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  await sql`
    update ai_replies set status = 'discarded', decided_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and status = 'draft' and message_id in (
      select id from messages where tenant_id = ${getTenantId(tx)} and conversation_id = any(${conversationIds}::uuid[]))`.execute(
    tx,
  )
}

const replyJson = (details = sql``) =>
  toJsonObject(sql`
    r.id, m.conversation_id as "conversationId", r.message_id as "messageId", coalesce(m.lead_id, c.lead_id) as "leadId",
    r.campaign_id as "campaignId", r.status, r.mode, r.text, r.sent_message_id as "sentMessageId", r.answers, r.appointment_id as "appointmentId",
    r.hand_off as "handOff", r.model, r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.decided_by as "decidedByUserId",
    aldaba.iso_time(r.created_at) as "createdAt", aldaba.iso_time(r.decided_at) as "decidedAt"${details}`)

const joins = (tx: Tx) => sql`
  ai_replies r join messages m on m.tenant_id = ${getTenantId(tx)} and m.id = r.message_id
  join conversations c on c.tenant_id = ${getTenantId(tx)} and c.id = m.conversation_id`

/** The newest first. */
export function listReplies(tx: Tx, filter: AiReplyFilter, after: Position | null): Promise<Page> {
  const { conversationId = null, campaignId = null, status = null, limit } = filter
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${replyJson()} as json, array[r.id::text] as position from ${joins(tx)}
      where r.tenant_id = ${getTenantId(tx)} and (${conversationId}::uuid is null or m.conversation_id = ${conversationId}::uuid)
        and (${campaignId}::uuid is null or r.campaign_id = ${campaignId}::uuid) and (${status}::text is null or r.status = ${status}::text)
        and (${after?.[0] ?? null}::uuid is null or r.id < ${after?.[0] ?? null}::uuid)
      order by r.id desc limit ${limit + 1}`,
    limit,
  )
}

/** A reply with the input of the model, as JSON. Throws 404. */
export async function getReply(tx: Tx, id: string): Promise<string> {
  const details = sql`, r.prompt, r.prompt_hash as "promptHash", r.steps`
  const { rows } = await sql<{ json: string }>`
    select ${replyJson(details)}::text as json from ${joins(tx)} where r.tenant_id = ${getTenantId(tx)} and r.id = ${id}`.execute(
    tx,
  )
  if (!rows[0]) throw notFound('AI reply')
  return rows[0].json
}

/** Throws 404. */
export async function getConversationId(tx: Tx, replyId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select m.conversation_id as id from ${joins(tx)} where r.tenant_id = ${getTenantId(tx)} and r.id = ${replyId}`.execute(
    tx,
  )
  if (!rows[0]) throw notFound('AI reply')
  return rows[0].id
}

export interface Draft {
  status: AiReplyStatus
  text: string
  conversationId: string
  leadId: string | null
  campaignId: string
  answers: Record<string, string | number | boolean>
  hasDisclosure: boolean
  /** The position of the message that it answers. */
  sequence: number
}

/** A draft, locked until the transaction ends; other replies too. Throws 404. */
export async function lockReply(tx: Tx, id: string): Promise<Draft> {
  const { rows } = await sql<Draft>`
    select r.status, coalesce(r.text, '') as text, m.conversation_id as "conversationId", coalesce(m.lead_id, c.lead_id) as "leadId",
      r.campaign_id as "campaignId", r.answers, r.has_disclosure as "hasDisclosure", m.sequence
    from ${joins(tx)} where r.tenant_id = ${getTenantId(tx)} and r.id = ${id} for update of r`.execute(tx)
  if (!rows[0]) throw notFound('AI reply')
  return rows[0]
}

/** What a user has made of a draft. */
export async function endDraft(
  tx: Tx,
  id: string,
  end: {
    status: 'sent' | 'discarded'
    text: string
    hasDisclosure: boolean
    sentMessageId: string | null
    userId: string | null
  },
): Promise<void> {
  await sql`
    update ai_replies set status = ${end.status}, text = ${end.text}, has_disclosure = ${end.hasDisclosure},
      sent_message_id = ${end.sentMessageId}, decided_by = ${end.userId}, decided_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}
