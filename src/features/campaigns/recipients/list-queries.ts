/** The SQL statements that list the recipients of a campaign. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { isOneOf } from '../../../kit/db/is-one-of.ts'
import type { Position } from '../../../kit/page.ts'
import { splitNames } from '../../../kit/schema.ts'

export interface RecipientFilter {
  status?: string | undefined
  reason?: string | undefined
  leadId?: string | undefined
}

/** SQL: a recipient `r` as the JSON of `CampaignRecipient`. */
export const recipientJson = (tx: Tx) => sql`json_build_object(
  'id', r.id, 'leadId', r.lead_id, 'status', case r.status when 'planned' then 'queued' else r.status end, 'step', r.step,
  'nextAt', aldaba.iso_time(coalesce(r.planned_at, r.due_at)), 'lastSentAt', aldaba.iso_time(r.last_sent_at),
  'reason', r.reason, 'round', r.round, 'joinedAt', aldaba.iso_time(r.joined_at), 'endedAt', aldaba.iso_time(r.ended_at),
  'updatedAt', aldaba.iso_time(r.updated_at), 'sends', coalesce((
    select json_agg(json_build_object('round', s.round, 'step', s.step, 'templateId', s.template_id, 'variant', s.variant,
      'plannedAt', aldaba.iso_time(s.planned_at), 'messageId', s.message_id, 'lawfulBasis', s.basis, 'reason', s.reason,
      'createdAt', aldaba.iso_time(s.created_at)) order by s.round, s.step)
    from campaign_sends s where s.tenant_id = ${getTenantId(tx)} and s.recipient_id = r.id), '[]'))`

/** SQL: the recipients `r` of a campaign that match. */
export function matchRecipients(
  tx: Tx,
  campaignId: string,
  { status, reason, leadId }: RecipientFilter,
): RawBuilder<unknown> {
  const statuses = (status === undefined ? [] : splitNames(status)).flatMap(name =>
    name === 'queued' ? ['planned', 'queued'] : name,
  )
  return sql`r.tenant_id = ${getTenantId(tx)} and r.campaign_id = ${campaignId}
    and ${statuses.length === 0 ? sql`true` : isOneOf(sql`r.status`, statuses)}
    and ${reason === undefined ? sql`true` : isOneOf(sql`r.reason ->> 'code'`, splitNames(reason))}
    and ${leadId === undefined ? sql`true` : sql`r.lead_id = ${leadId}`}`
}

/** The oldest first, as JSON texts. Returns `limit + 1` rows if there are more. */
export async function listRecipients(
  tx: Tx,
  campaignId: string,
  { limit, after, ...filter }: RecipientFilter & { limit: number; after: Position | null },
): Promise<{ id: string; json: string }[]> {
  const { rows } = await sql<{ id: string; json: string }>`
    select r.id, ${recipientJson(tx)}::text as json from campaign_recipients r
    where ${matchRecipients(tx, campaignId, filter)} and ${after ? sql`r.id > ${after[0]}::uuid` : sql`true`}
    order by r.id limit ${limit + 1}`.execute(tx)
  return rows
}
