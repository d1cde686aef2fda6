/** The SQL statements of notices. */
import { sql } from 'kysely'
import { createId, getNow, sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { fixedPlan } from '../../../kit/db/plans.ts'
import type { Position } from '../../../kit/page.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { selectAppointments } from '../appointments/queries.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { PlannedNotice } from './plan-notices.ts'
import type { Refusal } from './reasons.ts'

export interface NoticeRow extends Omit<PlannedNotice, 'dueAt'> {
  id: string
  appointmentId: string
  status: 'waiting' | 'queued' | 'sent' | 'skipped' | 'failed'
  /** Null: nothing is left to do. */
  dueAt: Date | null
  reason: string | null
  explanation: string | null
  messageId: string | null
  attempts: number
  claimedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql.raw(`
  n.id, n.appointment_id as "appointmentId", n.kind, n.recipient, n.agent_user_id as "agentUserId", n.channel,
  n.template_id as "templateId", n.sequence, n.due_at as "dueAt", n.status, n.reason, n.explanation, n.message_id as "messageId",
  n.attempts, n.claimed_at as "claimedAt", n.created_at as "createdAt", n.updated_at as "updatedAt"`)

export async function insertNotices(
  tx: Tx,
  appointmentId: string,
  notices: readonly PlannedNotice[],
): Promise<void> {
  if (notices.length === 0) return
  const now = getNow(tx)
  const ids = notices.map(() => createId(tx)).sort()
  await tx
    .insertInto('appointment_notices')
    .values(
      notices.map((notice, index) => ({
        tenant_id: getTenantId(tx),
        id: ids[index]!,
        appointment_id: appointmentId,
        kind: notice.kind,
        recipient: notice.recipient,
        agent_user_id: notice.agentUserId,
        channel: notice.channel,
        template_id: notice.templateId,
        sequence: notice.sequence,
        due_at: notice.dueAt,
        status: 'waiting',
        created_at: now,
        updated_at: now,
      })),
    )
    .execute()
}

/** Ends those of an appointment that wait. `keepsVisitor`: only those to agents. */
export async function endWaiting(
  tx: Tx,
  appointmentId: string,
  { code, message, keepsVisitor }: Refusal & { keepsVisitor: boolean },
): Promise<void> {
  await sql`
    update appointment_notices set status = 'skipped', due_at = null, reason = ${code}, explanation = ${message}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and status = 'waiting'
      and (recipient = 'agent' or not ${keepsVisitor}::boolean)`.execute(tx)
}

/** What waits for the visitor is about the appointment as it is now. */
export async function renumberWaiting(tx: Tx, appointmentId: string, sequence: number): Promise<void> {
  await sql`
    update appointment_notices set sequence = ${sequence}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and status = 'waiting'`.execute(
    tx,
  )
}

export async function deleteWaiting(tx: Tx, appointmentId: string): Promise<void> {
  await sql`
    delete from appointment_notices
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and status = 'waiting'`.execute(
    tx,
  )
}

export interface DueNotice {
  id: string
  appointmentId: string
  dueAt: Date
  /** How often it has failed. */
  attempts: number
}

/** The earliest first. `appointmentId`: only those of this one; null: all. `after`: the last one of the batch before. */
export async function listDue(
  tx: Tx,
  { appointmentId, after, limit }: { appointmentId: string | null; after: DueNotice | null; limit: number },
): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    select id, appointment_id as "appointmentId", due_at as "dueAt", attempts from appointment_notices
    where tenant_id = ${getTenantId(tx)} and due_at <= ${sqlNow(tx)} and status = 'waiting'
      and ${appointmentId === null ? sql`true` : sql`appointment_id = ${appointmentId}`}
      and ${after === null ? sql`true` : sql`(due_at, id) > (${after.dueAt}::timestamptz, ${after.id}::uuid)`}
    order by due_at, id limit ${limit}`.execute(tx)
  return rows
}

/** Locks the appointment; null: it is being changed, and its notices with it. */
export async function tryLockAppointment(tx: Tx, id: string): Promise<AppointmentRow | null> {
  const [row] = await selectAppointments(
    tx,
    sql`${fixedPlan} a.id = ${id}`,
    sql`for no key update skip locked`,
  )
  return row ?? null
}

/** Takes a due notice; undefined: somebody else has, or it is not due any more. */
export async function claimNotice(tx: Tx, id: string): Promise<NoticeRow | undefined> {
  const { rows } = await sql<NoticeRow>`
    ${fixedPlan} update appointment_notices n set status = 'queued', due_at = null, updated_at = ${getNow(tx)}
    where n.tenant_id = ${getTenantId(tx)} and n.id = ${id} and n.status = 'waiting' and n.due_at <= ${sqlNow(tx)}
    returning ${columns}`.execute(tx)
  return rows[0]
}

export async function findNotice(tx: Tx, id: string): Promise<NoticeRow | undefined> {
  const { rows } = await sql<NoticeRow>`
    select ${columns} from appointment_notices n where n.tenant_id = ${getTenantId(tx)} and n.id = ${id}`.execute(
    tx,
  )
  return rows[0]
}

export interface NoticeResult {
  status: 'queued' | 'sent' | 'skipped' | 'failed'
  refusal?: Refusal
  messageId?: string
}

export async function storeResult(
  tx: Tx,
  id: string,
  { status, refusal, messageId }: NoticeResult,
): Promise<void> {
  await sql`
    ${fixedPlan} update appointment_notices set status = ${status}, due_at = null, reason = ${refusal?.code ?? null},
      explanation = ${refusal ? sanitizeText(refusal.message) : null}, message_id = ${messageId ?? null}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** Tries a waiting notice again later. */
export async function postponeNotice(tx: Tx, id: string, dueAt: Date): Promise<void> {
  await sql`
    update appointment_notices set attempts = attempts + 1, due_at = ${dueAt}, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and status = 'waiting'`.execute(tx)
}

/** Marks that an e-mail to an agent is about to be handed to the mail server. */
export async function markHandedOver(tx: Tx, id: string): Promise<void> {
  await sql`
    update appointment_notices set claimed_at = ${getNow(tx)}, attempts = attempts + 1, updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** The messages of earlier notices to the visitor with an invitation or without, the oldest first. */
export async function listMessageIds(tx: Tx, appointmentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select message_id as id from appointment_notices
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and message_id is not null
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The oldest first. Returns `limit + 1` rows if there are more. */
export async function listNotices(
  tx: Tx,
  appointmentId: string,
  { limit, after }: { limit: number; after: Position | null },
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select ${columns} from appointment_notices n
    where n.tenant_id = ${getTenantId(tx)} and n.appointment_id = ${appointmentId}
      and ${after ? sql`n.id > ${after[0]}::uuid` : sql`true`}
    order by n.id limit ${limit + 1}`.execute(tx)
  return rows
}

export async function findNextDueAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from appointment_notices
    where tenant_id = ${getTenantId(tx)} and due_at is not null and status = 'waiting'`.execute(tx)
  return rows[0]?.at ?? null
}

export async function listTenantsWithDue({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from appointment_notices n
    where due_at <= ${sqlNowFor('n.tenant_id')} and status = 'waiting'`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}

/** Who receives the visitor; undefined: no longer a user. */
export async function findAgent(
  tx: Tx,
  userId: string,
): Promise<{ name: string; email: string; isActive: boolean } | undefined> {
  const { rows } = await sql<{ name: string; email: string; isActive: boolean }>`
    select name, email, revoked_at is null as "isActive" from users where id = ${userId} and workspace_id = aldaba.current_workspace()`.execute(
    tx,
  )
  return rows[0]
}

/** The SEQUENCE of the last invitation of the visitor; 0: there was none. */
export async function findInvitedSequence(tx: Tx, appointmentId: string): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`
    select coalesce(max(sequence), 0) as sequence from appointment_notices
    where tenant_id = ${getTenantId(tx)} and appointment_id = ${appointmentId} and recipient = 'visitor'
      and kind in ('booked', 'confirmed', 'rescheduled') and status not in ('skipped', 'failed')`.execute(tx)
  return rows[0]!.sequence
}
