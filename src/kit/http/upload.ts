/**
 * Receives a file as the body of a request. It is hashed and written to disk, can be read repeatedly, and is deleted
 * when the request ends.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../problem.ts'
import type { TSchema } from '../schema.ts'
import { clientDisconnected } from './request-signal.ts'

/** The files that a route accepts. */
export interface UploadRule {
  /** Content types, such as `text/csv`. */
  types: readonly string[]
  maxBytes: number
  /** A complete small file of the first type, for the documentation. */
  example: string
  /** Examples of the other types, by content type. */
  examples?: Record<string, string>
  /** Types whose body is a JSON value, with its schema for the documentation. The route validates it. */
  schemas?: Record<string, TSchema>
}

/** A file that was received completely. */
export interface Upload {
  /** Without parameters, in lower case. */
  contentType: string
  bytes: number
  /** Hexadecimal. */
  sha256: string
  /** Reads from the start, in chunks of 256 KiB. Valid until the request has been answered. */
  read(): AsyncIterable<Buffer>
}

const chunkBytes = 256 * 1024

/**
 * A file may take `graceMs`, plus its size at `minBytesPerMs`. A sender that pauses for `idleMaxMs` is cut off earlier.
 */
export interface UploadPace {
  graceMs: number
  minBytesPerMs: number
  idleMaxMs: number
}
const defaultPace: UploadPace = { graceMs: 60_000, minBytesPerMs: 16, idleMaxMs: 30_000 }
const pollIntervalMs = 500
/** How long the rest of a refused file is discarded, so that its sender can read the reply. */
const lingerMs = 10_000

/** The 415 that lists the accepted types. */
export function unsupportedFile({ types }: UploadRule): Problem {
  return new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the file as the body, with the header Content-Type: ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  )
}

/**
 * Receives the body of a request. The caller must call `close`, which deletes the file. Throws 415
 * UNSUPPORTED_MEDIA_TYPE, 413 PAYLOAD_TOO_LARGE, 408 REQUEST_TIMEOUT, and the reason of `signal`.
 */
export async function receiveUpload(
  raw: IncomingMessage,
  rule: UploadRule,
  signal: AbortSignal,
  pace = defaultPace,
): Promise<Upload & { close(): Promise<void> }> {
  try {
    const contentType = (raw.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    if (!rule.types.includes(contentType)) throw unsupportedFile(rule)
    if (Number(raw.headers['content-length'] ?? 0) > rule.maxBytes) throw tooLarge(rule)
    return { contentType, ...(await spool(raw, rule, () => watchPace(signal, pace))) }
  } catch (error) {
    discardRest(raw)
    throw error
  }
}

/** Writes the body to a file. Throws 413, clientDisconnected, and what `pace.failed` rejects with. */
async function spool(raw: IncomingMessage, rule: UploadRule, watch: () => PaceWatch) {
  const file = await openUnlinkedFile()
  const pace = watch()
  try {
    const hash = createHash('sha256')
    let bytes = 0
    await consume(raw, pace, async chunk => {
      bytes += chunk.length
      if (bytes > rule.maxBytes) throw tooLarge(rule)
      hash.update(chunk)
      for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten
      return bytes
    })
    return { bytes, sha256: hash.digest('hex'), read: () => readChunks(file), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  } finally {
    pace.stop()
  }
}

function tooLarge({ maxBytes }: UploadRule): Problem {
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `The file is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`,
  )
}

/** The system deletes an unlinked file when it is closed, even if this process crashes. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `aldaba-upload-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function* readChunks(file: FileHandle): AsyncGenerator<Buffer> {
  for (let offset = 0; ; ) {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, offset)
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Passes every received chunk to `take`, which returns the total number of bytes so far. */
async function consume(
  raw: IncomingMessage,
  pace: PaceWatch,
  take: (chunk: Buffer) => Promise<number>,
): Promise<void> {
  // The connection stays open for the reply.
  const chunks = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      const next = chunks.next()
      next.catch(() => {})
      const chunk = await Promise.race([next, pace.failed])
      if (chunk.done) return
      pace.onBytes(await take(chunk.value))
    }
  } catch (error) {
    throw raw.destroyed && !raw.complete ? clientDisconnected : error
  }
}

interface PaceWatch {
  failed: Promise<never>
  /** Called with the total number of bytes received so far. */
  onBytes(bytes: number): void
  stop(): void
}

/** `failed` rejects when the sender pauses too long or is too slow overall, or when the signal is aborted. */
function watchPace(signal: AbortSignal, { graceMs, minBytesPerMs, idleMaxMs }: UploadPace): PaceWatch {
  const startedMs = performance.now()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  let lastByteMs = startedMs
  let bytes = 0
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const isSlow = nowMs - startedMs > graceMs + bytes / minBytesPerMs
    if (isSlow || nowMs - lastByteMs > idleMaxMs)
      reject(
        new Problem(
          'REQUEST_TIMEOUT',
          'The file arrived too slowly. Send it again over a faster connection.',
        ),
      )
  }, pollIntervalMs)
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    failed,
    onBytes(total: number) {
      lastByteMs = performance.now()
      bytes = total
    },
    stop() {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Discards the rest of the body: clients read an early reply only if they may continue sending for a while. */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  // A pending read would keep the stream from flowing.
  raw.removeAllListeners('readable').on('data', () => {})
  const timer = setTimeout(() => raw.complete || raw.destroy(), lingerMs).unref()
  raw.once('close', () => clearTimeout(timer))
}
