/** The SQL statements of calendars. */
import { sql } from 'kysely'
import { getNow, recordLockAcquired } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { isOneOf } from '../../kit/db/is-one-of.ts'
import type { Environment } from '../../kit/key.ts'
import type { Position } from '../../kit/page.ts'
import { splitNames } from '../../kit/schema.ts'
import type { CalendarFilter, CalendarStatus, CalendarWarning } from './schemas.ts'

export interface CalendarRow {
  id: string
  agendaId: string
  /** The time zone of the agenda. */
  timezone: string
  provider: string
  name: string
  externalId: string | null
  credentials: Buffer | null
  blocks: boolean
  receives: boolean
  status: CalendarStatus
  statusReason: string | null
  statusChangedAt: Date
  cursor: string | null
  coveredFrom: Date | null
  coveredTo: Date | null
  readAt: Date | null
  nextReadAt: Date | null
  failures: number
  eventCount: number
  warnings: CalendarWarning[]
  createdAt: Date
  updatedAt: Date
}

const columns = sql`
  c.id, c.agenda_id as "agendaId", a.timezone, c.provider, c.name, c.external_id as "externalId", c.credentials, c.blocks,
  c.receives, c.status, c.status_reason as "statusReason", c.status_changed_at as "statusChangedAt", c.cursor,
  c.covered_from as "coveredFrom", c.covered_to as "coveredTo", c.read_at as "readAt", c.next_read_at as "nextReadAt",
  c.failures, c.event_count as "eventCount", c.warnings, c.created_at as "createdAt", c.updated_at as "updatedAt"`

const withAgenda = (tx: Tx) =>
  sql`calendars c join agendas a on a.tenant_id = ${getTenantId(tx)} and a.id = c.agenda_id`

/** Calendars that no longer exist are left out. */
export async function findCalendars(tx: Tx, ids: string[]): Promise<CalendarRow[]> {
  const { rows } = await sql<CalendarRow>`
    select ${columns} from ${withAgenda(tx)}
    where c.tenant_id = ${getTenantId(tx)} and c.id = any(${ids}::uuid[]) and c.disconnected_at is null`.execute(
    tx,
  )
  return rows
}

/** Also one that was disconnected, and has events that are still to be deleted. */
export async function findWriteTarget(tx: Tx, id: string): Promise<CalendarRow | undefined> {
  const { rows } = await sql<CalendarRow>`
    select ${columns} from ${withAgenda(tx)} where c.tenant_id = ${getTenantId(tx)} and c.id = ${id}`.execute(
    tx,
  )
  return rows[0]
}

/** Locks a calendar until the transaction ends; undefined if there is none. */
export async function lockCalendar(tx: Tx, id: string): Promise<CalendarRow | undefined> {
  const { rows } = await sql<CalendarRow>`
    select ${columns} from ${withAgenda(tx)}
    where c.tenant_id = ${getTenantId(tx)} and c.id = ${id} and c.disconnected_at is null
    for no key update of c`.execute(tx)
  recordLockAcquired(tx)
  return rows[0]
}

/** Newest first. */
export async function listCalendars(
  tx: Tx,
  { limit, agendaId, status }: CalendarFilter,
  after: Position | null,
): Promise<CalendarRow[]> {
  const { rows } = await sql<CalendarRow>`
    select ${columns} from ${withAgenda(tx)}
    where c.tenant_id = ${getTenantId(tx)} and c.disconnected_at is null and ${after ? sql`c.id < ${after[0]}` : sql`true`}
      and ${agendaId === undefined ? sql`true` : sql`c.agenda_id = ${agendaId}`}
      and ${status === undefined ? sql`true` : isOneOf(sql`c.status`, splitNames(status))}
    order by c.id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Returns the time zone of an agenda; undefined if there is none. Its calendars can't be counted by another transaction. */
export async function lockAgenda(tx: Tx, agendaId: string): Promise<string | undefined> {
  const { rows } = await sql<{ timezone: string }>`
    select timezone from agendas where tenant_id = ${getTenantId(tx)} and id = ${agendaId}
    for no key update`.execute(tx)
  return rows[0]?.timezone
}

export async function countCalendars(tx: Tx, agendaId: string): Promise<{ all: number; ofAgenda: number }> {
  const { rows } = await sql<{ all: number; ofAgenda: number }>`
    select count(*)::int as all, (count(*) filter (where agenda_id = ${agendaId}))::int as "ofAgenda"
    from calendars where tenant_id = ${getTenantId(tx)} and disconnected_at is null`.execute(tx)
  return rows[0]!
}

export interface NewCalendarRow extends CalendarChanges {
  agenda_id: string
  provider: string
  name: string
  blocks: boolean
  receives: boolean
  status: CalendarStatus
  status_changed_at: Date
}

export async function insertCalendar(tx: Tx, id: string, calendar: NewCalendarRow): Promise<void> {
  const now = getNow(tx)
  await tx
    .insertInto('calendars')
    .values({ tenant_id: getTenantId(tx), id, ...calendar, created_at: now, updated_at: now })
    .execute()
}

/** The columns that change after a calendar was connected. */
export interface CalendarChanges {
  name?: string
  external_id?: string | null
  credentials?: Buffer | null
  blocks?: boolean
  receives?: boolean
  status?: CalendarStatus
  status_reason?: string | null
  status_changed_at?: Date
  cursor?: string | null
  covered_from?: Date | null
  covered_to?: Date | null
  read_at?: Date | null
  next_read_at?: Date | null
  failures?: number
  event_count?: number
  /** JSON. */
  warnings?: string
}

export async function updateCalendar(tx: Tx, id: string, changes: CalendarChanges): Promise<void> {
  await tx
    .updateTable('calendars')
    .set({ ...changes, updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

/** Returns whether the transaction's tenant is the live or the test environment of its workspace. */
export async function getEnvironment(tx: Tx): Promise<Environment> {
  const { environment } = await tx
    .selectFrom('tenants')
    .select('environment')
    .where('id', '=', getTenantId(tx))
    .executeTakeFirstOrThrow()
  return environment as Environment
}

export async function hasAgenda(tx: Tx, agendaId: string): Promise<boolean> {
  const { rows } = await sql`
    select from agendas
    where tenant_id = ${getTenantId(tx)} and id = ${agendaId} and deleted_at is null`.execute(tx)
  return rows.length > 0
}
