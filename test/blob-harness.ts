/** Two tenants of a workspace with files in a store, and functions that replace the queue and the clock. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  addBlobReferences,
  type Blobs,
  createBlobs,
  getUsage,
  type HeldBlob,
  releaseBlobs,
} from '../src/kit/blobs/blobs.ts'
import { cleanUpBlobs, removeBlobs } from '../src/kit/blobs/removal.ts'
import type { BlobStore } from '../src/kit/blobs/store.ts'
import { type Database, sql, type Tx } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import type { JobContext } from '../src/kit/jobs/job.ts'
import { createLog } from '../src/kit/log.ts'
import type { OpenStore } from './blob-stores.ts'
import { makeWorkspace } from './make.ts'

/** Storage limit of each tenant. */
export const bytesMax = 1_000_000
export const kind = 'ficha'

export interface BlobHarness {
  tenantId: string
  otherTenantId: string
  blobs: Blobs
  /** Runs before the store puts an object. */
  beforePut(): Promise<void>
  inTenant<T>(work: (tx: Tx) => Promise<T>, tenantId?: string): Promise<T>
  receive(content: Buffer | Readable, tenantId?: string, fileMax?: number): Promise<HeldBlob>
  /** Adds a reference to a received file. Returns the id of the referring object. */
  addReference(blob: HeldBlob, tenantId?: string): Promise<string>
  release(objectIds: string[], tenantId?: string): Promise<void>
  read(blobId: string, tenantId?: string): Promise<Buffer>
  /** Used storage in bytes. */
  readUsage(tenantId?: string): Promise<number>
  /** Runs the job that removes objects, in this store or in another one. */
  runRemoval(tenantId?: string, store?: BlobStore): Promise<void>
  /** Runs the clean-up job of the deployment, then the removal jobs that it enqueues. */
  cleanUp(): Promise<void>
  /** Sets the expiry times to the past. */
  expireAll(): Promise<void>
}

export async function makeBlobHarness(
  database: Database,
  { store, spoolDir }: OpenStore,
): Promise<BlobHarness> {
  const { testTenantId, liveTenantId } = await makeWorkspace(database)
  const log = createLog('silent')
  const context = { database, log, signal: new AbortController().signal }
  const put: BlobStore['put'] = async (...input) => {
    await harness.beforePut()
    return store.put(...input)
  }
  const harness: BlobHarness = {
    tenantId: testTenantId,
    otherTenantId: liveTenantId,
    blobs: createBlobs({ database, store: { ...store, put }, spoolDir, bytesMax, log }),
    async beforePut() {},
    inTenant: (work, tenantId = testTenantId) => database.withTenant({ tenantId }, work),
    receive: (content, tenantId = testTenantId, fileMax = bytesMax) =>
      harness.blobs.receive({ tenantId }, Readable.from(content), {
        bytesMax: fileMax,
        signal: AbortSignal.timeout(20_000),
      }),
    async addReference(blob, tenantId) {
      const objectId = newId()
      await harness.inTenant(tx => addBlobReferences(tx, { kind, objectId }, [blob]), tenantId)
      return objectId
    },
    release: (objectIds, tenantId) => harness.inTenant(tx => releaseBlobs(tx, { kind, objectIds }), tenantId),
    read: async (id, tenantId = testTenantId) => buffer(await harness.blobs.read(tenantId, id)),
    readUsage: tenantId => harness.inTenant(getUsage, tenantId),
    runRemoval: (tenantId = testTenantId, from = store) =>
      removeBlobs({ store: from }).run({} as never, { ...context, tenantId } as unknown as JobContext),
    async cleanUp() {
      await cleanUpBlobs.run(context as unknown as JobContext)
      await Promise.all([harness.runRemoval(), harness.runRemoval(liveTenantId)])
    },
    expireAll: () =>
      harness.inTenant(async tx => {
        const past = new Date(0)
        await sql`
          update blob_references set expires_at = ${past}
          where tenant_id = ${testTenantId} and expires_at is not null`.execute(tx)
        await sql`
          update blob_removals set expires_at = ${past}
          where tenant_id = ${testTenantId} and expires_at is not null`.execute(tx)
      }),
  }
  return harness
}
