/** The contract of blob stores. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../byte-range.ts'

/** A complete file on this machine, synced to the disk. */
export interface SpooledFile {
  path: string
  bytes: number
  /** SHA-256. */
  hash: Buffer
}

/** A store of objects. A key is `<tenant>/<id>`, and is never written twice. */
export interface BlobStore {
  /** Stores the file under the key, atomically. May move the file away. */
  put(key: string, file: SpooledFile, signal: AbortSignal): Promise<void>
  /**
   * Opens the object as a stream. `range`: must be within the object. Throws BlobMissing. The stream fails if it ends
   * early.
   */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Removes the object. Does nothing if there is none. */
  remove(key: string): Promise<void>
  /** Closes the store. Aborts running requests. */
  close(): Promise<void>
}

/** The store has no object under this key. */
export class BlobMissing extends Error {
  constructor(key: string) {
    super(`the store has no blob ${key}`)
  }
}

export const toBlobKey = (tenantId: string, blobId: string): string => `${tenantId}/${blobId}`
