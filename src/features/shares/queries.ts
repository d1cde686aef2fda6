/** The SQL statements of public links. */
import { getNow, sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../kit/db/index.ts'
import { fixedPlan } from '../../kit/db/plans.ts'

/** The object that a link shows: its kind, such as `valuation`, and its id. */
export interface SharedObject {
  kind: string
  objectId: string
}

export interface ShareRow {
  /** Encrypted. */
  token: Buffer
  createdAt: Date
  expiresAt: Date | null
  views: number
  lastViewedAt: Date | null
}

/** Finds the links that have not expired, by object id. */
export async function findShares(tx: Tx, kind: string, objectIds: string[]): Promise<Map<string, ShareRow>> {
  const { rows } = await sql<ShareRow & { objectId: string }>`
    select object_id as "objectId", token, created_at as "createdAt", expires_at as "expiresAt", views,
      last_viewed_at as "lastViewedAt"
    from shares where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = any(${objectIds}::uuid[]) and (expires_at is null or expires_at > ${sqlNow(tx)})`.execute(
    tx,
  )
  return new Map(rows.map(({ objectId, ...row }) => [objectId, row]))
}

/** Changes the expiry of a link that has not expired. Returns false if there is none. */
export async function updateExpiry(
  tx: Tx,
  { kind, objectId }: SharedObject,
  expiresAt: Date | null,
): Promise<boolean> {
  const { rows } = await sql`
    update shares set expires_at = ${expiresAt}
    where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = ${objectId} and (expires_at is null or expires_at > ${sqlNow(tx)})
    returning object_id`.execute(tx)
  return rows.length > 0
}

/** Inserts a link. Its token is found across tenants by `tokenHash`. */
export async function insertShare(
  tx: Tx,
  { kind, objectId }: SharedObject,
  { token, tokenHash, expiresAt }: { token: Buffer; tokenHash: Buffer; expiresAt: Date | null },
): Promise<void> {
  const tenantId = getTenantId(tx)
  // They are sent at once.
  await Promise.all([
    sql`
      ${fixedPlan} insert into shares (tenant_id, kind, object_id, token_hash, token, created_at, expires_at)
      values (${tenantId}, ${kind}, ${objectId}, ${tokenHash}, ${token}, ${getNow(tx)}, ${expiresAt})`.execute(
      tx,
    ),
    sql`
      ${fixedPlan} insert into share_tokens (token_hash, tenant_id, kind, object_id)
      values (${tokenHash}, ${tenantId}, ${kind}, ${objectId})`.execute(tx),
  ])
}

/** Deletes the links of objects, and their tokens. */
export async function deleteShares(tx: Tx, kind: string, objectIds: string[]): Promise<void> {
  const { rows } = await sql<{ tokenHash: Buffer }>`
    delete from shares where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = any(${objectIds}::uuid[])
    returning token_hash as "tokenHash"`.execute(tx)
  const hashes = rows.map(({ tokenHash }) => tokenHash)
  if (hashes.length > 0)
    await sql`
      delete from share_tokens where tenant_id = ${getTenantId(tx)} and token_hash = any(${hashes}::bytea[])`.execute(
      tx,
    )
}

/** Returns true if the object's link has this token and has not expired. */
export async function isShared(
  tx: Tx,
  { kind, objectId }: SharedObject,
  tokenHash: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    select from shares
    where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = ${objectId} and token_hash = ${tokenHash}
      and (expires_at is null or expires_at > ${sqlNow(tx)})`.execute(tx)
  return rows.length > 0
}

export type FoundShare = SharedObject & { tenantId: string }

/** Finds a token among all tenants: the request does not say which tenant it belongs to. */
export async function findShareByToken(database: Database, tokenHash: Buffer): Promise<FoundShare | null> {
  const find = sql<FoundShare>`
    select tenant_id as "tenantId", kind, object_id as "objectId" from aldaba.find_share(${tokenHash})`
  const { rows } = await database.findUnscoped(db => find.execute(db))
  return rows[0] ?? null
}

/** Counts a view of the page, and records its time. */
export async function addView(tx: Tx, { kind, objectId }: SharedObject): Promise<void> {
  await sql`
    update shares set views = views + 1, last_viewed_at = ${sqlNow(tx)}
    where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = ${objectId}`.execute(tx)
}
