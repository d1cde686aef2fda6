/** The SQL statements of agendas. */
import { type RawBuilder, sql } from 'kysely'
import { createId, getNow, recordLockAcquired, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../../kit/db/json.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { Position } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { WorkingHours } from '../hours-schemas.ts'

export interface AgendaFields {
  agentUserId: string
  name: string
  timezone: string
  workingHours: WorkingHours | null
  failsClosed: boolean
}

const json = jsonObject(`
  a.id, a.agent_user_id as "agentUserId", a.name, a.timezone, a.working_hours as "workingHours",
  a.fails_closed as "failsClosed", aldaba.iso_time(a.created_at) as "createdAt", aldaba.iso_time(a.updated_at) as "updatedAt"`)

/** Newest first, without deleted ones. `agentUserId` undefined: of all agents. */
export function listAgendas(
  tx: Tx,
  { agentUserId, limit }: { agentUserId?: string | undefined; limit: number },
  after: Position | null,
): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [sql`a.deleted_at is null`]
  if (after) conditions.push(sql`a.id < ${after[0]}`)
  if (agentUserId) conditions.push(sql`a.agent_user_id = ${agentUserId}`)
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${json} as json, array[a.id::text] as position from agendas a
      where a.tenant_id = ${getTenantId(tx)} and ${sql.join(conditions, sql` and `)}
      order by a.id desc limit ${limit + 1}`,
    limit,
  )
}

/** The agenda as JSON. Throws 404. */
export async function getAgendaJson(tx: Tx, id: string): Promise<string> {
  const { rows } = await sql<{ json: string }>`
    select ${json}::text as json from agendas a
    where a.tenant_id = ${getTenantId(tx)} and a.id = ${id} and a.deleted_at is null`.execute(tx)
  if (!rows[0]) throw notFound('agenda')
  return rows[0].json
}

/**
 * Locks agendas until the transaction ends: bookings of one agenda wait for each other. The order of the ids keeps two
 * bookings of several agendas from waiting for each other.
 */
export async function lockAgendas(tx: Tx, agendaIds: string[]): Promise<void> {
  await sql`
    ${fixedPlan} select from agendas where tenant_id = ${getTenantId(tx)} and id = any(${agendaIds}::uuid[])
    order by id for no key update`.execute(tx)
  recordLockAcquired(tx)
}

/** Which of these agendas exist. */
export async function findExistingAgendas(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from agendas
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and deleted_at is null`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

const toColumns = (fields: AgendaFields) => ({
  agent_user_id: fields.agentUserId,
  name: sanitizeText(fields.name),
  timezone: fields.timezone,
  working_hours: fields.workingHours && JSON.stringify(fields.workingHours),
  fails_closed: fields.failsClosed,
})

/** Returns the id. */
export async function insertAgenda(tx: Tx, fields: AgendaFields): Promise<string> {
  const id = createId(tx)
  const now = getNow(tx)
  await tx
    .insertInto('agendas')
    .values({ tenant_id: getTenantId(tx), id, ...toColumns(fields), created_at: now, updated_at: now })
    .execute()
  return id
}

export async function updateAgenda(tx: Tx, id: string, fields: AgendaFields): Promise<void> {
  await tx
    .updateTable('agendas')
    .set({ ...toColumns(fields), updated_at: getNow(tx) })
    .where('tenant_id', '=', getTenantId(tx))
    .where('id', '=', id)
    .execute()
}

/** Until the transaction ends, no other transaction can change the agenda or book it. Throws 404. */
export async function getLockedAgenda(tx: Tx, id: string): Promise<AgendaFields> {
  await lockAgendas(tx, [id])
  return JSON.parse(await getAgendaJson(tx, id)) as AgendaFields
}

export async function getUserName(tx: Tx, userId: string): Promise<string> {
  const { name } = await tx
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return name
}

/** Counts the agendas that are not deleted, with a lock until the transaction ends that makes concurrent counts wait. */
export async function countAgendas(tx: Tx): Promise<number> {
  const tenantId = getTenantId(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agendas ${tenantId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agendas where tenant_id = ${tenantId} and deleted_at is null`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Returns true if anything is booked or held from now on. */
export async function isBookedAhead(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from agenda_reservations where tenant_id = ${getTenantId(tx)} and agenda_id = ${id}
      and starts_at > ${subtractDays(getNow(tx), 3)} and upper(occupied) > ${getNow(tx)} limit 1`.execute(tx)
  return rows.length > 0
}

/** The name of an event type that uses the agenda; null: none does. */
export async function findEventTypeName(tx: Tx, id: string): Promise<string | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ name: string }>`
    select e.name from event_types e
    where e.tenant_id = ${tenantId} and e.deleted_at is null and (e.agenda_id = ${id} or exists (
      select from event_type_members m where m.tenant_id = ${tenantId} and m.event_type_id = e.id and m.agenda_id = ${id}))
    limit 1`.execute(tx)
  return rows[0]?.name ?? null
}

export async function deleteAgenda(tx: Tx, id: string): Promise<void> {
  await sql`
    update agendas set deleted_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}
