/** The SQL statements of appointments. */
import { type RawBuilder, sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeJson, sanitizeText } from '../../../kit/sanitize-text.ts'
import { splitNames } from '../../../kit/schema.ts'
import type { AppointmentRow } from './row.ts'
import type { AppointmentFilter } from './schemas.ts'

const columns = sql.raw(`
  a.id, a.event_type_id as "eventTypeId", a.booked_slot_id as "bookedSlotId", a.agenda_id as "agendaId",
  a.agent_user_id as "agentUserId", a.status, a.starts_at as start, a.ends_at as end, a.timezone, a.visitor, a.lead_id as "leadId",
  a.location, a.answers, a.notes, a.source, a.ical_uid as "icalUid", a.sequence, a.expires_at as "expiresAt",
  a.cancelled_by as "cancelledBy", a.cancel_reason as "cancelReason", a.visitor_answer as "visitorAnswer", a.outcome, a.created_at as "createdAt",
  a.updated_at as "updatedAt", a.confirmed_at as "confirmedAt", a.cancelled_at as "cancelledAt"`)

export async function selectAppointments(
  tx: Tx,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<AppointmentRow[]> {
  const { rows } = await sql<AppointmentRow>`
    select ${columns} from appointments a
    where a.tenant_id = ${getTenantId(tx)} and ${condition} ${rest}`.execute(tx)
  return rows
}

/** The existing ones, in any order. */
export const findAppointments = (tx: Tx, ids: string[]): Promise<AppointmentRow[]> =>
  selectAppointments(tx, sql`a.id = any(${ids}::uuid[])`)

/** Throws 404. */
export async function getAppointment(tx: Tx, id: string): Promise<AppointmentRow> {
  const [row] = await findAppointments(tx, [id])
  if (!row) throw notFound('appointment')
  return row
}

/** Like `getAppointment`; no other transaction can change it until this one ends. */
export async function lockAppointment(tx: Tx, id: string): Promise<AppointmentRow> {
  const [row] = await selectAppointments(tx, sql`a.id = ${id}`, sql`for no key update`)
  if (!row) throw notFound('appointment')
  return row
}

/** In the order of `sort`. Returns `limit + 1` rows if there are more. */
export function listAppointments(
  tx: Tx,
  filter: AppointmentFilter,
  after: Position | null,
): Promise<AppointmentRow[]> {
  const { status, eventTypeId, agendaId, agentUserId, leadId, from, to, sort, limit } = filter
  const isDescending = sort === '-start'
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (status) conditions.push(sql`a.status = any(${splitNames(status)}::text[])`)
  if (eventTypeId) conditions.push(sql`a.event_type_id = ${eventTypeId}`)
  if (agendaId) conditions.push(sql`a.agenda_id = ${agendaId}`)
  if (agentUserId) conditions.push(sql`a.agent_user_id = ${agentUserId}`)
  if (leadId) conditions.push(sql`a.lead_id = ${leadId}`)
  if (from) conditions.push(sql`a.starts_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`a.starts_at < ${to}::timestamptz`)
  if (after)
    conditions.push(
      sql`(a.starts_at, a.id) ${sql.raw(isDescending ? '<' : '>')} (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    )
  const order = sql.raw(isDescending ? 'desc' : 'asc')
  return selectAppointments(
    tx,
    sql.join(conditions, sql` and `),
    sql`order by a.starts_at ${order}, a.id ${order} limit ${limit + 1}`,
  )
}

/** Returns it as stored. */
export async function insertAppointment(
  tx: Tx,
  row: Omit<
    AppointmentRow,
    'createdAt' | 'updatedAt' | 'cancelledBy' | 'cancelReason' | 'cancelledAt' | 'outcome' | 'visitorAnswer'
  >,
): Promise<AppointmentRow> {
  const { id, eventTypeId, bookedSlotId, agendaId, agentUserId, status, start, end, timezone } = row
  const { visitor, leadId, location, answers, notes, source, icalUid, sequence, expiresAt } = row
  const now = getNow(tx)
  const { rows } = await sql<AppointmentRow>`
    ${fixedPlan} insert into appointments as a (tenant_id, id, event_type_id, booked_slot_id, agenda_id, agent_user_id, status, starts_at, ends_at,
      timezone, visitor, lead_id, location, answers, notes, source, ical_uid, sequence, expires_at, created_at, updated_at, confirmed_at)
    values (${getTenantId(tx)}, ${id}, ${eventTypeId}, ${bookedSlotId}, ${agendaId}, ${agentUserId}, ${status}, ${start}, ${end},
      ${timezone}, ${sanitizeJson(visitor)}::jsonb, ${leadId}, ${sanitizeJson(location)}::jsonb, ${sanitizeJson(answers)}::jsonb,
      ${toStoredText(notes)}, ${source}, ${icalUid}, ${sequence}, ${expiresAt}, ${now}, ${now}, ${row.confirmedAt})
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** What may change of an appointment. */
export type AppointmentUpdate = Partial<
  Omit<AppointmentRow, 'id' | 'eventTypeId' | 'source' | 'icalUid' | 'createdAt' | 'updatedAt'>
>

/** Stores a changed appointment, which is locked. Returns it as stored. */
export async function updateAppointment(
  tx: Tx,
  before: AppointmentRow,
  update: AppointmentUpdate,
): Promise<AppointmentRow> {
  const row = { ...before, ...update }
  const { rows } = await sql<AppointmentRow>`
    update appointments a set booked_slot_id = ${row.bookedSlotId}, agenda_id = ${row.agendaId}, agent_user_id = ${row.agentUserId},
      status = ${row.status}, starts_at = ${row.start}, ends_at = ${row.end}, timezone = ${row.timezone},
      visitor = ${sanitizeJson(row.visitor)}::jsonb, lead_id = ${row.leadId}, location = ${sanitizeJson(row.location)}::jsonb,
      answers = ${sanitizeJson(row.answers)}::jsonb, notes = ${toStoredText(row.notes)}, sequence = ${row.sequence},
      expires_at = ${row.expiresAt}, cancelled_by = ${row.cancelledBy}, cancel_reason = ${toStoredText(row.cancelReason)},
      visitor_answer = ${row.visitorAnswer && sanitizeJson(row.visitorAnswer)}::jsonb,
      outcome = ${row.outcome && sanitizeJson(row.outcome)}::jsonb, updated_at = ${getNow(tx)},
      confirmed_at = ${row.confirmedAt}, cancelled_at = ${row.cancelledAt}
    where a.tenant_id = ${getTenantId(tx)} and a.id = ${row.id}
    returning ${columns}`.execute(tx)
  return rows[0]!
}

const toStoredText = (text: string | null) => (text === null ? null : sanitizeText(text))
