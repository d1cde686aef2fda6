/** The SQL statements of what came of writes. */
import { type RawBuilder, sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CalendarWrite } from './queries.ts'

export interface WrittenEvent {
  externalId: string | null
  version: string | null
}

/** SQL: the row of a write. The chosen calendar may be another one since. */
const isWrite = (tx: Tx, { appointmentId, calendarId, externalCalendarId }: CalendarWrite) => sql`
  tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and calendar_id = ${calendarId}
    and external_calendar_id = ${externalCalendarId}`

/** Changes the row of a write. Returns whether it is still due, because the appointment changed meanwhile. */
async function update(tx: Tx, write: CalendarWrite, changes: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ nextAttemptAt: Date | null }>`
    update calendar_writes set ${changes} where ${isWrite(tx, write)}
    returning next_attempt_at as "nextAttemptAt"`.execute(tx)
  const at = rows[0]?.nextAttemptAt
  return at !== null && at !== undefined && at <= getNow(tx)
}

/** An appointment that changed while its event was written is written again. Returns whether it is. */
export const recordWritten = (
  tx: Tx,
  write: CalendarWrite,
  { externalId, version }: WrittenEvent,
): Promise<boolean> =>
  update(
    tx,
    write,
    sql`external_id = ${externalId}, external_version = ${version}, attempts = 0, failure = null,
      next_attempt_at = case when updated_at = ${write.updatedAt} then null else next_attempt_at end`,
  )

/** One that is wanted again is created again. Returns whether it is. */
export async function recordRemoved(tx: Tx, write: CalendarWrite): Promise<boolean> {
  await sql`delete from calendar_writes where ${isWrite(tx, write)} and wanted = 'absent'`.execute(tx)
  return update(tx, write, sql`external_id = null, external_version = null, attempts = 0`)
}

/** `nextAttemptAt`: null: it is not tried again until the appointment changes. `keepsVersion`: false: the event is replaced. */
export const recordFailedWrite = (
  tx: Tx,
  write: CalendarWrite,
  {
    nextAttemptAt,
    failure,
    keepsVersion,
  }: { nextAttemptAt: Date | null; failure: string; keepsVersion: boolean },
): Promise<boolean> =>
  update(
    tx,
    write,
    sql`failure = ${failure}, external_version = case when ${keepsVersion} then external_version end,
      next_attempt_at = case when updated_at = ${write.updatedAt} then ${nextAttemptAt} else next_attempt_at end`,
  )
