/** The SQL statements of appointments in calendars. */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { DueDestination } from '../../../kit/outbox/outbox.ts'

export interface CalendarWrite {
  appointmentId: string
  calendarId: string
  externalId: string | null
  externalVersion: string | null
  wanted: 'present' | 'absent'
  attempts: number
  nextAttemptAt: Date | null
  updatedAt: Date
}

const columns = sql.raw(`
  w.appointment_id as "appointmentId", w.calendar_id as "calendarId", w.external_id as "externalId",
  w.external_version as "externalVersion", w.wanted, w.attempts, w.next_attempt_at as "nextAttemptAt",
  w.updated_at as "updatedAt"`)

/** Calendars with events to write, of one tenant or of all. Those that cannot be written at present are not listed. */
export async function listDueWrites(
  { owner }: Pick<Database, 'owner'>,
  tenantId: string | null,
): Promise<DueDestination[]> {
  const { rows } = await sql<DueDestination>`
    select w.tenant_id as "tenantId", w.calendar_id as "destinationId", min(w.next_attempt_at) as "dueAt"
    from calendar_writes w join calendars c on c.tenant_id = w.tenant_id and c.id = w.calendar_id
    where w.next_attempt_at is not null and c.status in ('CONNECTED', 'FAILING')
      and ${tenantId === null ? sql`true` : sql`w.tenant_id = ${tenantId}`}
    group by w.tenant_id, w.calendar_id`.execute(owner)
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
    where w.tenant_id = ${tenantId} and w.calendar_id = ${calendarId} and w.appointment_id = any(array(
      select d.appointment_id from calendar_writes d
      where d.tenant_id = ${tenantId} and d.calendar_id = ${calendarId} and d.next_attempt_at <= ${sqlNow(tx)}
        and d.appointment_id <> all(${excludedIds}::uuid[])
      order by d.next_attempt_at limit ${limit}))
    returning ${columns}`.execute(tx)
  return rows
}

export async function findNextWrite(tx: Tx, calendarId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from calendar_writes
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId} and next_attempt_at > ${sqlNow(tx)}`.execute(
    tx,
  )
  return rows[0]!.at
}

/** The writes of appointments in a calendar. */
export async function findWrites(
  tx: Tx,
  calendarId: string,
  appointmentIds: string[],
): Promise<CalendarWrite[]> {
  const { rows } = await sql<CalendarWrite>`
    select ${columns} from calendar_writes w
    where w.tenant_id = ${getTenantId(tx)} and w.calendar_id = ${calendarId}
      and w.appointment_id = any(${appointmentIds}::uuid[])`.execute(tx)
  return rows
}

/** Ids of the calendars to which the appointments of an agenda are written. */
export async function listReceivers(tx: Tx, agendaId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calendars
    where tenant_id = ${getTenantId(tx)} and agenda_id = ${agendaId} and receives and external_id is not null
      and status <> 'AUTHORIZING'`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The event is to be written as the appointment is now. */
export async function wantPresent(tx: Tx, appointmentId: string, calendarIds: string[]): Promise<void> {
  const now = getNow(tx)
  await sql`
    insert into calendar_writes (tenant_id, appointment_id, calendar_id, wanted, next_attempt_at, updated_at)
    select ${getTenantId(tx)}::uuid, ${appointmentId}::uuid, c.id, 'present', ${now}::timestamptz, ${now}::timestamptz
    from unnest(${calendarIds}::uuid[]) as c (id)
    on conflict (tenant_id, appointment_id, calendar_id) do update
      set wanted = 'present', next_attempt_at = excluded.next_attempt_at, attempts = 0, failure = null,
        updated_at = excluded.updated_at`.execute(tx)
}

/** Plans the appointments that are to come, at most a thousand. */
export async function wantAllPresent(
  tx: Tx,
  { id, agendaId }: { id: string; agendaId: string },
): Promise<void> {
  const now = getNow(tx)
  await sql`
    insert into calendar_writes (tenant_id, appointment_id, calendar_id, wanted, next_attempt_at, updated_at)
    select ${getTenantId(tx)}::uuid, a.id, ${id}::uuid, 'present', ${now}::timestamptz, ${now}::timestamptz
    from appointments a
    where a.tenant_id = ${getTenantId(tx)} and a.agenda_id = ${agendaId} and a.starts_at > ${now}
      and a.status in ('pending', 'confirmed')
    order by a.starts_at limit 1000
    on conflict (tenant_id, appointment_id, calendar_id) do update
      set wanted = 'present', next_attempt_at = excluded.next_attempt_at, attempts = 0, updated_at = excluded.updated_at
    returning appointment_id`.execute(tx)
}

/** The event is to be deleted from all calendars but these. */
export async function wantAbsent(tx: Tx, appointmentId: string, exceptCalendarIds: string[]): Promise<void> {
  const now = getNow(tx)
  await sql`
    update calendar_writes set wanted = 'absent', next_attempt_at = ${now}, failure = null, updated_at = ${now}
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and wanted = 'present'
      and calendar_id <> all(${exceptCalendarIds}::uuid[])`.execute(tx)
}

export interface OldEvent {
  uid: string
  externalId: string
  wanted: CalendarWrite['wanted']
}

/** Forgets all events in a calendar. Returns those that are to come or to be deleted. */
export async function forgetWrites(tx: Tx, calendarId: string): Promise<OldEvent[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<OldEvent>`
    with forgotten as (
      delete from calendar_writes where tenant_id = ${tenantId} and calendar_id = ${calendarId}
      returning appointment_id, external_id, wanted)
    select a.ical_uid as uid, f.external_id as "externalId", f.wanted
    from forgotten f join appointments a on a.tenant_id = ${tenantId} and a.id = f.appointment_id
    where f.external_id is not null and (f.wanted = 'absent' or a.starts_at > ${sqlNow(tx)})`.execute(tx)
  return rows
}

export interface WrittenEvent {
  externalId: string | null
  version: string | null
}

/** An appointment that changed while its event was written is written again. */
export async function recordWritten(
  tx: Tx,
  { appointmentId, calendarId, updatedAt }: CalendarWrite,
  { externalId, version }: WrittenEvent,
): Promise<void> {
  await sql`
    update calendar_writes set external_id = ${externalId}, external_version = ${version}, attempts = 0, failure = null,
      next_attempt_at = case when updated_at = ${updatedAt} then null else next_attempt_at end
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and calendar_id = ${calendarId}`.execute(
    tx,
  )
}

/** One that is wanted again is created again. */
export async function recordRemoved(tx: Tx, { appointmentId, calendarId }: CalendarWrite): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from calendar_writes
    where tenant_id = ${tenantId} and appointment_id = ${appointmentId} and calendar_id = ${calendarId}
      and wanted = 'absent'`.execute(tx)
  await sql`
    update calendar_writes set external_id = null, external_version = null
    where tenant_id = ${tenantId} and appointment_id = ${appointmentId} and calendar_id = ${calendarId}`.execute(
    tx,
  )
}

/** `nextAttemptAt`: null: it is not tried again until the appointment changes. `keepsVersion`: false: the event is replaced. */
export async function recordFailedWrite(
  tx: Tx,
  { appointmentId, calendarId, updatedAt }: CalendarWrite,
  {
    nextAttemptAt,
    failure,
    keepsVersion,
  }: { nextAttemptAt: Date | null; failure: string; keepsVersion: boolean },
): Promise<void> {
  await sql`
    update calendar_writes set failure = ${failure},
      external_version = case when ${keepsVersion} then external_version end,
      next_attempt_at = case when updated_at = ${updatedAt} then ${nextAttemptAt} else next_attempt_at end
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and calendar_id = ${calendarId}`.execute(
    tx,
  )
}

/** The names of event types, by id. */
export async function listEventTypeNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from event_types where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
