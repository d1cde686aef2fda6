/** Stores blobs as files in a directory, which several processes may share. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, type BlobStore } from './store.ts'

/** Creates the store. `directory` must be on the same file system as the spool, because files are renamed into it. */
export function createDiskStore(directory: string): BlobStore {
  const toPath = (key: string) => {
    const [tenantId, id] = key.split('/') as [string, string]
    // The last digits of a UUIDv7 are random: 256 folders of similar size.
    return join(directory, tenantId, id.slice(-2), id)
  }
  return {
    async put(key, { path }) {
      const target = toPath(key)
      const folder = dirname(target)
      const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, target)
      await syncFolder(folder)
      // Each new folder is a new name in its parent, which must be synced too.
      if (firstCreated)
        for (let created = folder; created !== dirname(firstCreated); created = dirname(created))
          await syncFolder(dirname(created))
    },
    async read(key, range) {
      const stream = createReadStream(toPath(key), range)
      await once(stream, 'open').catch(error => {
        throw error.code === 'ENOENT' ? new BlobMissing(key) : error
      })
      return stream
    },
    async remove(key) {
      const path = toPath(key)
      await rm(path, { force: true })
      // Otherwise the file could reappear after a power failure.
      await syncFolder(dirname(path)).catch(error => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async close() {},
  }
}

/** Syncs a folder: only then are its file names durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
