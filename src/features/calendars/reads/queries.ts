/** The SQL statements of reads: busy times, and which calendars are due. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { ExternalEvent } from '../../../plugins/calendar.ts'

/** Calendars of one tenant that are read at a time. The others wait until its next turn, a minute later. */
const dueMax = 20

/** Lists the calendars of all tenants that are due by the clocks of their environments. */
export async function listDueCalendars({
  owner,
}: Pick<Database, 'owner'>): Promise<{ tenantId: string; calendarId: string }[]> {
  const { rows } = await sql<{ tenantId: string; calendarId: string }>`
    select tenant_id as "tenantId", id as "calendarId" from (
      select tenant_id, id, row_number() over (partition by tenant_id order by next_read_at) as turn
      from calendars c where next_read_at is not null and next_read_at <= ${sqlNowFor('c.tenant_id')}) due
    where turn <= ${dueMax}`.execute(owner)
  return rows
}

export async function listDueCalendarsOfTenant(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calendars
    where tenant_id = ${getTenantId(tx)} and next_read_at <= ${sqlNow(tx)} order by next_read_at limit ${dueMax}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** When the first calendar became due. A moved clock does not stop for each of the reads that it skips. */
export async function findDueRead(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_read_at) as at from calendars
    where tenant_id = ${getTenantId(tx)} and next_read_at <= ${sqlNow(tx)}`.execute(tx)
  return rows[0]!.at
}

/** Replaces the busy times of a calendar. Rows that are the same stay, because most reads change few. */
export async function replaceAllBusyTimes(
  tx: Tx,
  calendarId: string,
  events: ExternalEvent[],
): Promise<void> {
  await sql`
    delete from calendar_busy_times b
    where b.tenant_id = ${getTenantId(tx)} and b.calendar_id = ${calendarId} and not exists (
      select from ${toRows(events)} where n.id = b.event_id and n.starts_at = b.starts_at and n.ends_at = b.ends_at)`.execute(
    tx,
  )
  await insertBusyTimes(tx, calendarId, events)
}

/** Replaces the busy times of changed events, and deletes those of removed ones. */
export async function replaceBusyTimes(
  tx: Tx,
  calendarId: string,
  { events, removedIds }: { events: ExternalEvent[]; removedIds: string[] },
): Promise<void> {
  const ids = [...removedIds, ...events.map(({ id }) => id)].map(toEventId)
  if (ids.length === 0) return
  await sql`
    delete from calendar_busy_times
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId} and event_id = any(${ids}::text[])`.execute(
    tx,
  )
  await insertBusyTimes(tx, calendarId, events)
}

async function insertBusyTimes(tx: Tx, calendarId: string, events: ExternalEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into calendar_busy_times (tenant_id, calendar_id, event_id, starts_at, ends_at)
    select ${getTenantId(tx)}::uuid, ${calendarId}::uuid, n.id, n.starts_at, n.ends_at from ${toRows(events)}
    order by n.ends_at desc
    on conflict do nothing`.execute(tx)
}

/** SQL: the busy times as rows. */
function toRows(events: ExternalEvent[]) {
  const times = events.flatMap(({ id, busy }) => {
    const eventId = toEventId(id)
    return busy.map(({ start, end }) => ({ id: eventId, start: start.toString(), end: end.toString() }))
  })
  return sql`unnest(${times.map(({ id }) => id)}::text[], ${times.map(({ start }) => start)}::timestamptz[],
    ${times.map(({ end }) => end)}::timestamptz[]) as n (id, starts_at, ends_at)`
}

/** Deletes what has ended before the covered time. */
export async function deletePastBusyTimes(tx: Tx, calendarId: string, before: Date): Promise<void> {
  await sql`
    delete from calendar_busy_times
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId} and ends_at <= ${before}`.execute(tx)
}

export async function countBusyEvents(tx: Tx, calendarId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct event_id)::int as count from calendar_busy_times
    where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId}`.execute(tx)
  return rows[0]!.count
}

const idMaxLength = 200

/** An id that is too long for an index is replaced by its hash. */
const toEventId = (id: string) =>
  id.length <= idMaxLength ? id.replaceAll('\0', '') : createHash('sha256').update(id).digest('hex')
