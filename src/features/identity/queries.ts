/** The SQL statements about workspaces, users and keys inside a tenant. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import type { Position } from '../../kit/page.ts'
import type { Session } from './dashboard-schemas.ts'
import type { Me } from './schemas.ts'

/** SQL of the API JSON of a key, from `api_keys k`, `tenants t` and `key_uses x`. */
export const keyJson = jsonObject(`k.id, k.name, t.environment, k.scopes, k.prefix, k.last4,
  aldaba.iso_time(k.created_at) as "createdAt", k.created_by as "createdBy", aldaba.iso_time(k.expires_at) as "expiresAt",
  aldaba.iso_time(x.last_used_at) as "lastUsedAt",
  aldaba.iso_time(k.revoked_at) as "revokedAt"`)

const workspaceJson = jsonObject(`w.id, w.name, w.slug, w.timezone, w.country, w.currency, w.plan`)

const userJson = jsonObject(`u.id, u.email, u.name, u.role`)

/** Returns the workspace of the transaction and the key with this id; the key is null for a session. */
export async function getWorkspaceAndKey(tx: Tx, keyId: string): Promise<Pick<Me, 'workspace' | 'key'>> {
  // Two statements: Citus 13.2 crashes (segmentation fault) on a left join of distributed tables to local ones.
  const [{ rows: workspaces }, { rows: keys }] = await Promise.all([
    sql<Pick<Me, 'workspace'>>`
      select ${workspaceJson} as workspace from tenants t join workspaces w on w.id = t.workspace_id
      where t.id = ${getTenantId(tx)}`.execute(tx),
    sql<Pick<Me, 'key'>>`
      select ${keyJson} as key from api_keys k join tenants t on t.id = k.tenant_id
        left join key_uses x on x.tenant_id = ${getTenantId(tx)} and x.key_id = k.id
      where k.tenant_id = ${getTenantId(tx)} and k.id = ${keyId}`.execute(tx),
  ])
  return { workspace: workspaces[0]!.workspace, key: keys[0]?.key ?? null }
}

/** Returns the name of the workspace, its time zone (IANA) and its currency (ISO 4217). */
export async function getWorkspaceFacts(
  tx: Tx,
): Promise<{ name: string; timezone: string; currency: string }> {
  const { rows } = await sql<{ name: string; timezone: string; currency: string }>`
    select name, timezone, currency from workspaces where id = aldaba.current_workspace()`.execute(tx)
  return rows[0]!
}

/** Returns the session with its user and workspace. */
export async function getSession(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<Session> {
  const { rows } = await sql<Omit<Session, 'environments'>>`
    select ${userJson} as user, ${workspaceJson} as workspace,
      aldaba.iso_time(s.created_at) as "createdAt", aldaba.iso_time(s.expires_at) as "expiresAt"
    from sessions s join users u on u.id = s.user_id join workspaces w on w.id = s.workspace_id
    where s.id = ${id} and s.user_id = ${userId}`.execute(tx)
  return { ...rows[0]!, environments: ['live', 'test'] }
}

/** By name. */
export function listUsers(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const beyond = after ? sql`(lower(u.name), u.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`
  return fetchPage(
    tx,
    sql<ListRow>`
      select ${jsonObject('u.id, u.name, u.revoked_at is null as active')} as json, array[lower(u.name), u.id::text] as position from users u
      where u.workspace_id = aldaba.current_workspace() and ${beyond}
      order by lower(u.name), u.id limit ${limit + 1}`,
    limit,
  )
}

/** Lists notices for the workspace's users, newest first: subscriptions that were disabled automatically. */
export async function listNotices(tx: Tx): Promise<Me['notices']> {
  const { rows } = await sql<{ id: string; url: string; reason: string; at: string }>`
    select id, url, disabled_reason as reason, aldaba.iso_time(disabled_at) as at from webhook_subscriptions
    where tenant_id = ${getTenantId(tx)} and disabled_by in ('receiver', 'failures') order by disabled_at desc`.execute(
    tx,
  )
  return rows.map(({ id, url, reason, at }) => ({
    code: 'WEBHOOK_DISABLED',
    message: `The subscription to ${new URL(url).host} was disabled: ${reason} Enable it and recover the missed events, or delete it.`,
    objectId: id,
    at,
  }))
}
