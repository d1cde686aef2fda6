/**
 * A process that kills itself while it receives or removes a file: `node test/killed-upload.ts <database> <directory>
 * <tenant> <moment>`.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { addBlobReferences, createBlobs, releaseBlobs } from '../src/kit/blobs/blobs.ts'
import { createDiskStore } from '../src/kit/blobs/disk-store.ts'
import { removeBlobs } from '../src/kit/blobs/removal.ts'
import type { BlobStore } from '../src/kit/blobs/store.ts'
import { openDatabase } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import type { JobContext } from '../src/kit/jobs/job.ts'
import { createLog } from '../src/kit/log.ts'

const [databaseUrl, directory, tenantId, moment] = process.argv.slice(2) as [string, string, string, string]
const objectId = newId()
const disk = createDiskStore(directory)

async function killAt(currentMoment: string): Promise<void> {
  if (currentMoment !== moment) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

const store: BlobStore = {
  ...disk,
  async put(...input) {
    await killAt('before it is put')
    await disk.put(...input)
    await killAt('after it was put')
  },
  async remove(key) {
    await killAt('before it is removed')
    await disk.remove(key)
    await killAt('after it was removed')
  },
}

async function* source(): AsyncGenerator<Buffer> {
  yield randomBytes(100_000)
  await killAt('while it is received')
  yield randomBytes(100_000)
}

const database = openDatabase(databaseUrl, { onError: () => {} })
const log = createLog('silent')
const signal = AbortSignal.timeout(30_000)
const blobs = createBlobs({ database, store, spoolDir: join(directory, 'incoming'), bytesMax: 1e9, log })
const blob = await blobs.receive({ tenantId }, Readable.from(source()), { bytesMax: 1e9, signal })
await killAt('after it was received')
await database.withTenant({ tenantId }, tx => addBlobReferences(tx, { kind: 'ficha', objectId }, [blob]))
await killAt('after it was referenced')
await database.withTenant({ tenantId }, tx => releaseBlobs(tx, { kind: 'ficha', objectIds: [objectId] }))
await killAt('after it was released')
await removeBlobs(blobs).run({} as never, { database, tenantId, signal, log } as unknown as JobContext)
