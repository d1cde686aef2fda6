/**
 * Ends messages that wait for too long, whatever the state of their account: queued ones fail, and those whose process died
 * are `unknown`.
 */
import type { RawBuilder } from 'kysely'
import { getNow, sqlNow, sqlNowFor } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../../kit/db/index.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { changeStatuses } from '../messages/change-status.ts'
import { lockOutgoing } from '../messages/outgoing-rows.ts'
import { expired } from '../messages/to-failure.ts'
import { claimLeaseMs } from './claim.ts'
import { reportLost, undecidedMs } from './decide-due.ts'

/** Ended in one transaction. */
const batchMax = 500

const isExpired = (now: RawBuilder<Date>) =>
  sql<boolean>`m.status = 'queued' and m.claimed_at is null and m.expires_at <= ${now}`
/** An account that sends decides its lost messages at the end of their claim (`recover`). */
const isLost = (now: RawBuilder<Date>) => sql<boolean>`
  m.claimed_at <= ${now} - make_interval(secs => ${undecidedMs / 1000})
    and m.next_attempt_at <= ${now} - make_interval(secs => ${claimLeaseMs / 1000})`

export async function endOverdue(tx: Tx): Promise<void> {
  await shareLeads(tx)
  const now = sqlNow(tx)
  const { rows } = await sql<{ id: string }>`
    (select m.id from messages m where m.tenant_id = ${getTenantId(tx)} and ${isExpired(now)} order by m.expires_at limit ${batchMax})
    union all
    (select m.id from messages m where m.tenant_id = ${getTenantId(tx)} and ${isLost(now)} limit ${batchMax})`.execute(
    tx,
  )
  const messages = await lockOutgoing(
    tx,
    sql`m.id = any(${rows.map(({ id }) => id)}::uuid[]) and (${isExpired(now)} or ${isLost(now)})`,
  )
  const failed = { status: 'failed' as const, at: getNow(tx), providerMessageId: null, failure: expired }
  await changeStatuses(
    tx,
    messages.map(message => ({ message, report: message.claimedAt ? reportLost(tx) : failed })),
  )
}

export async function findNextOverdue(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(expires_at) from messages
        where tenant_id = ${getTenantId(tx)} and status = 'queued' and claimed_at is null),
      (select min(greatest(claimed_at + make_interval(secs => ${undecidedMs / 1000}), next_attempt_at + make_interval(secs => ${claimLeaseMs / 1000})))
        from messages where tenant_id = ${getTenantId(tx)} and claimed_at is not null)) as at`.execute(tx)
  return rows[0]?.at ?? null
}

export async function listTenantsWithOverdue({ owner }: Database): Promise<string[]> {
  const now = sqlNowFor('m.tenant_id')
  const { rows } = await sql<{ tenantId: string }>`
    select m.tenant_id as "tenantId" from messages m where ${isExpired(now)}
    union
    select m.tenant_id from messages m where ${isLost(now)}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
