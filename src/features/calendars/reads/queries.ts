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

export async function findNextRead(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_read_at) as at from calendars
    where tenant_id = ${getTenantId(tx)} and next_read_at is not null`.execute(tx)
  return rows[0]!.at
}

/** Replaces the busy times of a calendar. */
export async function replaceAllBusyTimes(
  tx: Tx,
  calendarId: string,
  events: ExternalEvent[],
): Promise<void> {
  await sql`
    delete from calendar_busy_times where tenant_id = ${getTenantId(tx)} and calendar_id = ${calendarId}`.execute(
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
  const times = events.flatMap(({ id, busy }) =>
    busy.map(({ start, end }) => ({ id: toEventId(id), start: start.toString(), end: end.toString() })),
  )
  if (times.length === 0) return
  await sql`
    insert into calendar_busy_times (tenant_id, calendar_id, event_id, starts_at, ends_at)
    select ${getTenantId(tx)}::uuid, ${calendarId}::uuid, b.id, b.starts_at, b.ends_at
    from unnest(${times.map(({ id }) => id)}::text[], ${times.map(({ start }) => start)}::timestamptz[],
      ${times.map(({ end }) => end)}::timestamptz[]) as b (id, starts_at, ends_at)
    order by b.ends_at desc
    on conflict do nothing`.execute(tx)
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
