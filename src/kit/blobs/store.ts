/** Where the bytes of blobs are: what a store has to do. */
import type { Readable } from 'node:stream'

/** A whole file on this machine, written and synced. */
export interface SpooledFile {
  path: string
  bytes: number
  /** SHA-256. */
  hash: Buffer
}

/** Bytes from `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

/** A key is `<tenant>/<id>`, and is never put twice. */
export interface BlobStore {
  /** Makes the file readable under the key: all of it, or nothing. It may take the file away. */
  put(key: string, file: SpooledFile, signal: AbortSignal): Promise<void>
  /** `range`: within the blob. Throws BlobMissing. The stream fails if the store sends less than it promised. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** No error if there is nothing. */
  remove(key: string): Promise<void>
  /** What is under way is cut off. */
  close(): Promise<void>
}

/** The store has nothing under this key. */
export class BlobMissing extends Error {
  constructor(key: string) {
    super(`the store has no blob ${key}`)
  }
}

export const toBlobKey = (tenantId: string, blobId: string): string => `${tenantId}/${blobId}`
