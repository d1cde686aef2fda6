/** The authors of changes to leads, and the lock that serializes their transactions. */
import { sql } from 'kysely'
import { recordLockAcquired } from './clock/clock.ts'
import { getTenantId } from './db/context.ts'
import type { Tx } from './db/index.ts'
import type { IfMatch } from './etag.ts'

/** The author of a change: a key, a user, or neither for internal work. */
export interface Author {
  keyId: string | null
  userId: string | null
}

/** The author of a change to an existing lead, and the versions that may be changed. */
export interface Writer {
  author: Author
  /** The versions that the change applies to; null: any version. */
  ifMatch: IfMatch | null
}

/** The identity of a caller. For a user, `keyId` is the id of the session. */
export interface Requester {
  keyId: string | null
  userId?: string | null
}

/** Returns the author: the signed-in user, or the user who created the key. It may be deleted before a job runs. */
export async function readAuthor(tx: Tx, { keyId, userId = null }: Requester): Promise<Author> {
  if (userId) return { keyId: null, userId }
  const { rows } = await sql<{ userId: string | null }>`
    select created_by as "userId" from api_keys where tenant_id = ${getTenantId(tx)} and id = ${keyId}`.execute(
    tx,
  )
  return { keyId, userId: rows[0]?.userId ?? null }
}

/** The lock of leads that a transaction holds. */
const locks = new WeakMap<Tx, 'shared' | 'exclusive'>()

/**
 * Locks writes of leads in the tenant until the transaction ends. Call it before reading or changing leads or sources.
 * It prevents duplicate leads, decisions on data that another transaction is changing, and deadlocks.
 */
export async function lockLeadWrites(tx: Tx): Promise<void> {
  // Two transactions that share the lock would wait for each other.
  if (locks.get(tx) === 'shared') throw new Error('lockLeadWrites must be called before shareLeads')
  locks.set(tx, 'exclusive')
  await sql`select pg_advisory_xact_lock(hashtextextended(${getTenantId(tx)}, 2))`.execute(tx)
  recordLockAcquired(tx)
}

/**
 * Keeps `lockLeadWrites` of other transactions away until this one ends, but none that calls this. For transactions that
 * only decide by what is known of people, or note a contact.
 */
export async function shareLeads(tx: Tx): Promise<void> {
  if (locks.has(tx)) return
  locks.set(tx, 'shared')
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${getTenantId(tx)}, 2))`.execute(tx)
  recordLockAcquired(tx)
}

/** Like `shareLeads`, but returns false, without waiting, if another transaction has locked writes of leads or is about to. */
export async function tryShareLeads(tx: Tx): Promise<boolean> {
  if (locks.has(tx)) return true
  const { rows } = await sql<{ isShared: boolean }>`
    select pg_try_advisory_xact_lock_shared(hashtextextended(${getTenantId(tx)}, 2)) as "isShared"`.execute(
    tx,
  )
  if (rows[0]!.isShared) {
    locks.set(tx, 'shared')
    recordLockAcquired(tx)
  }
  return rows[0]!.isShared
}
