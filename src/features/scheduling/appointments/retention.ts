/** Finds and erases visitors without a lead whose retention has ended. Those with a lead are erased with it. */
import { sql } from 'kysely'
import { getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { retention } from '../../privacy/settings.ts'
import { erasePast } from './erasure.ts'
import { selectAppointments } from './queries.ts'

const batchMax = 200
/** Months differ in length; `toExpiry` decides. */
const monthDaysMin = 28

const isKept = sql`a.lead_id is null and a.visitor <> '{}'::jsonb`

/** The retention counts from the end of the appointment, which is the last contact. */
function toExpiry(end: Date, months: number): Date {
  return new Date(end.toTemporalInstant().toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds)
}

/** When the retention of the next visitor ends; null: none ends. */
export async function findNextVisitorExpiry(tx: Tx): Promise<Date | null> {
  const { months } = await readSetting(tx, retention)
  if (months === null) return null
  const { rows } = await sql<{ end: Date }>`
    select a.ends_at as end from appointments a
    where a.tenant_id = ${getTenantId(tx)} and ${isKept} order by a.ends_at limit 1`.execute(tx)
  return rows[0] ? toExpiry(rows[0].end, months) : null
}

/** Erases a batch. Returns false if there are no more. */
export async function eraseVisitors(tx: Tx): Promise<boolean> {
  const { months } = await readSetting(tx, retention)
  if (months === null) return false
  // Before the appointments, as an erasure does.
  await lockLeadWrites(tx)
  const now = getNow(tx)
  const rows = await selectAppointments(
    tx,
    sql`${isKept} and a.ends_at <= ${subtractDays(now, months * monthDaysMin)}`,
    sql`order by a.ends_at, a.id limit ${batchMax} for no key update`,
  )
  const expired = rows.filter(({ end }) => toExpiry(end, months) <= now)
  await erasePast(tx, expired)
  return expired.length === batchMax
}
