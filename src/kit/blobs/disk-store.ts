/** Blobs as files of a directory, which several processes may share. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, type BlobStore } from './store.ts'

/** `directory`: on the file system of the spool, since files are moved from there. */
export function createDiskStore(directory: string): BlobStore {
  const toPath = (key: string) => {
    const [tenantId, id] = key.split('/') as [string, string]
    // The last digits of a UUIDv7 are random: 256 folders of like size.
    return join(directory, tenantId, id.slice(-2), id)
  }
  return {
    async put(key, { path }) {
      const target = toPath(key)
      const folder = dirname(target)
      const resized = await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, target)
      await syncFolder(folder)
      if (resized)
        for (let index = folder; index !== dirname(resized); index = dirname(index))
          await syncFolder(dirname(index))
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
      // After a power failure the file would be there again.
      await syncFolder(dirname(path)).catch(error => {
        if (error.code !== 'ENOENT') throw error
      })
    },
    async close() {},
  }
}

/** Names in a folder are as durable as the folder. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
