/** The SQL statements of snoozes, which end by themselves. */
import { getNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { recordInboxChanges } from '../inbox-changes.ts'

/** Ended at once. */
const endedMax = 500

export async function findNextSnoozeEnd(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(snoozed_until) as at from conversations
    where tenant_id = ${getTenantId(tx)} and snoozed_until is not null`.execute(tx)
  return rows[0]?.at ?? null
}

/** The conversations whose snooze is over are open again, some hundred at once. */
export async function endSnoozes(tx: Tx): Promise<void> {
  const { rows: due } = await sql<{ id: string }>`
    select id from conversations where tenant_id = ${getTenantId(tx)} and snoozed_until <= ${getNow(tx)}
    order by id limit ${endedMax} for no key update skip locked`.execute(tx)
  if (due.length === 0) return
  await sql`
    update conversations set snoozed_until = null, status = 'open', updated_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and id = any(${due.map(({ id }) => id)}::uuid[])`.execute(tx)
  await recordInboxChanges(
    tx,
    due.map(({ id }) => ({ conversationId: id, messageId: null })),
  )
}

export async function listTenantsWithSnoozeEnds({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from conversations c
    where snoozed_until is not null and snoozed_until <= ${sqlNowFor('c.tenant_id')}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
