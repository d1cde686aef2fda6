/**
 * Files of tenants, by their content: received as streams, stored once in a tenant, kept for as long as somebody refers to them.
 *
 * A feature receives a file, which is held for it for an hour, and refers to it in the transaction that needs it. It releases it where
 * the object that refers is deleted, and where a person is erased: then the bytes go as well, soon after the commit.
 */
import type { Readable } from 'node:stream'
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
import { BlobMissing, type BlobStore, type ByteRange, type SpooledFile, toBlobKey } from './store.ts'

export { findBlobs, getUsage, type Referrers, type StoredBlob } from './queries.ts'

/** For so long a file is held that was received and that nobody refers to yet. */
const holdMs = 3_600_000
/** What is put into the store within this time becomes a blob within `leaseMs`, or is removed. */
const putMaxMs = 20 * 60_000
const leaseMs = 3_600_000
const cleanUpIntervalMs = 600_000

const holdKind = 'hold'

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** A file that was received. `refer` makes it last. */
export interface HeldBlob extends StoredBlob {
  holdId: string
}

export interface Blobs {
  store: BlobStore
  /**
   * Stores a file, or finds that the tenant has its content already, and holds it for an hour. `signal` ends it, for a source that
   * stalls. Throws 413 `PAYLOAD_TOO_LARGE` for more than `bytesMax` bytes, 422 `STORAGE_FULL` for more than the tenant may
   * store, 503 `UNAVAILABLE` if the store can't take it.
   */
  receive(
    tenant: Tenant,
    source: Readable,
    options: { bytesMax: number; signal: AbortSignal },
  ): Promise<HeldBlob>
  /**
   * The bytes of a blob of the tenant, to be read to their end or destroyed. `range`: within the blob. Throws 404 `NOT_FOUND` if it was
   * deleted, 503 `UNAVAILABLE` if the store can't be read.
   */
  read(tenantId: string, blobId: string, range?: ByteRange): Promise<Readable>
  /** Removes what killed processes have left in the spool, now and again. Returns how to end that. */
  start(): () => Promise<void>
}

export interface BlobsOptions {
  database: Database
  store: BlobStore
  /** Where files wait while they come in. */
  spoolDir: string
  /** What a tenant may store. */
  bytesMax: number
  log: Log
}

/** From now on the object refers to the blobs, which were received for it. They are kept until they are released. */
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
 * These objects refer to their blobs no more, or to these of them. A blob that nobody refers to any more is deleted, and its bytes
 * after the commit. Also for whoever erases a person.
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
      // What can't fit is not waited for. Whether it fits is decided when it is there.
      const isTight = availableBytes < fileMax
      const limits = {
        bytesMax: isTight ? Math.max(0, availableBytes) : fileMax,
        tooLarge: () => (isTight ? createStorageFull(bytesMax) : tooLarge(fileMax)),
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
    read: (tenantId, blobId, range) => store.read(toBlobKey(tenantId, blobId), range).catch(toReadError),
    start() {
      const cleanUp = () =>
        spool.cleanUp(leaseMs).catch(err => log.warn({ err }, 'the spool of blobs could not be tidied'))
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
 * First it is written down that an object may be in the store, then it is put there, then it becomes a blob. Whatever dies in
 * between leaves an object that the sweep removes, and never a blob without its bytes.
 */
async function storeUpload(
  { database, store, bytesMax }: { database: Database; store: BlobStore; bytesMax: number },
  tenant: Tenant,
  upload: Upload,
  signal: AbortSignal,
): Promise<HeldBlob> {
  const { id, hash, bytes, mediaType } = upload
  const hold = { kind: holdKind, objectId: newId(), holdMs }
  const held = (blobId: string) => ({ id: blobId, bytes, mediaType, holdId: hold.objectId })
  const existingId = await database.withTenant(tenant, async tx => {
    const blobId = await findAndLockByHash(tx, hash)
    if (blobId) await insertReferences(tx, { ...hold, blobIds: [blobId] })
    else if (await reserveBytes(tx, bytes, bytesMax)) await insertUpload(tx, id, bytes, leaseMs)
    else throw createStorageFull(bytesMax)
    return blobId
  })
  if (existingId) return held(existingId)
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
      // Somebody else was faster.
      if (stored !== id) await insertRemovals(tx, [id], bytes)
      return stored
    })
    if (!blobId) throw new Error('putting a file into the store took longer than its lease')
    return held(blobId)
  } catch (error) {
    // If this fails as well, the upload expires by itself. If it has become a blob after all, there is nothing to give up.
    await database.withTenant({ tenantId: tenant.tenantId }, tx => abandonUpload(tx, id)).catch(() => {})
    signal.throwIfAborted()
    throw error instanceof Problem ? error : unavailable('stored', error)
  }
}

/** The upload has expired: its object was removed before it came. */
async function removeExpired(tx: Tx, id: string): Promise<null> {
  await insertRemovals(tx, [id])
  return null
}

function toReadError(error: unknown): never {
  throw error instanceof BlobMissing ? notFound('file') : unavailable('read', error)
}

const unavailable = (done: string, cause: unknown) =>
  new Problem('UNAVAILABLE', `Files can't be ${done} at the moment. Try again in 10 s.`, {
    headers: { 'Retry-After': '10' },
    cause,
  })
