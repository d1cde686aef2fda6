/**
 * Files of tenants, received as streams, stored once per tenant and content, and kept while an object refers to them.
 *
 * A feature receives a file, which is held for an hour, and adds a reference in the transaction that needs it. It
 * releases the reference when the object is deleted or a person is erased. The last release deletes the blob, and its
 * bytes soon after the commit.
 */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../byte-range.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tenant } from '../db/tenant.ts'
import { newId } from '../id.ts'
import type { Log } from '../log.ts'
import { notFound, Problem } from '../problem.ts'
import { sniffMediaType } from './media-type.ts'
import { createStorageFull, tooLarge } from './problems.ts'
import {
  abandonUpload,
  completeUpload,
  deleteReferences,
  deleteUnreferenced,
  findAndLockByHash,
  getUsage,
  insertBlob,
  insertReferences,
  insertRemovals,
  insertUpload,
  type Referrers,
  reserveBytes,
  type StoredBlob,
} from './queries.ts'
import { createSpool } from './spool.ts'
import { BlobMissing, type BlobStore, type SpooledFile, toBlobKey } from './store.ts'

export { findBlobs, getUsage, type Referrers, type StoredBlob } from './queries.ts'

/** How long a received file without a reference is held. */
const holdMs = 3_600_000
/** The timeout for putting a file into the store. */
const putMaxMs = 20 * 60_000
/** An upload that has not become a blob within this time is removed. */
const leaseMs = 3_600_000
const cleanUpIntervalMs = 600_000

const holdKind = 'hold'

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** A received file, held for an hour. `addBlobReferences` keeps it. */
export interface HeldBlob extends StoredBlob {
  holdId: string
}

export interface Blobs {
  store: BlobStore
  /**
   * Stores a file, unless the tenant already has one with the same content, and holds it for an hour. Abort `signal` if
   * the source stalls. Throws 413 `PAYLOAD_TOO_LARGE` above `bytesMax` bytes, 422 `STORAGE_FULL` above the tenant's
   * limit, 503 `UNAVAILABLE` if the store fails.
   */
  receive(
    tenant: Tenant,
    source: Readable,
    options: { bytesMax: number; signal: AbortSignal },
  ): Promise<HeldBlob>
  /**
   * Returns the bytes of a blob as a stream. Read it to its end or destroy it. `range`: must be within the blob. Throws
   * 404 `NOT_FOUND` if the blob was deleted, 503 `UNAVAILABLE` if the store fails.
   */
  read(tenantId: string, blobId: string, range?: ByteRange): Promise<Readable>
  /** Starts to remove files of killed processes from the spool, every ten minutes. Returns a stop function. */
  start(): () => Promise<void>
}

export interface BlobsOptions {
  database: Database
  store: BlobStore
  /** The directory for files that are being received. */
  spoolDir: string
  /** The storage limit of a tenant. */
  bytesMax: number
  log: Log
}

/**
 * Adds references from an object to received blobs, and ends their holds. The blobs are kept until they are released.
 */
export async function addBlobReferences(
  tx: Tx,
  { kind, objectId }: { kind: string; objectId: string },
  blobs: HeldBlob[],
): Promise<void> {
  if (blobs.length === 0) return
  await insertReferences(tx, { kind, objectId, blobIds: blobs.map(({ id }) => id) })
  await deleteReferences(tx, { kind: holdKind, objectIds: blobs.map(({ holdId }) => holdId) })
}

/**
 * Adds references from an object to blobs to which another object refers. The transaction must have locked that object,
 * so that it is not deleted meanwhile.
 */
export async function shareBlobs(
  tx: Tx,
  { kind, objectId }: { kind: string; objectId: string },
  blobIds: string[],
): Promise<void> {
  if (blobIds.length > 0) await insertReferences(tx, { kind, objectId, blobIds })
}

/**
 * Removes the references of these objects, to all their blobs or to `blobIds` only. A blob without references is
 * deleted, and its bytes after the commit.
 */
export async function releaseBlobs(tx: Tx, referrers: Referrers, blobIds?: string[]): Promise<void> {
  await deleteUnreferenced(tx, await deleteReferences(tx, referrers, blobIds))
}

export function createBlobs({ database, store, spoolDir, bytesMax, log }: BlobsOptions): Blobs {
  const spool = createSpool(spoolDir)
  return {
    store,
    async receive(tenant, source, { bytesMax: fileMax, signal }) {
      const availableBytes = bytesMax - (await database.readTenant(tenant, getUsage))
      // Stop early if the file cannot fit. `reserveBytes` decides in the end.
      const isNearLimit = availableBytes < fileMax
      const limits = {
        bytesMax: isNearLimit ? Math.max(0, availableBytes) : fileMax,
        tooLarge: () => (isNearLimit ? createStorageFull(bytesMax) : tooLarge(fileMax)),
        signal,
      }
      const work = async (file: SpooledFile, head: Buffer) => {
        const upload = { ...file, id: newId(), mediaType: await sniffMediaType(head) }
        return storeUpload({ database, store, bytesMax }, tenant, upload, signal)
      }
      return spool.receive(source, limits, work).catch(error => {
        throw fullDiskCodes.has(error.code) ? unavailable('stored', error) : error
      })
    },
    read: (tenantId, blobId, range) => store.read(toBlobKey(tenantId, blobId), range).catch(throwReadError),
    start() {
      const cleanUp = () =>
        spool
          .cleanUp(leaseMs)
          .catch(err => log.warn({ err }, 'the spool directory of blobs could not be cleaned up'))
      let cleaning = cleanUp()
      const timer = setInterval(() => {
        cleaning = cleanUp()
      }, cleanUpIntervalMs).unref()
      return async () => {
        clearInterval(timer)
        await cleaning
        await store.close()
      }
    },
  }
}

interface Upload extends SpooledFile {
  id: string
  mediaType: string
}

/**
 * Records the upload, then puts the object into the store, then creates the blob. A crash in between leaves an object
 * that the cleanup removes, and never a blob without bytes.
 */
async function storeUpload(
  { database, store, bytesMax }: { database: Database; store: BlobStore; bytesMax: number },
  tenant: Tenant,
  upload: Upload,
  signal: AbortSignal,
): Promise<HeldBlob> {
  const { id, hash, bytes, mediaType } = upload
  const hold = { kind: holdKind, objectId: newId(), holdMs }
  const toHeldBlob = (blobId: string) => ({ id: blobId, bytes, mediaType, holdId: hold.objectId })
  const existingId = await database.withTenant(tenant, async tx => {
    const blobId = await findAndLockByHash(tx, hash)
    if (blobId) await insertReferences(tx, { ...hold, blobIds: [blobId] })
    else if (await reserveBytes(tx, bytes, bytesMax)) await insertUpload(tx, id, bytes, leaseMs)
    else throw createStorageFull(bytesMax)
    return blobId
  })
  if (existingId) return toHeldBlob(existingId)
  try {
    await store.put(
      toBlobKey(tenant.tenantId, id),
      upload,
      AbortSignal.any([signal, AbortSignal.timeout(putMaxMs)]),
    )
    const blobId = await database.withTenant(tenant, async tx => {
      if (!(await completeUpload(tx, id))) return removeExpired(tx, id)
      const stored = await insertBlob(tx, { id, hash, bytes, mediaType })
      await insertReferences(tx, { ...hold, blobIds: [stored] })
      // A concurrent upload of the same content was faster.
      if (stored !== id) await insertRemovals(tx, [id], bytes)
      return stored
    })
    if (!blobId) throw new Error('the upload took longer than its lease')
    return toHeldBlob(blobId)
  } catch (error) {
    // If this fails too, the upload expires by itself. If the blob was created after all, this changes nothing.
    await database.withTenant({ tenantId: tenant.tenantId }, tx => abandonUpload(tx, id)).catch(() => {})
    signal.throwIfAborted()
    throw error instanceof Problem ? error : unavailable('stored', error)
  }
}

/** Enqueues another removal for an expired upload: its object may have arrived after the first one. */
async function removeExpired(tx: Tx, id: string): Promise<null> {
  await insertRemovals(tx, [id])
  return null
}

function throwReadError(error: unknown): never {
  throw error instanceof BlobMissing ? notFound('file') : unavailable('read', error)
}

const unavailable = (participle: 'stored' | 'read', cause: unknown) =>
  new Problem('UNAVAILABLE', `Files cannot be ${participle} at the moment. Try again in 10 s.`, {
    headers: { 'Retry-After': '10' },
    cause,
  })
