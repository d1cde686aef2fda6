/** Writes an incoming file to a temporary file, and computes its hash and size. */
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { machineNow } from '../clock/clock.ts'
import { newId } from '../id.ts'
import type { SpooledFile } from './store.ts'

/** The first bytes of a file, which identify its media type. */
const headBytes = 4100

export interface Spool {
  /**
   * Writes the source to a file, passes it to `work` with the first bytes, and removes it in any case. Throws the error
   * of `tooLarge` as soon as `bytesMax` bytes are exceeded, and the reason of the signal.
   */
  receive<T>(
    source: Readable,
    limits: { bytesMax: number; tooLarge: () => Error; signal: AbortSignal },
    work: (file: SpooledFile, head: Buffer) => Promise<T>,
  ): Promise<T>
  /** Removes files of killed processes: those without a write for `ageMs`. */
  cleanUp(ageMs: number): Promise<void>
}

export function createSpool(directory: string): Spool {
  return {
    async receive(source, { bytesMax, tooLarge, signal }, work) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, newId())
      const handle = await open(path, 'wx', 0o600)
      try {
        const { hash, bytes, head } = await write(source, handle, { bytesMax, tooLarge, signal }).finally(
          () => handle.close(),
        )
        return await work({ path, bytes, hash }, head)
      } finally {
        await rm(path, { force: true })
      }
    },
    async cleanUp(ageMs) {
      const names = await readdir(directory).catch(() => [])
      for (const path of names.map(name => join(directory, name))) {
        const found = await stat(path).catch(() => undefined)
        if (found && found.mtimeMs < machineNow() - ageMs) await rm(path, { force: true })
      }
    },
  }
}

async function write(
  source: Readable,
  handle: FileHandle,
  { bytesMax, tooLarge, signal }: { bytesMax: number; tooLarge: () => Error; signal: AbortSignal },
): Promise<{ hash: Buffer; bytes: number; head: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  await pipeline(
    source,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > bytesMax) throw tooLarge()
        hash.update(chunk)
        if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
        await handle.writeFile(chunk)
      }
    },
    { signal },
  ).catch(error => {
    signal.throwIfAborted()
    throw error
  })
  await handle.datasync()
  return { hash: hash.digest(), bytes, head }
}
