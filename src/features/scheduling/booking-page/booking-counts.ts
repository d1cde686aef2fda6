/**
 * Limits how often a page sends mail to whoever is named in its form: each booking does, and each code. The counts are
 * those of all processes. Only a keyed hash of a client's address is stored, and not for long.
 */
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'

interface Limit {
  count: number
  seconds: number
}

/** A family behind one address can book, and choose another time if theirs was taken. */
const clientLimit: Limit = { count: 10, seconds: 3600 }
export const eventTypeLimit: Limit = { count: 30, seconds: 60 }

interface Use {
  tenantId: string
  eventTypeId: string
  /** The client address. */
  address: string
  kind: 'booking' | 'code'
}

/** Counts a use of the page; false: there were too many. */
export async function countUse(
  database: Database,
  cipher: Cipher,
  { tenantId, eventTypeId, address, kind }: Use,
): Promise<boolean> {
  const toHash = (who: string) => cipher.digest(`booking page ${kind} ${who}`)
  return database.withTenant({ tenantId }, async tx => {
    await deleteExpiredCounts(tx)
    // What the limit of the client refuses does not count for the others.
    return (
      (await increment(tx, eventTypeId, toHash(`of ${address}`), clientLimit)) &&
      (await increment(tx, eventTypeId, toHash('of all'), eventTypeLimit))
    )
  })
}

/** False: the limit is reached. */
async function increment(
  tx: Tx,
  eventTypeId: string,
  subjectHash: Buffer,
  { count, seconds }: Limit,
): Promise<boolean> {
  const expiresAt = new Date(getNow(tx).getTime() + seconds * 1000)
  const { rows } = await sql`
    insert into booking_counts as c (tenant_id, event_type_id, subject_hash, count, expires_at)
    values (${getTenantId(tx)}, ${eventTypeId}, ${subjectHash}, 1, ${expiresAt})
    on conflict (tenant_id, event_type_id, subject_hash) do update set count = c.count + 1
      where c.count < ${count}
    returning c.count`.execute(tx)
  return rows.length > 0
}

async function deleteExpiredCounts(tx: Tx): Promise<void> {
  await sql`delete from booking_counts where tenant_id = ${getTenantId(tx)} and expires_at <= ${sqlNow(tx)}`.execute(
    tx,
  )
}
