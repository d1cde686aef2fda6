/** Finds the attester of a lawful basis that a request states without naming anybody. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type Requester, readAuthor } from '../../../kit/writer.ts'

export interface Attester {
  /** The name of the signed-in user, or of the key. */
  name: string | null
  /** The user, also the one who created the key; null: none is known. */
  userId: string | null
}

export async function readAttester(tx: Tx, caller: Requester): Promise<Attester> {
  const { keyId, userId } = await readAuthor(tx, caller)
  const { rows } = keyId
    ? await sql<{ name: string }>`
        select 'API key “' || name || '”' as name from api_keys where tenant_id = ${getTenantId(tx)} and id = ${keyId}`.execute(
        tx,
      )
    : await sql<{ name: string }>`
        select coalesce(nullif(name, ''), email) as name from users where id = ${userId}`.execute(tx)
  return { name: rows[0]?.name.slice(0, 200) ?? null, userId }
}
