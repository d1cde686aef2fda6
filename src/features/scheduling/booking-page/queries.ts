/** The SQL statements of the public pages. */
import { sql } from 'kysely'
import { sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { Visitor } from '../appointments/schemas.ts'

/** The name of a user of the workspace; null: there is no such user any more. */
export async function findUserName(tx: Tx, userId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from users where id = ${userId} and workspace_id = aldaba.current_workspace()`.execute(tx)
  return rows[0]?.name ?? null
}

/**
 * Waits for other submissions of the same form and of the same visitor. So a form is booked once, and the limit of open
 * appointments holds.
 */
export async function lockSubmission(tx: Tx, formId: string, addresses: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  const keys = [formId, ...addresses].sort().map(key => `booking ${tenantId} ${key}`)
  for (const key of keys) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export interface FormAppointment {
  id: string
  start: Date
  visitor: Visitor
}

/** The appointment that a form has booked; null: none yet. */
export async function findAppointmentOfForm(tx: Tx, formId: string): Promise<FormAppointment | null> {
  const { rows } = await sql<FormAppointment>`
    select id, starts_at as start, visitor from appointments
    where tenant_id = ${getTenantId(tx)} and form_id = ${formId}`.execute(tx)
  return rows[0] ?? null
}

export async function setFormOfAppointment(tx: Tx, appointmentId: string, formId: string): Promise<void> {
  await sql`
    update appointments set form_id = ${formId}
    where tenant_id = ${getTenantId(tx)} and id = ${appointmentId}`.execute(tx)
}

/** Counts the appointments to come of an e-mail address or a phone number, normalized. */
export async function countOpenAppointments(
  tx: Tx,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from appointments
    where tenant_id = ${getTenantId(tx)} and status in ('pending', 'confirmed') and ends_at > ${sqlNow(tx)}
      and (visitor ->> 'email' = ${email} or visitor ->> 'phone' = ${phone})`.execute(tx)
  return rows[0]!.count
}
