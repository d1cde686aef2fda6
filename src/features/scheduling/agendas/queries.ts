/** The SQL statements of agendas. */
import { sql } from 'kysely'
import { createId, getNow, recordLockAcquired } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type { WorkingHours } from '../event-types/availability-schemas.ts'
import { agendasMax, tooManyAgendas } from '../problems.ts'

/**
 * Locks agendas until the transaction ends: bookings of one agenda wait for each other. The order of the ids keeps two
 * bookings of several agendas from waiting for each other.
 */
export async function lockAgendas(tx: Tx, agendaIds: string[]): Promise<void> {
  await sql`
    select from agendas where tenant_id = ${getTenantId(tx)} and id = any(${agendaIds}::uuid[])
    order by id for no key update`.execute(tx)
  recordLockAcquired(tx)
}

/** Which of these agendas exist. */
export async function findExistingAgendas(tx: Tx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from agendas where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export interface AgendaFields {
  agentUserId: string
  /** Null: the name of the agent. */
  name: string | null
  timezone: string
  workingHours: WorkingHours | null
  failsClosed: boolean
}

/** Returns the id. Throws 422 if there are too many. */
export async function createAgenda(tx: Tx, fields: AgendaFields): Promise<string> {
  const tenantId = getTenantId(tx)
  const id = createId(tx)
  const now = getNow(tx)
  const name = fields.name ?? (await readUserName(tx, fields.agentUserId))
  await assertRoom(tx)
  await tx
    .insertInto('agendas')
    .values({
      tenant_id: tenantId,
      id,
      agent_user_id: fields.agentUserId,
      name: sanitizeText(name),
      timezone: fields.timezone,
      working_hours: fields.workingHours && JSON.stringify(fields.workingHours),
      fails_closed: fields.failsClosed,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

async function readUserName(tx: Tx, userId: string): Promise<string> {
  const { name } = await tx
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return name
}

async function assertRoom(tx: Tx): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agendas ${tenantId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agendas where tenant_id = ${tenantId}`.execute(tx)
  if (rows[0]!.count >= agendasMax) throw new Problem(tooManyAgendas, tooManyAgendas.example)
}
