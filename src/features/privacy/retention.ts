/** Erases leads after the retention period of their workspace (art. 5(1)(e) GDPR). */

import { sql } from 'kysely'
import { computeRetentionEnd } from '../../domain/contactability/retention.ts'
import { sqlNow, subtractDays } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { maxIdAt } from '../../kit/id.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import { lockLeadWrites } from '../../kit/writer.ts'
import { lastNoteAt } from './contactability.ts'
import { eraseExpired } from './erasure.ts'
import { retention } from './settings.ts'

/** Leads per transaction, during which other writers of leads wait. */
const batchSize = 500

interface RetainedLead {
  id: string
  status: string
  createdAt: string
  lastContactedAt: string | null
  lastReplyAt: string | null
  lastSeenAt: string | null
  lastNoteAt: string | null
  statusChangedAt: string | null
}

/**
 * The time when the next lead expires; null: none can expire before `before`. The same rule as `computeRetentionEnd`,
 * in SQL.
 */
export async function findNextLeadExpiry(tx: Tx, before: Date): Promise<Date | null> {
  const { months } = await readSetting(tx, retention)
  if (months === null) return null
  const { rows } = await sql<{ at: Date | null }>`
    select min((greatest(l.created_at, l.last_contacted_at, l.last_reply_at, l.status_changed_at, ${lastNoteAt(tx)},
        (select max(s.last_seen_at) from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id))
      at time zone 'UTC' + make_interval(months => ${months})) at time zone 'UTC') as at
    from leads l
    -- A month has at least 28 days.
    where l.tenant_id = ${getTenantId(tx)} and l.status <> 'won' and l.id <= ${maxIdAt(subtractDays(before, months * 28))}`.execute(
    tx,
  )
  return rows[0]!.at
}

/**
 * Reviews a batch of old leads after the id `after` (empty: from the first) and erases those that have expired.
 * Returns the last id, as the `after` of the next batch; null: this was the last batch.
 */
export async function eraseBatch(tx: Tx, after: string, now: Temporal.Instant): Promise<string | null> {
  const { months } = await readSetting(tx, retention)
  if (months === null) return null
  await lockLeadWrites(tx)
  const { rows } = await sql<RetainedLead>`
    select l.id, l.status, aldaba.iso_time(l.created_at) as "createdAt",
      aldaba.iso_time(l.last_contacted_at) as "lastContactedAt", aldaba.iso_time(l.last_reply_at) as "lastReplyAt",
      aldaba.iso_time((select max(s.last_seen_at) from lead_sources s where s.tenant_id = ${getTenantId(tx)} and s.lead_id = l.id)) as "lastSeenAt",
      aldaba.iso_time(${lastNoteAt(tx)}) as "lastNoteAt", aldaba.iso_time(l.status_changed_at) as "statusChangedAt"
    from leads l
    -- A month has at least 28 days; computeRetentionEnd decides.
    where l.tenant_id = ${getTenantId(tx)}
      and l.created_at < ${sqlNow(tx)} - make_interval(days => ${months * 28}) and ${after ? sql`l.id > ${after}::uuid` : sql`true`}
    order by l.tenant_id, l.id limit ${batchSize}`.execute(tx)
  const expired = rows.filter(lead => lead.status !== 'won' && hasExpired(lead, months, now))
  await eraseExpired(
    tx,
    expired.map(({ id }) => id),
  )
  return rows.length < batchSize ? null : rows.at(-1)!.id
}

function hasExpired(lead: RetainedLead, months: number, now: Temporal.Instant): boolean {
  const parse = (time: string | null) => (time === null ? null : Temporal.Instant.from(time))
  const endsAt = computeRetentionEnd(
    {
      createdAt: Temporal.Instant.from(lead.createdAt),
      lastContactedAt: parse(lead.lastContactedAt),
      lastReplyAt: parse(lead.lastReplyAt),
      lastSeenAt: parse(lead.lastSeenAt),
      lastNoteAt: parse(lead.lastNoteAt),
      statusChangedAt: parse(lead.statusChangedAt),
    },
    { months },
  )
  return endsAt !== null && Temporal.Instant.compare(endsAt, now) <= 0
}
