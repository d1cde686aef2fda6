/** The SQL statements of stored bodies. */
import { sql } from 'kysely'
import { createId, getNow, machineNow, sqlNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'

export interface NewBody {
  accountId: string
  digest: Buffer
  /** Encrypted. */
  body: Buffer
}

/** Stores bodies in their order. Returns for each whether it is new: false if the account has it already. */
export async function insertBodies(tx: Tx, bodies: NewBody[]): Promise<boolean[]> {
  const now = getNow(tx)
  // Ids of the same millisecond are in random order.
  const ids = bodies.map(() => createId(tx)).sort()
  // Transactions that insert the same bodies lock them in the same order.
  const rows = bodies
    .map((body, index) => ({ ...body, id: ids[index]! }))
    .toSorted((one, other) => Buffer.compare(one.digest, other.digest))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into inbound_bodies (tenant_id, id, account_id, digest, body, received_at, next_attempt_at)
    select ${getTenantId(tx)}::uuid, id, account_id, digest, body, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ accountId }) => accountId)}::uuid[], ${rows.map(({ digest }) => digest)}::bytea[],
      ${rows.map(({ body }) => body)}::bytea[]) as given (id, account_id, digest, body)
    on conflict (tenant_id, account_id, digest) do nothing
    returning id`.execute(tx)
  const stored = new Set(inserted.map(({ id }) => id))
  return ids.map(id => stored.has(id))
}

export interface WaitingBody {
  id: string
  /** Encrypted. */
  body: Buffer
  receivedAt: Date
  attempts: number
}

/**
 * Finds the first bodies of an account that are due, in the order in which they were received, up to a number and to the
 * bytes of all. One is returned whatever its size.
 */
export async function findDueBodies(
  tx: Tx,
  accountId: string,
  { bodies, bytes }: { bodies: number; bytes: number },
): Promise<WaitingBody[]> {
  const { rows } = await sql<WaitingBody>`
    select id, body, received_at as "receivedAt", attempts from (
      select *, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before from (
        select id, body, received_at, attempts from inbound_bodies
        where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and next_attempt_at is not null
          and next_attempt_at <= ${sqlNow(tx)}
        order by id limit ${bodies}) due) sized
    where bytes_before = 0 or bytes_before + octet_length(body) <= ${bytes}
    order by id`.execute(tx)
  return rows
}

/** Returns when the next body of an account is due; null: none waits. */
export async function findNextAttempt(tx: Tx, accountId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and account_id = ${accountId} and next_attempt_at is not null`.execute(
    tx,
  )
  return rows[0]!.at
}

/** Locks a body that is to be processed. Returns nothing if it was processed meanwhile, or deleted. */
export async function lockBody(tx: Tx, id: string): Promise<{ eventsDone: boolean[] | null } | undefined> {
  const { rows } = await sql<{ eventsDone: boolean[] | null }>`
    select events_done as "eventsDone" from inbound_bodies where tenant_id = ${getTenantId(tx)} and id = ${id} and next_attempt_at is not null
    for update`.execute(tx)
  return rows[0]
}

/** Locks those of the bodies that are still to be processed, and none of whose events was handled. Returns their ids. */
export async function lockNewBodies(tx: Tx, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[]) and next_attempt_at is not null and events_done is null
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Stores which events of a body were handled, in their order. */
export async function markEventsDone(tx: Tx, id: string, eventsDone: boolean[]): Promise<void> {
  await sql`
    update inbound_bodies set events_done = ${eventsDone}::boolean[]
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
}

/** Marks bodies as processed. `error`: which parts could not be read; null: all could. */
export async function markProcessed(tx: Tx, bodies: { id: string; error: string | null }[]): Promise<void> {
  await sql`
    update inbound_bodies b set processed_at = ${getNow(tx)}, next_attempt_at = null, events_done = null, attempts = b.attempts + 1, error = g.error
    from unnest(${bodies.map(({ id }) => id)}::uuid[], ${bodies.map(({ error }) => error)}::text[]) as g (id, error)
    where b.tenant_id = ${getTenantId(tx)} and b.id = g.id`.execute(tx)
}

export async function recordAttempt(
  tx: Tx,
  id: string,
  { error, nextAttemptAt }: { error: string; nextAttemptAt: Date | null },
): Promise<void> {
  await sql`
    update inbound_bodies set attempts = attempts + 1, error = ${error}, next_attempt_at = ${nextAttemptAt}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and processed_at is null`.execute(tx)
}

/** Counts the bodies of accounts that could not be processed, or not as a whole, by account. */
export async function countUnprocessed(tx: Tx, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ accountId: string; count: number }>`
    select account_id as "accountId", count(*) as count from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and account_id = any(${accountIds}::uuid[]) and error is not null
    group by account_id`.execute(tx)
  return new Map(rows.map(({ accountId, count }) => [accountId, count]))
}

/** Lists the accounts with due bodies, of all tenants, at most 1,000. */
export async function listWaitingAccounts({
  owner,
}: Pick<Database, 'owner'>): Promise<{ tenantId: string; accountId: string }[]> {
  const { rows } = await sql<{ tenantId: string; accountId: string }>`
    select distinct b.tenant_id as "tenantId", b.account_id as "accountId"
    from inbound_bodies b left join clocks c on c.tenant_id = b.tenant_id
    where b.next_attempt_at <= to_timestamp((${machineNow()}::bigint + coalesce(c.shift_ms, 0)) / 1000.0) limit 1000`.execute(
    owner,
  )
  return rows
}

/** Returns when the next body of the tenant is due; null: none waits. */
export async function findNextProcessing(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and next_attempt_at is not null`.execute(tx)
  return rows[0]!.at
}

/** Lists the accounts of the tenant with due bodies. */
export async function listWaitingAccountsOfTenant(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id as "accountId" from inbound_bodies
    where tenant_id = ${getTenantId(tx)} and next_attempt_at <= ${sqlNow(tx)}`.execute(tx)
  return rows.map(({ accountId }) => accountId)
}

/** How long processed bodies are kept, and those that could not be processed, or not as a whole. */
export const keptDays = { processed: 7, failed: 30 }

/** Deletes at most `limit` old bodies. Returns how many. */
export async function deleteOldBodies(tx: Tx, limit: number): Promise<number> {
  const now = getNow(tx)
  const { rows } = await sql`
    delete from inbound_bodies where tenant_id = ${getTenantId(tx)} and id in (
      select id from inbound_bodies where tenant_id = ${getTenantId(tx)} and (
        error is null and processed_at < ${subtractDays(now, keptDays.processed)}
        or error is not null and received_at < ${subtractDays(now, keptDays.failed)})
      limit ${limit})
    returning id`.execute(tx)
  return rows.length
}

/** Returns when the next bodies are to be deleted; null: there is none. */
export async function findNextDeletion(tx: Tx): Promise<Date | null> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(processed_at) from inbound_bodies where tenant_id = ${tenantId} and error is null) + make_interval(days => ${keptDays.processed}),
      (select min(received_at) from inbound_bodies
       where tenant_id = ${tenantId} and error is not null) + make_interval(days => ${keptDays.failed})) as at`.execute(
    tx,
  )
  return rows[0]!.at
}
