/** Opens an empty blob store of each kind. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskStore } from '../src/kit/blobs/disk-store.ts'
import { createS3Store } from '../src/kit/blobs/s3-store.ts'
import type { BlobStore } from '../src/kit/blobs/store.ts'
import { startS3Server } from './s3-server.ts'

export interface OpenStore {
  store: BlobStore
  /** A directory on the same file system as the store on disk. */
  spoolDir: string
  /** Number of stored files. */
  count(): Promise<number>
  stop(): Promise<void>
}

export const blobStores: [name: string, open: () => Promise<OpenStore>][] = [
  ['on disk', openDiskStore],
  ['in a bucket', openBucketStore],
]

async function openDiskStore(): Promise<OpenStore> {
  const directory = await mkdtemp(join(tmpdir(), 'aldaba-blobs-'))
  const spoolDir = join(directory, 'incoming')
  return {
    store: createDiskStore(directory),
    spoolDir,
    count: async () => (await countFiles(directory)) - (await countFiles(spoolDir)),
    stop: () => rm(directory, { recursive: true }),
  }
}

async function openBucketStore(): Promise<OpenStore> {
  const server = await startS3Server()
  const store = createS3Store(server.bucket)
  const spoolDir = await mkdtemp(join(tmpdir(), 'aldaba-spool-'))
  return {
    store,
    spoolDir,
    // The server keeps a metadata file beside each object.
    count: () => countFiles(server.directory, /_object$/),
    async stop() {
      await store.close()
      await server.stop()
      await rm(spoolDir, { recursive: true, force: true })
    },
  }
}

export async function countFiles(directory: string, name = /^/): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile() && name.test(entry.name)).length
}
