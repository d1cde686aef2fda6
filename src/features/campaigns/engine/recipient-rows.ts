/** Reads recipients with what has happened since they joined. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Reason } from '../recipients/reasons.ts'
import type { RecipientState } from './decide-step.ts'

export type RecipientStatus =
  | 'waiting'
  | 'planned'
  | 'queued'
  | 'completed'
  | 'stopped'
  | 'skipped'
  | 'failed'

export interface RecipientRow extends RecipientState {
  id: string
  campaignId: string
  round: number
  status: RecipientStatus
  /** Null: it has ended. */
  dueAt: Date | null
  plannedAt: Date | null
  messageId: string | null
  reason: Reason | null
}

/** Statuses of leads that are known to have answered. */
export const answeredStatuses = ['replied', 'qualified'] as const

/**
 * Selects recipients `r` with their leads `l`. A booking counts if scheduling has recorded it as a reply. Somebody who answered elsewhere, such
 * as by phone, has replied when a user notes it as the status of the lead.
 */
export async function selectRecipients(
  tx: Tx,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<RecipientRow[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<RecipientRow>`
    select r.id, r.campaign_id as "campaignId", r.lead_id as "leadId", r.round, r.status, r.step, r.due_at as "dueAt",
      r.planned_at as "plannedAt", r.message_id as "messageId", r.last_step_at as "lastStepAt", r.last_sent_at as "lastSentAt",
      r.joined_at as "joinedAt", r.reason, l.status as "leadStatus",
      case when l.last_reply_at > r.joined_at then l.last_reply_at
        when l.status = any(${answeredStatuses}::text[]) and l.status_changed_at > r.last_sent_at then l.status_changed_at
        end as "repliedAt",
      case when l.last_reply_at > r.joined_at then (
        select true from appointments a
        where a.tenant_id = ${tenantId} and a.lead_id = r.lead_id and a.created_at > r.joined_at and a.created_at <= l.last_reply_at
        limit 1) is not null else false end as "hasBooked"
    from campaign_recipients r left join leads l on l.tenant_id = ${tenantId} and l.id = r.lead_id
    where r.tenant_id = ${tenantId} and ${condition} ${rest}`.execute(tx)
  return rows
}
