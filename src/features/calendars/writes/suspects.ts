/**
 * Events that a person seems to have changed or deleted. They are marked in the transaction that stores the cursor of the read,
 * because no later read shows the change again, and stay marked until they were checked.
 */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CalendarRange } from '../../../plugins/calendar.ts'
import type { CalendarRow } from '../queries.ts'

interface Suspected {
  /** Appointments whose events have another version. */
  changedIds: string[]
  /** External ids of events that are gone. */
  removedIds: string[]
  /** The external ids of all events in a range: the others are gone. Null: the read was partial. */
  all: { range: CalendarRange; externalIds: string[] } | null
}

/** Also while an event is being written: the person may have changed what was written. */
export async function suspectWrites(
  tx: Tx,
  calendarId: string,
  { changedIds, removedIds, all }: Suspected,
): Promise<void> {
  const tenantId = getTenantId(tx)
  const isMissing = all
    ? sql`(a.starts_at >= ${all.range.from.toString()} and a.starts_at < ${all.range.to.toString()}
        and w.external_id not in (select unnest(${all.externalIds}::text[])))`
    : sql`false`
  await sql`
    update calendar_writes w set suspected_at = ${getNow(tx)} from appointments a
    where w.tenant_id = ${tenantId} and w.calendar_id = ${calendarId} and w.wanted = 'present'
      and a.tenant_id = ${tenantId} and a.id = w.appointment_id and a.status in ('pending', 'confirmed')
      and (w.appointment_id in (select unnest(${changedIds}::uuid[]))
        or w.external_id in (select unnest(${removedIds}::text[])) or ${isMissing})`.execute(tx)
}

export interface Suspect {
  appointmentId: string
  uid: string
  externalId: string
}

/** Those that wait for longest. What the program has still to write comes first. */
export async function listSuspects(
  tx: Tx,
  { id, externalId }: Pick<CalendarRow, 'id' | 'externalId'>,
  limit: number,
): Promise<Suspect[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Suspect>`
    select w.appointment_id as "appointmentId", a.ical_uid as uid, w.external_id as "externalId"
    from calendar_writes w join appointments a on a.tenant_id = ${tenantId} and a.id = w.appointment_id
    where w.tenant_id = ${tenantId} and w.calendar_id = ${id} and w.external_calendar_id = ${externalId} and w.suspected_at is not null
      and w.wanted = 'present' and w.next_attempt_at is null and w.external_id is not null
      and a.status in ('pending', 'confirmed')
    order by w.suspected_at limit ${limit}`.execute(tx)
  return rows
}

/** `suspectedAt`: null: it was checked. A time: it is checked again, after the others. */
export async function markSuspect(
  tx: Tx,
  calendarId: string,
  { appointmentId, suspectedAt }: { appointmentId: string; suspectedAt: Date | null },
): Promise<void> {
  await sql`
    update calendar_writes set suspected_at = ${suspectedAt}
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId} and appointment_id = ${appointmentId}`.execute(
    tx,
  )
}
