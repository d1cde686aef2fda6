/** Opens the blob store of the configuration. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import { newId } from '../id.ts'
import { createDiskStore } from './disk-store.ts'
import { createSpool } from './spool.ts'
import { type BlobStore, toBlobKey } from './store.ts'

/** Returns the directory for files that are being received, on the same file system as the disk store. */
export const toSpoolDir = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'blobs', 'incoming')

/** Returns the store. The S3 client is loaded on first use, because many commands need no store. */
export function openBlobStore({ blobsS3, dataDir }: Pick<Config, 'blobsS3' | 'dataDir'>): BlobStore {
  if (!blobsS3) return createDiskStore(join(dataDir, 'blobs'))
  let opening: Promise<BlobStore> | null = null
  const open = () => {
    opening ??= import('./s3-store.ts').then(({ createS3Store }) => createS3Store(blobsS3))
    return opening
  }
  return {
    put: async (...input) => (await open()).put(...input),
    read: async (...input) => (await open()).read(...input),
    remove: async (...input) => (await open()).remove(...input),
    close: async () => (await opening)?.close(),
  }
}

/** Writes a few bytes to the store, reads them, and removes them. Throws if any step fails. */
export async function checkStore(store: BlobStore, spoolDir: string): Promise<void> {
  const key = toBlobKey('check', newId())
  const written = Buffer.from('A file of aldaba doctor: it may be deleted.')
  const signal = AbortSignal.timeout(10_000)
  const limits = { bytesMax: written.length, tooLarge: () => new Error(), signal }
  await createSpool(spoolDir).receive(Readable.from([written]), limits, file => store.put(key, file, signal))
  try {
    if (!(await buffer(await store.read(key))).equals(written))
      throw new Error('the store returned other bytes than were written')
  } finally {
    await store.remove(key)
  }
}
