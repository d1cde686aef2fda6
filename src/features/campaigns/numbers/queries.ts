/** The SQL statements for the numbers of a campaign. */
import { sql } from 'kysely'
import { reasonCodes } from '../../../domain/contactability/reasons.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { refusalCodes } from '../../messaging/service.ts'
import { samePerson, takenOut } from '../recipients/reasons.ts'
import { isWithdrawn } from '../withdrawn.ts'

const isSent = sql`(m.sent_at is not null or m.status = 'unknown')`
const isDelivered = sql`coalesce(m.delivered_at, m.read_at) is not null`
const hasFailed = sql`(m.status = 'failed' and not ${isWithdrawn})`
const isBlocked = sql`m.failure ->> 'code' = any(${refusalCodes}::text[])`

/** The messages of a step with one template, by provider and category. */
export interface SendCounts {
  step: number
  variant: string | null
  templateId: string | null
  provider: string | null
  category: string | null
  skipped: number
  queued: number
  sent: number
  delivered: number
  read: number
  failed: number
  blocked: number
  replied: number
  booked: number
  optedOut: number
}

export async function countSends(tx: Tx, campaignId: string): Promise<SendCounts[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<SendCounts>`
    select s.step, s.variant, s.template_id as "templateId", a.provider, t.category,
      count(*) filter (where s.message_id is null) as skipped,
      count(*) filter (where m.status = 'queued') as queued,
      count(*) filter (where ${isSent}) as sent,
      count(*) filter (where ${isDelivered}) as delivered,
      count(*) filter (where m.read_at is not null) as read,
      count(*) filter (where ${hasFailed}) as failed,
      count(*) filter (where ${isBlocked}) as blocked,
      count(s.replied_at) as replied, count(s.booked_at) as booked, count(s.opted_out_at) as "optedOut"
    from campaign_sends s
    left join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
    left join accounts a on a.tenant_id = ${tenantId} and a.id = m.account_id
    left join templates t on t.tenant_id = ${tenantId} and t.id = s.template_id
    where s.tenant_id = ${tenantId} and s.campaign_id = ${campaignId}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3`.execute(tx)
  return rows
}

export interface PeopleCounts {
  found: number | null
  new: number
  recipients: number
  contactable: number
  sent: number
  delivered: number
  read: number
  failed: number
  blocked: number
  replied: number
  booked: number
  optedOut: number
}

/** People count once, however many messages they got. */
export async function countPeople(tx: Tx, campaignId: string): Promise<PeopleCounts> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<PeopleCounts>`
    select p.*, o.*,
      (select max(e.listings_found) from campaign_runs r
        join extractions e on e.tenant_id = ${tenantId} and e.id = r.extraction_id
        where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId}) as found,
      (select count(*) from leads l where l.tenant_id = ${tenantId} and l.campaign_id = ${campaignId}) as new
    from (
      select count(*) as recipients,
        count(*) filter (where (
          status = 'skipped' and reason ->> 'code' = any(${[...reasonCodes, samePerson.code]}::text[])
          or last_sent_at is null and reason ->> 'code' = ${takenOut.code}) is not true) as contactable
      from campaign_recipients where tenant_id = ${tenantId} and campaign_id = ${campaignId}) p,
    (
      select count(*) filter (where sent) as sent, count(*) filter (where delivered) as delivered, count(*) filter (where read) as read,
        count(*) filter (where failed) as failed, count(*) filter (where blocked) as blocked,
        count(*) filter (where replied) as replied, count(*) filter (where booked) as booked,
        count(*) filter (where opted_out) as "optedOut"
      from (
        select bool_or(${isSent}) as sent, bool_or(${isDelivered}) as delivered, bool_or(m.read_at is not null) as read,
          bool_or(${hasFailed}) as failed, bool_or(${isBlocked}) as blocked, bool_or(s.replied_at is not null) as replied,
          bool_or(s.booked_at is not null) as booked, bool_or(s.opted_out_at is not null) as opted_out
        from campaign_sends s left join messages m on m.tenant_id = ${tenantId} and m.id = s.message_id
        where s.tenant_id = ${tenantId} and s.campaign_id = ${campaignId}
        group by s.recipient_id) person) o`.execute(tx)
  return rows[0]!
}
