/** Checks the stored hashes of lead identifiers. */
import type { KeyObject } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { hashIdentifier } from '../src/kit/identifier-hash.ts'
import { withDatabaseName } from './database.ts'

/**
 * Throws if the hash of a stored identifier differs from `hashIdentifier` with this key, or if a lead that was updated
 * after `since` has other identifiers than its rows in `lead_identifiers`.
 */
export async function assertHashesValid(
  databaseUrl: string,
  { key, since = new Date(0) }: { key: KeyObject; since?: Date },
): Promise<void> {
  // Only a superuser sees the rows of all tenants under row level security.
  const superuser = new pg.Client({
    connectionString: withDatabaseName(inject('superuserUrl'), new URL(databaseUrl).pathname.slice(1)),
  })
  await superuser.connect()
  try {
    const { rows: leads } = await superuser.query<{ id: string; own: string[]; stored: string[] }>(
      `select * from (
         select l.id, array(select distinct unnest(array_remove(array[l.phone, l.email] || l.identifiers, null)) order by 1) as own,
           array(select i.value from aldaba.lead_identifiers i where i.tenant_id = l.tenant_id and i.lead_id = l.id order by 1) as stored
         from aldaba.leads l where l.updated_at >= $1) leads
       where own <> stored`,
      [since],
    )
    if (leads.length > 0) throw new Error(`leads and their identifiers differ: ${JSON.stringify(leads[0])}`)
    const { rows } = await superuser.query<{ tenantId: string; value: string; hash: Buffer }>(
      `select tenant_id as "tenantId", value, hash from aldaba.lead_identifiers
       union all select tenant_id, value, hash from aldaba.former_identifiers`,
    )
    for (const { tenantId, value, hash } of rows)
      if (!hashIdentifier(key, tenantId, value).equals(hash))
        throw new Error(`the stored hash of ${JSON.stringify(value)} differs from hashIdentifier`)
  } finally {
    await superuser.end()
  }
}
