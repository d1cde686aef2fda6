/** The SQL that finds messages whose retention has ended. */
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { messageRetention } from '../settings.ts'
import { deleteMessages } from './erasure.ts'

const batchMax = 500

/** When the retention of the oldest message ends; null: none ends. */
export async function findNextMessageExpiry(tx: Tx): Promise<Date | null> {
  const months = await readSetting(tx, messageRetention)
  if (months === null) return null
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from messages
    where tenant_id = ${getTenantId(tx)} and status <> 'queued' order by tenant_id, created_at limit 1`.execute(
    tx,
  )
  return rows[0] ? toExpiry(rows[0].createdAt, months) : null
}

/** Deletes a batch of old messages, with their files; conversations stay. Returns false if there are no more. */
export async function deleteOldMessages(tx: Tx): Promise<boolean> {
  const months = await readSetting(tx, messageRetention)
  if (months === null) return false
  const now = getNow(tx)
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from messages
    where tenant_id = ${getTenantId(tx)} and status <> 'queued' and created_at <= ${subtractDays(now, months * monthDaysMin)}
    order by tenant_id, created_at limit ${batchMax} for update`.execute(tx)
  const expired = rows.filter(({ createdAt }) => toExpiry(createdAt, months) <= now)
  await deleteMessages(
    tx,
    expired.map(({ id }) => id),
  )
  return expired.length === batchMax
}

/** Months differ in length; `toExpiry` decides. */
const monthDaysMin = 28

function toExpiry(createdAt: Date, months: number): Date {
  const end = createdAt.toTemporalInstant().toZonedDateTimeISO('UTC').add({ months })
  return new Date(end.epochMilliseconds)
}
