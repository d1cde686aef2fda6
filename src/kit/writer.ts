/** Those who write leads: who they are, and that they take turns. */
import { sql } from 'kysely'
import { noteLockAcquired } from './clock/clock.ts'
import { getTenantId } from './db/context.ts'
import type { Tx } from './db/index.ts'
import type { IfMatch } from './etag.ts'

export interface Author {
  keyId: string | null
  userId: string | null
}

/** Who changes a lead that is known. */
export interface Writer {
  author: Author
  /** The versions that the writer knows; null: whichever there is. */
  ifMatch: IfMatch | null
}

/** Of a request, as a caller has it: with a user, `keyId` is the id of their session. */
export interface Requester {
  keyId: string | null
  userId?: string | null
}

/** Who writes: the person who is signed in, or whose the key is, which may be gone by the time of a job. */
export async function readAuthor(tx: Tx, { keyId, userId = null }: Requester): Promise<Author> {
  if (userId) return { keyId: null, userId }
  const { rows } = await sql<{ userId: string | null }>`
    select created_by as "userId" from api_keys where tenant_id = ${getTenantId(tx)} and id = ${keyId}`.execute(
    tx,
  )
  return { keyId, userId: rows[0]?.userId ?? null }
}

/**
 * Writers take turns in a tenant before they touch leads or sources, so that two of them never both find a property
 * unknown, go by what the other is changing, or wait for each other's rows.
 */
export async function lockLeadWrites(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${getTenantId(tx)}, 2))`.execute(tx)
  noteLockAcquired(tx)
}
