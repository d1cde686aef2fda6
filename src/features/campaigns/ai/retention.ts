/** The SQL of the retention of AI replies. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { aiReplyRetention } from './settings.ts'

const batchMax = 500

const toMonthsAgo = (time: Date, months: number): Date =>
  new Date(time.toTemporalInstant().toZonedDateTimeISO('UTC').subtract({ months }).epochMilliseconds)

/** When the retention of the oldest reply ends; null: none ends. */
export async function findNextReplyExpiry(tx: Tx): Promise<Date | null> {
  const months = await readSetting(tx, aiReplyRetention)
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from ai_replies where tenant_id = ${getTenantId(tx)}
    order by tenant_id, created_at limit 1`.execute(tx)
  if (!rows[0]) return null
  const end = rows[0].createdAt.toTemporalInstant().toZonedDateTimeISO('UTC').add({ months })
  return new Date(end.epochMilliseconds)
}

/** Deletes a batch. Returns false if there are no more. */
export async function deleteOldReplies(tx: Tx): Promise<boolean> {
  const before = toMonthsAgo(getNow(tx), await readSetting(tx, aiReplyRetention))
  const { numAffectedRows } = await sql`
    delete from ai_replies where tenant_id = ${getTenantId(tx)} and id in (
      select id from ai_replies where tenant_id = ${getTenantId(tx)} and created_at <= ${before}
      order by tenant_id, created_at limit ${batchMax})`.execute(tx)
  return numAffectedRows === BigInt(batchMax)
}
