/** The SQL statements with which planned messages are queued. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeJson } from '../../../kit/sanitize-text.ts'
import type { Reason } from '../recipients/reasons.ts'
import { type RecipientRow, selectRecipients } from './recipient-rows.ts'

/** Locks planned recipients, the earliest first. Those that another worker has locked are left out. */
export const lockPlanned = (tx: Tx, campaignId: string, limit: number): Promise<RecipientRow[]> =>
  selectRecipients(
    tx,
    sql`r.campaign_id = ${campaignId} and r.status = 'planned'`,
    sql`order by r.planned_at, r.id limit ${limit} for no key update of r skip locked`,
  )

export interface StepSend {
  recipient: Pick<
    RecipientRow,
    'id' | 'campaignId' | 'round' | 'step' | 'plannedAt' | 'leadId' | 'lastSentAt'
  >
  templateId: string
  /** `A`, `B`, …; null: the step has one template. */
  variant: string | null
  /** Null: the step was refused, for the reason. */
  messageId: string | null
  reason: Reason | null
}

/** Records the steps with the lawful basis of that time: the evidence of why somebody was contacted. */
export async function storeSends(tx: Tx, sends: readonly StepSend[]): Promise<void> {
  if (sends.length === 0) return
  const tenantId = getTenantId(tx)
  const rows = sends.map(({ recipient, templateId, variant, messageId, reason }) => ({
    recipient_id: recipient.id,
    campaign_id: recipient.campaignId,
    lead_id: recipient.leadId,
    round: recipient.round,
    step: recipient.step,
    planned_at: recipient.plannedAt,
    template_id: templateId,
    variant,
    message_id: messageId,
    is_start: recipient.lastSentAt === null,
    reason,
  }))
  await sql`
    insert into campaign_sends (tenant_id, recipient_id, round, step, campaign_id, template_id, variant, planned_at, message_id, is_start, basis, reason, created_at)
    select ${tenantId}::uuid, s.recipient_id, s.round, s.step, s.campaign_id, s.template_id, s.variant, s.planned_at, s.message_id, s.is_start,
      case when l.lawful_basis is not null then jsonb_build_object('kind', l.lawful_basis,
        'recordedAt', aldaba.iso_time(l.lawful_basis_at), 'proof', l.lawful_basis_proof) end,
      s.reason, ${getNow(tx)}::timestamptz
    from jsonb_to_recordset(${sanitizeJson(rows)}::jsonb) as s (recipient_id uuid, campaign_id uuid, lead_id uuid, round int, step int,
        planned_at timestamptz, template_id uuid, variant text, message_id uuid, is_start boolean, reason jsonb)
      left join leads l on l.tenant_id = ${tenantId} and l.id = s.lead_id
    on conflict (tenant_id, recipient_id, round, step) do update set template_id = excluded.template_id, variant = excluded.variant,
      planned_at = excluded.planned_at, message_id = excluded.message_id, is_start = excluded.is_start, basis = excluded.basis, reason = excluded.reason,
      created_at = excluded.created_at
    returning true`.execute(tx)
}

export async function storeQueued(
  tx: Tx,
  queued: readonly { id: string; messageId: string }[],
): Promise<void> {
  if (queued.length === 0) return
  await sql`
    update campaign_recipients r set status = 'queued', message_id = q.message_id, updated_at = ${getNow(tx)}
    from unnest(${queued.map(({ id }) => id)}::uuid[], ${queued.map(({ messageId }) => messageId)}::uuid[]) as q (id, message_id)
    where r.tenant_id = ${getTenantId(tx)} and r.id = q.id and r.id = any(${queued.map(({ id }) => id)}::uuid[])`.execute(
    tx,
  )
}

/** The steps of these are planned again. */
export async function releasePlanned(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update campaign_recipients set status = 'waiting', planned_at = null, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
}

/** No message of the campaign is planned before. */
export async function holdBack(tx: Tx, campaignId: string, until: Date): Promise<void> {
  await sql`
    update campaigns set next_send_at = greatest(next_send_at, ${until}::timestamptz)
    where tenant_id = ${getTenantId(tx)} and id = ${campaignId}`.execute(tx)
}
