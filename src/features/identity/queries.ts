/** Every SQL statement about workspaces, users and keys inside a tenant. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import type { Me } from './schemas.ts'

/** A key as the JSON of the contract, without its value. */
export const keyJson = sql`json_build_object('id', k.id, 'name', k.name, 'environment', t.environment, 'scopes', k.scopes,
  'prefix', k.prefix, 'last4', k.last4, 'createdAt', aldaba.iso_time(k.created_at), 'createdBy', k.created_by,
  'expiresAt', aldaba.iso_time(k.expires_at), 'lastUsedAt', aldaba.iso_time(k.last_used_at), 'revokedAt', aldaba.iso_time(k.revoked_at))`

/** The workspace of the transaction and the key with this id. */
export async function getWorkspaceAndKey(tx: Tx, keyId: string): Promise<Pick<Me, 'workspace' | 'key'>> {
  const { rows } = await sql<Pick<Me, 'workspace' | 'key'>>`
    select json_build_object('id', w.id, 'name', w.name, 'slug', w.slug, 'timezone', w.timezone, 'country', w.country,
        'currency', w.currency, 'plan', w.plan) as workspace, ${keyJson} as key
    from api_keys k join tenants t on t.id = k.tenant_id join workspaces w on w.id = t.workspace_id
    where k.id = ${keyId}`.execute(tx)
  return rows[0]!
}
