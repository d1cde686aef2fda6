/** Records what people did after a message of a campaign, on the step that they got last. */
import { sql } from 'kysely'
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

const columns = { reply: 'replied_at', booking: 'booked_at', optOut: 'opted_out_at' } as const
export type Outcome = keyof typeof columns

/** What people do later is not attributed to a campaign. */
const attributionDays = 30

/** Returns the campaign of the step; null: the lead got none lately. Only the first outcome of a kind counts. */
export async function recordOutcome(tx: Tx, leadId: string, outcome: Outcome): Promise<string | null> {
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const column = sql.ref(columns[outcome])
  const { rows } = await sql<{ campaignId: string }>`
    update campaign_sends s set ${column} = coalesce(s.${column}, ${now}::timestamptz)
    from (
      select s.recipient_id, s.round, s.step from campaign_recipients r
      join campaign_sends s on s.tenant_id = ${tenantId} and s.recipient_id = r.id
      join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
      where r.tenant_id = ${tenantId} and r.lead_id = ${leadId} and m.sent_at > ${subtractDays(now, attributionDays)}
      order by m.sent_at desc limit 1) last
    where s.tenant_id = ${tenantId} and s.recipient_id = last.recipient_id and s.round = last.round and s.step = last.step
    returning s.campaign_id as "campaignId"`.execute(tx)
  return rows[0]?.campaignId ?? null
}

/** True if the person refused messages with this one: that is an opt-out, and no reply. */
export async function isRefusal(tx: Tx, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages
    where tenant_id = ${getTenantId(tx)} and id = ${messageId} and content ->> 'intent' = 'opt_out'`.execute(
    tx,
  )
  return rows.length > 0
}
