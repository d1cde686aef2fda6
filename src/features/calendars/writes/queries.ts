/** The SQL statements of appointments in calendars. */
import { sql } from 'kysely'
import { getNow, sqlNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { DueDestination } from '../../../kit/outbox/outbox.ts'
import type { CalendarRow } from '../queries.ts'

export interface CalendarWrite {
  appointmentId: string
  calendarId: string
  /** The calendar of the provider that has the event. */
  externalCalendarId: string
  externalId: string | null
  externalVersion: string | null
  wanted: 'present' | 'absent'
  attempts: number
  nextAttemptAt: Date | null
  updatedAt: Date
}

/** More than an appointment lasts with its buffers. */
const reservationMaxDays = 3

const columns = sql.raw(`
  w.appointment_id as "appointmentId", w.calendar_id as "calendarId", w.external_calendar_id as "externalCalendarId",
  w.external_id as "externalId",
  w.external_version as "externalVersion", w.wanted, w.attempts, w.next_attempt_at as "nextAttemptAt",
  w.updated_at as "updatedAt"`)

/** Calendars with events to write, of one tenant or of all. Those that cannot be written at present are not listed. */
export async function listDueWrites(
  db: Database['owner'],
  tenantId: string | null,
): Promise<DueDestination[]> {
  const { rows } = await sql<DueDestination>`
    select w.tenant_id as "tenantId", w.calendar_id as "destinationId", min(w.next_attempt_at) as "dueAt"
    from calendar_writes w join calendars c on c.tenant_id = w.tenant_id and c.id = w.calendar_id
    where w.next_attempt_at is not null and c.status in ('CONNECTED', 'FAILING')
      and ${tenantId === null ? sql`true` : sql`w.tenant_id = ${tenantId}`}
    group by w.tenant_id, w.calendar_id`.execute(db)
  return rows
}

/** Counts the attempt before it is made: a process that dies meanwhile may have written the event. */
export async function claimWrites(
  tx: Tx,
  calendarId: string,
  { excludedIds, limit }: { excludedIds: string[]; limit: number },
): Promise<CalendarWrite[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<CalendarWrite>`
    update calendar_writes w set attempts = w.attempts + 1
    where w.tenant_id = ${tenantId} and w.calendar_id = ${calendarId} and w.next_attempt_at <= ${sqlNow(tx)}
      and ${toIdText('w')} = any(array(
        select ${toIdText('d')} from calendar_writes d
        where d.tenant_id = ${tenantId} and d.calendar_id = ${calendarId} and d.next_attempt_at <= ${sqlNow(tx)}
          and ${toIdText('d')} <> all(${excludedIds}::text[])
        order by d.next_attempt_at limit ${limit}
        -- A change of the plan locks its events in another order. It notifies afterwards.
        for no key update skip locked))
    returning ${columns}`.execute(tx)
  return rows
}

/** The id of a write as an item of the outbox. */
export const toItemId = ({ appointmentId, externalCalendarId }: CalendarWrite): string =>
  `${appointmentId} ${externalCalendarId}`

/** SQL: the same. */
const toIdText = (alias: string) =>
  sql.raw(`${alias}.appointment_id::text || ' ' || ${alias}.external_calendar_id`)

export async function findNextWrite(tx: Tx, calendarId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from calendar_writes
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId} and next_attempt_at > ${sqlNow(tx)}`.execute(
    tx,
  )
  return rows[0]!.at
}

/** What is known of the events of appointments in the chosen calendar. */
export async function findWrites(
  tx: Tx,
  { id, externalId }: Pick<CalendarRow, 'id' | 'externalId'>,
  appointmentIds: string[],
): Promise<CalendarWrite[]> {
  const { rows } = await sql<CalendarWrite>`
    select ${columns} from calendar_writes w
    where w.tenant_id = ${getTenantId(tx)} and w.calendar_id = ${id} and w.external_calendar_id = ${externalId}
      and w.appointment_id = any(${appointmentIds}::uuid[])`.execute(tx)
  return rows
}

/** Ids of the calendars to which an appointment is written: those of all agents who attend. */
export async function listReceivers(tx: Tx, bookedSlotId: string): Promise<string[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    select c.id from agenda_reservations r join calendars c on c.tenant_id = ${tenantId} and c.agenda_id = r.agenda_id
    where r.tenant_id = ${tenantId} and r.booked_slot_id = ${bookedSlotId} and c.receives and c.external_id is not null
      and c.status <> 'AUTHORIZING'`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A change is tried at once. That an event may have been written, without a record, is not forgotten. */
const planAgain = sql`
  on conflict (tenant_id, appointment_id, calendar_id, external_calendar_hash) do update
    set wanted = 'present', next_attempt_at = excluded.next_attempt_at, failure = null, updated_at = excluded.updated_at,
      attempts = least(calendar_writes.attempts, 1)
  returning appointment_id`

/** The event is to be written as the appointment is now. */
export async function wantPresent(tx: Tx, appointmentId: string, calendarIds: string[]): Promise<void> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  await sql`
    insert into calendar_writes (tenant_id, appointment_id, calendar_id, external_calendar_id, wanted, next_attempt_at, updated_at)
    select ${tenantId}::uuid, ${appointmentId}::uuid, c.id, c.external_id, 'present', ${now}::timestamptz, ${now}::timestamptz
    from calendars c
    where c.tenant_id = ${tenantId} and c.id = any(${calendarIds}::uuid[]) and c.external_id is not null
    ${planAgain}`.execute(tx)
}

/**
 * Moves events that are planned for a calendar that is not the chosen one any more: they were booked while another one was being chosen,
 * and neither transaction saw the other.
 */
export async function moveStaleWrites(tx: Tx, calendarId: string): Promise<void> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  const { rows } = await sql<{ appointmentId: string }>`
    update calendar_writes w set wanted = 'absent', next_attempt_at = ${now}, updated_at = ${now}
    from calendars c
    where w.tenant_id = ${tenantId} and w.calendar_id = ${calendarId} and w.wanted = 'present'
      and w.next_attempt_at <= ${sqlNow(tx)} and c.tenant_id = ${tenantId} and c.id = ${calendarId}
      and w.external_calendar_id <> c.external_id
    returning w.appointment_id as "appointmentId"`.execute(tx)
  for (const { appointmentId } of rows) await wantPresent(tx, appointmentId, [calendarId])
}

/** Plans the appointments that are to come, at most a thousand. */
export async function wantAllPresent(
  tx: Tx,
  { id, agendaId, externalId }: Pick<CalendarRow, 'id' | 'agendaId' | 'externalId'>,
): Promise<void> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  await sql`
    insert into calendar_writes (tenant_id, appointment_id, calendar_id, external_calendar_id, wanted, next_attempt_at, updated_at)
    select ${tenantId}::uuid, a.id, ${id}::uuid, ${externalId}::text, 'present', ${now}::timestamptz, ${now}::timestamptz
    from appointments a
    where a.tenant_id = ${tenantId} and a.starts_at > ${now} and a.status in ('pending', 'confirmed') and a.booked_slot_id in (
      select r.booked_slot_id from agenda_reservations r
      where r.tenant_id = ${tenantId} and r.agenda_id = ${agendaId} and r.starts_at > ${subtractDays(now, reservationMaxDays)})
    order by a.starts_at limit 1000
    ${planAgain}`.execute(tx)
}

/** The event is to be deleted from all calendars but these. */
export async function wantAbsent(tx: Tx, appointmentId: string, exceptCalendarIds: string[]): Promise<void> {
  const now = getNow(tx)
  await sql`
    ${fixedPlan} update calendar_writes set wanted = 'absent', next_attempt_at = ${now}, failure = null, updated_at = ${now}
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and wanted = 'present'
      and calendar_id <> all(${exceptCalendarIds}::uuid[])`.execute(tx)
}

/** SQL: of the table itself, an event that is in the calendar, or perhaps. */
const mayExist = sql.raw('(external_id is not null or attempts > 0)')

/** Another calendar was chosen: the events to come are to be deleted from the one before. Those of the past stay there. */
export async function wantAllAbsent(tx: Tx, calendarId: string): Promise<void> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  // First what needs nothing: an attempt that begins meanwhile is seen by this condition, under the lock of its row.
  await sql`
    delete from calendar_writes
    where tenant_id = ${tenantId} and calendar_id = ${calendarId} and wanted = 'present' and (not ${mayExist}
      or appointment_id not in (select id from appointments where tenant_id = ${tenantId} and starts_at > ${now}))`.execute(
    tx,
  )
  await sql`
    update calendar_writes set wanted = 'absent', next_attempt_at = ${now}, failure = null, updated_at = ${now}
    where tenant_id = ${tenantId} and calendar_id = ${calendarId} and wanted = 'present'`.execute(tx)
}

/** Forgets all events but those that are still to be deleted, which is tried at once. Returns whether there are any. */
export async function forgetPresent(tx: Tx, calendarId: string): Promise<boolean> {
  const [now, tenantId] = [getNow(tx), getTenantId(tx)]
  await sql`
    delete from calendar_writes
    where tenant_id = ${tenantId} and calendar_id = ${calendarId} and not (wanted = 'absent' and ${mayExist})`.execute(
    tx,
  )
  const { rows } = await sql`
    update calendar_writes set next_attempt_at = ${now}, attempts = least(attempts, 1)
    where tenant_id = ${tenantId} and calendar_id = ${calendarId} returning appointment_id`.execute(tx)
  return rows.length > 0
}

/** The names of event types, by id. */
export async function listEventTypeNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from event_types where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
