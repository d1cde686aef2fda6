/** The SQL statements with which recipients advance. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import { requestHeldUp } from '../held-up.ts'
import type { Reason } from '../recipients/reasons.ts'
import type { End } from './decide-step.ts'

interface LateSend {
  id: string
  at: Date
  status: string
}

/** The message of their step was sent after they had ended: a retry goes on with the next one. */
export async function storeSent(tx: Tx, sent: readonly LateSend[]): Promise<void> {
  if (sent.length === 0) return
  const ids = sent.map(({ id }) => id)
  await sql`
    update campaign_recipients r set step = r.step + 1, last_step_at = s.at, last_sent_at = greatest(r.last_sent_at, s.at), status = s.status,
      updated_at = ${getNow(tx)}
    from unnest(${ids}::uuid[], ${sent.map(({ at }) => at)}::timestamptz[], ${sent.map(({ status }) => status)}::text[]) as s (id, at, status)
    where r.tenant_id = ${getTenantId(tx)} and r.id = s.id and r.id = any(${ids}::uuid[])`.execute(tx)
}

export interface Advance {
  id: string
  step: number
  sentAt: Date
  lastStepAt: Date
  /** Null: no step follows. */
  dueAt: Date | null
  /** Null: the next step waits. */
  end: End | null
}

/** The message of the step was sent: the next one waits, or the sequence has ended. */
export async function storeAdvances(tx: Tx, advances: readonly Advance[]): Promise<void> {
  if (advances.length === 0) return
  const rows = advances.map(({ id, step, sentAt, lastStepAt, dueAt, end }) => ({
    id,
    step,
    sent_at: sentAt,
    last_step_at: lastStepAt,
    due_at: dueAt,
    status: end?.status ?? 'waiting',
    reason: end?.reason ?? null,
    ended_at: end ? getNow(tx) : null,
  }))
  const { rows: changed } = await sql<{ leadId: string | null; status: string }>`
    update campaign_recipients r set status = a.status, step = a.step, last_sent_at = greatest(r.last_sent_at, a.sent_at),
      last_step_at = a.last_step_at, due_at = a.due_at, planned_at = null, message_id = null, reason = a.reason, ended_at = a.ended_at,
      updated_at = ${getNow(tx)}
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as a (id uuid, step int, sent_at timestamptz, last_step_at timestamptz,
      due_at timestamptz, status text, reason jsonb, ended_at timestamptz)
    where r.tenant_id = ${getTenantId(tx)} and r.id = a.id and r.id = any(${advances.map(({ id }) => id)}::uuid[])
    returning r.lead_id as "leadId", r.status`.execute(tx)
  await requestHeldUp(
    tx,
    changed.flatMap(({ leadId, status }) => (status === 'waiting' ? [] : leadId)),
  )
}

/** Their messages were withdrawn before they were sent: the steps are planned again. */
export async function storePlannedAgain(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const tenantId = getTenantId(tx)
  await sql`
    delete from campaign_sends s using campaign_recipients r
    where s.tenant_id = ${tenantId} and s.recipient_id = any(${ids}::uuid[])
      and r.tenant_id = ${tenantId} and r.id = s.recipient_id and s.message_id = r.message_id`.execute(tx)
  await sql`
    update campaign_recipients set status = 'waiting', planned_at = null, message_id = null, updated_at = ${getNow(tx)}
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(tx)
}

/** Their step is not planned before. */
export async function storeDue(tx: Tx, ids: readonly string[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update campaign_recipients set due_at = greatest(due_at, ${dueAt}::timestamptz)
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
}

/**
 * Messages that counted as sent have failed: nothing more is sent to their recipients. A retry sends the step again, unless a later
 * one has become a message.
 */
export async function failLater(
  tx: Tx,
  failed: readonly { messageId: string; reason: Reason }[],
): Promise<void> {
  if (failed.length === 0) return
  const tenantId = getTenantId(tx)
  const rows = failed.map(({ messageId, reason }) => ({ message_id: messageId, reason }))
  const { rows: ended } = await sql<{ leadId: string | null }>`
    update campaign_recipients r set status = 'failed', reason = f.reason, due_at = null, planned_at = null,
      step = case when f.is_last then f.step else r.step end,
      last_sent_at = case when f.is_last then f.sent_before else r.last_sent_at end,
      ended_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    from (
      select s.recipient_id, s.round, s.step, f.reason, not exists (
          select from campaign_sends o where o.tenant_id = ${tenantId} and o.recipient_id = s.recipient_id and o.round = s.round
            and o.step > s.step and o.message_id is not null) as is_last,
        (select max(m.sent_at) from campaign_sends o join messages m on m.tenant_id = ${tenantId} and m.id = o.message_id
          where o.tenant_id = ${tenantId} and o.recipient_id = s.recipient_id and o.round = s.round and o.step < s.step
            and m.status <> 'failed') as sent_before
      from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as f (message_id uuid, reason jsonb)
      join campaign_sends s on s.tenant_id = ${tenantId} and s.message_id = f.message_id) f
    where r.tenant_id = ${tenantId} and r.id = f.recipient_id and r.round = f.round
      and r.status in ('waiting', 'planned', 'queued', 'completed')
    returning r.lead_id as "leadId"`.execute(tx)
  await requestHeldUp(
    tx,
    ended.map(({ leadId }) => leadId),
  )
}
