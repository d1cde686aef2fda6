/** The SQL statements that read what is known of agendas: their hours, busy times, reservations and bookings. */
import { sql } from 'kysely'
import type { DayHours, GroupSlot, Interval, Place, Reservation } from '../../../domain/slots/types.ts'
import { getNow, sqlNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'

export interface StoredAgenda {
  agendaId: string
  agentUserId: string
  timezone: string
  workingHours: {
    weekly: (DayHours & { day: number })[]
    overrides: { date: string; intervals: DayHours[] }[]
  } | null
  failsClosed: boolean
  /** A calendar was not read lately, or never, or its access has expired. */
  isStale: boolean
  /** When the one that was not read for longest was read; null: never, or it has none. */
  readAtMs: number | null
  /** Until when the busy times of all its calendars are known; null: it has none. */
  coveredToMs: number | null
}

export interface StoredReservation extends Reservation {
  agendaId: string
  isOwnEventType: boolean
}

export interface Fairness {
  recentBookings: number
  lastBookedAtMs: number
}

/** A calendar that was not read for so long is out of date. One whose access has expired is so at once. */
export const freshForMs = 6 * 3_600_000
/** The longest reservation: an appointment of a day, and buffers of a day on both sides. */
const longestDays = 3
/** The age of the bookings that decide who gets the next one. */
const fairnessDays = 90

/** SQL: milliseconds since 1970. `extract` computes with numeric, which takes several times as long. */
const ms = (expression: string) => sql.raw(`(date_part('epoch', ${expression}) * 1000)::int8`)

/** SQL: a row for each agenda, so that the index of each is searched. */
const each = (agendaIds: string[]) => sql`unnest(${agendaIds}::uuid[]) as g (agenda_id)`

/** The overrides of days that the range meets in any time zone: an agenda may have hours for a year. */
const overridesIn = ({ startMs, endMs }: Interval) => {
  const days = { from: toDay(startMs - dayMs), to: toDay(endMs + dayMs) }
  return sql`jsonb_path_query_array(a.working_hours -> 'overrides', '$[*] ? (@.date >= $from && @.date <= $to)', ${JSON.stringify(days)}::jsonb)`
}

const dayMs = 86_400_000
const toDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)

/** The agendas in the order of their ids, with the hours of the range. */
export async function readAgendas(tx: Tx, agendaIds: string[], range: Interval): Promise<StoredAgenda[]> {
  const tenantId = getTenantId(tx)
  const freshSince = new Date(getNow(tx).getTime() - freshForMs)
  const { rows } = await sql<StoredAgenda>`
    ${fixedPlan} select a.id as "agendaId", a.agent_user_id as "agentUserId", a.timezone, jsonb_set(a.working_hours, '{overrides}', ${overridesIn(range)}) as "workingHours", a.fails_closed as "failsClosed",
      c.is_stale as "isStale", ${ms('c.read_at')} as "readAtMs", ${ms('c.covered_to')} as "coveredToMs"
    from agendas a
    cross join lateral (
      select coalesce(bool_or(k.read_at is null or k.covered_to is null or k.read_at < ${freshSince} or k.status = 'EXPIRED'), false) as is_stale,
        case when bool_and(k.read_at is not null) then min(k.read_at) end as read_at, min(k.covered_to) as covered_to
      from calendars k
      where k.tenant_id = ${tenantId} and k.agenda_id = a.id and k.blocks
        and k.status <> 'AUTHORIZING') c
    where a.tenant_id = ${tenantId} and a.id = any(${agendaIds}::uuid[]) and a.deleted_at is null
    order by a.id`.execute(tx)
  return rows
}

/** The names of the users of the workspace who have no access any more, by their id. A statement of its own: `users` has no tenant. */
export async function readNamesWithoutAccess(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    ${fixedPlan} select id, name from users
    where workspace_id = aldaba.current_workspace() and revoked_at is not null`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** By agenda: the busy times of calendars that meet the range, in the order of their beginning. */
export async function readBusyTimes(
  tx: Tx,
  agendaIds: string[],
  range: Interval,
): Promise<Map<string, Interval[]>> {
  const tenantId = getTenantId(tx)
  // One text for each agenda: the driver takes several times as long for thousands of rows.
  const { rows } = await sql<{ agendaId: string; times: string }>`
    ${fixedPlan} select c.agenda_id as "agendaId",
      string_agg(${ms('b.starts_at')} || ',' || ${ms('b.ends_at')}, ',' order by b.starts_at) as times
    from calendars c
    cross join lateral (
      select b.starts_at, b.ends_at from calendar_busy_times b
      where b.tenant_id = ${tenantId} and b.calendar_id = c.id
        and b.starts_at < ${new Date(range.endMs)} and b.ends_at > ${new Date(range.startMs)}
      offset 0) b
    where c.tenant_id = ${tenantId} and c.agenda_id = any(${agendaIds}::uuid[]) and c.blocks
      and c.status <> 'AUTHORIZING'
    group by c.agenda_id`.execute(tx)
  return new Map(rows.map(({ agendaId, times }) => [agendaId, toIntervals(JSON.parse(`[${times}]`))]))
}

function toIntervals(times: number[]): Interval[] {
  const intervals: Interval[] = []
  for (let at = 0; at < times.length; at += 2) intervals.push({ startMs: times[at]!, endMs: times[at + 1]! })
  return intervals
}

/** SQL: the seats of each booked slot that expired holds still take. */
const expiredSeats = (tx: Tx) => sql`(
  select h.booked_slot_id, count(*) as seats from slot_holds h
  where h.tenant_id = ${getTenantId(tx)} and h.expires_at <= ${sqlNow(tx)} group by h.booked_slot_id)`

export interface ReservationQuery {
  eventTypeId: string
  range: Interval
  /** Null: none. */
  excludedSlotId: string | null
}

/**
 * The reservations that meet the range, in the order of their beginning. What only expired holds take is free. `offset 0` fixes the
 * order of the joins: for a table that was not analyzed yet, PostgreSQL compared every reservation with every booked slot.
 */
export async function readReservations(
  tx: Tx,
  agendaIds: string[],
  { eventTypeId, range, excludedSlotId }: ReservationQuery,
): Promise<StoredReservation[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<
    Omit<StoredReservation, 'place'> & { latitude: number | null; longitude: number | null }
  >`
    ${fixedPlan} select g.agenda_id as "agendaId", s.event_type_id = ${eventTypeId} as "isOwnEventType",
      ${ms('s.starts_at')} as "startMs", ${ms('s.ends_at')} as "endMs", s.latitude, s.longitude,
      (${ms('s.starts_at - lower(r.occupied)')} / 60000)::int as "bufferBeforeMin",
      (${ms('upper(r.occupied) - s.ends_at')} / 60000)::int as "bufferAfterMin"
    from ${each(agendaIds)}
    cross join lateral (
      select r.booked_slot_id, r.occupied from agenda_reservations r
      where r.tenant_id = ${tenantId} and r.agenda_id = g.agenda_id
        and r.starts_at > ${subtractDays(new Date(range.startMs), longestDays)} and r.starts_at < ${new Date(range.endMs)}
      offset 0) r
    cross join lateral (
      select s.* from booked_slots s where s.tenant_id = ${tenantId} and s.id = r.booked_slot_id offset 0) s
    left join ${expiredSeats(tx)} x on x.booked_slot_id = s.id
    where upper(r.occupied) > ${new Date(range.startMs)} and s.seats_taken > coalesce(x.seats, 0)
      and (s.seats_taken > 1 or s.id is distinct from ${excludedSlotId}::uuid)
    order by s.starts_at`.execute(tx)
  return rows.map(({ latitude, longitude, ...row }) => ({
    ...row,
    place: latitude === null || longitude === null ? null : { latitude, longitude },
  }))
}

/** More than an agent visits in two months. */
const placesMax = 500

/** The places of reservations that meet the range: the nearest in time first. */
export async function readReservedPlaces(
  tx: Tx,
  agendaIds: string[],
  { startMs, endMs }: Interval,
): Promise<Place[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Place>`
    select s.latitude, s.longitude
    from ${each(agendaIds)}
    join agenda_reservations r on r.tenant_id = ${tenantId} and r.agenda_id = g.agenda_id
      and r.starts_at > ${subtractDays(new Date(startMs), longestDays)} and r.starts_at < ${new Date(endMs)}
    join booked_slots s on s.tenant_id = ${tenantId} and s.id = r.booked_slot_id
    where s.latitude is not null and s.longitude is not null
    group by s.latitude, s.longitude order by min(s.starts_at) limit ${placesMax}`.execute(tx)
  return rows
}

/** The group viewings of an event type that meet the range. */
export async function readGroupSlots(
  tx: Tx,
  { eventTypeId, range, excludedSlotId }: ReservationQuery,
): Promise<GroupSlot[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<GroupSlot>`
    select s.id as "bookedSlotId", ${ms('s.starts_at')} as "startMs", ${ms('s.ends_at')} as "endMs",
      (s.seats - s.seats_taken + coalesce(x.seats, 0))::int as "seatsLeft",
      array(select r.agenda_id::text from agenda_reservations r
        where r.tenant_id = ${tenantId} and r.booked_slot_id = s.id order by r.agenda_id) as "agendaIds"
    from booked_slots s
    left join ${expiredSeats(tx)} x on x.booked_slot_id = s.id
    where s.tenant_id = ${tenantId} and s.event_type_id = ${eventTypeId}
      and s.starts_at > ${subtractDays(new Date(range.startMs), 1)} and s.starts_at < ${new Date(range.endMs)}
      and s.ends_at > ${new Date(range.startMs)} and s.seats_taken > coalesce(x.seats, 0)
      and s.id is distinct from ${excludedSlotId}::uuid
    order by s.starts_at, s.id`.execute(tx)
  return rows
}

/** By agenda: the latest bookings of an event type, without those that were cancelled or that nobody came to. */
export async function readFairness(tx: Tx, eventTypeId: string): Promise<Map<string, Fairness>> {
  const { rows } = await sql<Fairness & { agendaId: string }>`
    select agenda_id as "agendaId", count(*)::int as "recentBookings", ${ms('max(created_at)')} as "lastBookedAtMs"
    from appointments
    where tenant_id = ${getTenantId(tx)} and event_type_id = ${eventTypeId}
      and starts_at >= ${subtractDays(getNow(tx), fairnessDays)} and status in ('pending', 'confirmed', 'completed')
    group by agenda_id`.execute(tx)
  return new Map(rows.map(({ agendaId, ...fairness }) => [agendaId, fairness]))
}
