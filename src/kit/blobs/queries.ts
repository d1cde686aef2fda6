/** The SQL statements of blobs. They use the machine's time, because holds and uploads are leases of processes. */
import { machineNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, sql, type Tx } from '../db/index.ts'
import { enqueue } from '../jobs/enqueue.ts'

/** A stored file. */
export interface StoredBlob {
  id: string
  bytes: number
  /** Detected from its content. */
  mediaType: string
}

/** Objects that refer to blobs. `kind`: such as `ficha`. */
export interface Referrers {
  kind: string
  objectIds: string[]
}

/** The name of the job that removes objects without a blob from the store. */
export const removeBlobsJobName = 'remove-blobs'

const fromNow = (ms: number) => new Date(machineNow() + ms)

/** Finds the tenant's blob with this content, and locks it, so that it is not deleted before the transaction ends. */
export async function findAndLockByHash(tx: Tx, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from blobs where tenant_id = ${getTenantId(tx)} and hash = ${hash} for key share`.execute(tx)
  return rows[0]?.id
}

/** Reserves bytes of the tenant's storage limit. Returns false, and reserves none, if they exceed it. */
export async function reserveBytes(tx: Tx, bytes: number, bytesMax: number): Promise<boolean> {
  const tenantId = getTenantId(tx)
  await sql`insert into blob_usage (tenant_id, bytes) values (${tenantId}, 0) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql`
    update blob_usage set bytes = bytes + ${bytes}
    where tenant_id = ${tenantId} and bytes + ${bytes} <= ${bytesMax} returning bytes`.execute(tx)
  return rows.length > 0
}

/** Returns the bytes of the tenant's blobs and uploads. */
export async function getUsage(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select bytes::float8 as bytes from blob_usage where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

async function releaseBytes(tx: Tx, bytes: number): Promise<void> {
  await sql`update blob_usage set bytes = bytes - ${bytes} where tenant_id = ${getTenantId(tx)}`.execute(tx)
}

/** Records that the store may have an object under this id. It is removed unless it becomes a blob within `leaseMs`. */
export async function insertUpload(tx: Tx, id: string, bytes: number, leaseMs: number): Promise<void> {
  await sql`
    insert into blob_removals (tenant_id, id, reserved_bytes, expires_at)
    values (${getTenantId(tx)}, ${id}, ${bytes}, ${fromNow(leaseMs)})`.execute(tx)
}

/** Ends the lease of an upload. Returns false if it had expired. */
export async function completeUpload(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from blob_removals where tenant_id = ${getTenantId(tx)} and id = ${id} and expires_at is not null
    returning id`.execute(tx)
  return rows.length > 0
}

/** Inserts the blob, and locks it. Returns the id of the tenant's blob with this content, which may be an older one. */
export async function insertBlob(tx: Tx, blob: StoredBlob & { hash: Buffer }): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into blobs (tenant_id, id, hash, bytes, media_type)
    values (${getTenantId(tx)}, ${blob.id}, ${blob.hash}, ${blob.bytes}, ${blob.mediaType})
    on conflict (tenant_id, hash) do update set bytes = excluded.bytes returning id`.execute(tx)
  return rows[0]!.id
}

/** Inserts references. They expire after `holdMs`; without it, never. Existing references stay unchanged. */
export async function insertReferences(
  tx: Tx,
  { kind, objectId, blobIds, holdMs }: { kind: string; objectId: string; blobIds: string[]; holdMs?: number },
): Promise<void> {
  const expiresAt = holdMs === undefined ? null : fromNow(holdMs)
  await sql`
    insert into blob_references (tenant_id, kind, object_id, blob_id, expires_at)
    select ${getTenantId(tx)}::uuid, ${kind}, ${objectId}::uuid, id, ${expiresAt}::timestamptz from unnest(${blobIds}::uuid[]) id
    on conflict do nothing returning blob_id`.execute(tx)
}

/** Returns the blobs of these objects, in no particular order. */
export async function findBlobs(
  tx: Tx,
  { kind, objectIds }: Referrers,
): Promise<(StoredBlob & { objectId: string })[]> {
  const { rows } = await sql<StoredBlob & { objectId: string }>`
    select r.object_id as "objectId", b.id, b.bytes::float8 as bytes, b.media_type as "mediaType"
    from blob_references r join blobs b on b.tenant_id = r.tenant_id and b.id = r.blob_id
    where r.tenant_id = ${getTenantId(tx)} and r.kind = ${kind} and r.object_id = any(${objectIds}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** Deletes references, to all blobs or to `blobIds` only. Returns the ids of their blobs. */
export async function deleteReferences(
  tx: Tx,
  { kind, objectIds }: Referrers,
  blobIds?: string[],
): Promise<string[]> {
  const condition = blobIds ? sql`and blob_id = any(${blobIds}::uuid[])` : sql``
  const { rows } = await sql<{ id: string }>`
    delete from blob_references
    where tenant_id = ${getTenantId(tx)} and kind = ${kind} and object_id = any(${objectIds}::uuid[]) ${condition}
    returning blob_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes expired holds. Returns the ids of their blobs. */
export async function deleteExpiredHolds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from blob_references where tenant_id = ${getTenantId(tx)} and expires_at <= ${fromNow(0)}
    returning blob_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the blobs without references, frees their bytes, and enqueues the removal of their objects after the commit.
 * Both this and a new reference lock the row: a concurrent reference is either counted here, or fails.
 */
export async function deleteUnreferenced(tx: Tx, blobIds: string[]): Promise<void> {
  if (blobIds.length === 0) return
  const tenantId = getTenantId(tx)
  await sql`
    select id from blobs where tenant_id = ${tenantId} and id = any(${blobIds}::uuid[]) order by id for update`.execute(
    tx,
  )
  // A separate statement sees references that were committed while the lock was awaited.
  const { rows } = await sql<{ id: string; bytes: number }>`
    delete from blobs b where b.tenant_id = ${tenantId} and b.id = any(${blobIds}::uuid[]) and not exists (
      select 1 from blob_references r where r.tenant_id = b.tenant_id and r.blob_id = b.id)
    returning b.id, b.bytes::float8 as bytes`.execute(tx)
  if (rows.length === 0) return
  await releaseBytes(
    tx,
    rows.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  await insertRemovals(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Enqueues the removal of objects from the store after the commit. It frees `reservedBytes` of each. */
export async function insertRemovals(tx: Tx, ids: string[], reservedBytes = 0): Promise<void> {
  await sql`
    insert into blob_removals (tenant_id, id, reserved_bytes, expires_at)
    select ${getTenantId(tx)}::uuid, id, ${reservedBytes}::bigint, null from unnest(${ids}::uuid[]) id
    returning id`.execute(tx)
  await enqueueRemoval(tx)
}

/**
 * Abandons a failed upload. Its object is removed and its bytes are freed a minute later, when the store has finished
 * any request that was still running.
 */
export async function abandonUpload(tx: Tx, id: string): Promise<void> {
  const removeAt = fromNow(60_000)
  await sql`
    update blob_removals set expires_at = ${removeAt}
    where tenant_id = ${getTenantId(tx)} and id = ${id} and expires_at is not null`.execute(tx)
  await enqueue(
    tx,
    removeBlobsJobName,
    {},
    { jobKey: `${removeBlobsJobName}:${getTenantId(tx)}:${id}`, runAt: removeAt },
  )
}

export const enqueueRemoval = (tx: Tx): Promise<void> =>
  enqueue(tx, removeBlobsJobName, {}, { jobKey: `${removeBlobsJobName}:${getTenantId(tx)}` })

/** Returns the ids of up to `max` objects to remove. Expired uploads are included, and cannot become blobs any more. */
export async function claimRemovals(tx: Tx, max: number): Promise<string[]> {
  const tenantId = getTenantId(tx)
  await sql`
    update blob_removals set expires_at = null where tenant_id = ${tenantId} and expires_at <= ${fromNow(0)}`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    select id from blob_removals where tenant_id = ${tenantId} and expires_at is null order by id limit ${max}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Records that these objects were removed from the store, and frees their reserved bytes. */
export async function deleteRemovals(tx: Tx, ids: string[]): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    delete from blob_removals where tenant_id = ${getTenantId(tx)} and id = any(${ids}::uuid[])
    returning reserved_bytes::float8 as bytes`.execute(tx)
  const reserved = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  if (reserved > 0) await releaseBytes(tx, reserved)
}

/** Returns the tenants with objects to remove or with expired holds. */
export async function listTenantsToCleanUp({ owner }: Database): Promise<string[]> {
  const now = fromNow(0)
  const { rows } = await sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from blob_removals where expires_at is null or expires_at <= ${now}
    union select tenant_id from blob_references where expires_at <= ${now}`.execute(owner)
  return rows.map(({ tenantId }) => tenantId)
}
