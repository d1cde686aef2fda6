/**
 * Limits how often public forms are used: by a client, and by all together. The counts are those of all processes, on the
 * environment's clock. Only a keyed hash of the subject is stored, such as a client's address, and not for long.
 */
import { getNow, sqlNow } from './clock/clock.ts'
import type { Cipher } from './crypto.ts'
import { getTenantId } from './db/context.ts'
import { type Database, sql, type Tx } from './db/index.ts'

export interface UseLimit {
  count: number
  seconds: number
}

export interface CountedUse extends UseLimit {
  /** Whose use of what it is, such as `bookings of TYPE by ADDRESS`. */
  subject: string
}

/**
 * Counts a use for each subject, in their order; false: one of them has reached its limit. What the limit of a client refuses
 * does not count for the subjects after it.
 */
export async function countUse(
  database: Database,
  cipher: Cipher,
  tenantId: string,
  uses: CountedUse[],
): Promise<boolean> {
  return database.withTenant({ tenantId }, async tx => {
    await sql`delete from use_counts where tenant_id = ${tenantId} and expires_at <= ${sqlNow(tx)}`.execute(
      tx,
    )
    for (const use of uses)
      if (!(await increment(tx, cipher.digest(`use of ${use.subject}`), use))) return false
    return true
  })
}

/** False: the limit is reached. */
async function increment(tx: Tx, subjectHash: Buffer, { count, seconds }: UseLimit): Promise<boolean> {
  const expiresAt = new Date(getNow(tx).getTime() + seconds * 1000)
  const { rows } = await sql`
    insert into use_counts as c (tenant_id, subject_hash, count, expires_at)
    values (${getTenantId(tx)}, ${subjectHash}, 1, ${expiresAt})
    on conflict (tenant_id, subject_hash) do update set count = c.count + 1
      where c.count < ${count}
    returning c.count`.execute(tx)
  return rows.length > 0
}
