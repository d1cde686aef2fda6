/** A file as the body of a request: written to disk while it is hashed, read back as often as is wanted, gone with the request. */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../problem.ts'
import { clientDisconnected } from './request-signal.ts'

/** What a route takes as a file. */
export interface UploadRule {
  /** Content types, such as `text/csv`. */
  types: readonly string[]
  maxBytes: number
  /** A whole small file of the first type, for the documentation. */
  example: string
  /** The same for types that are written otherwise. */
  examples?: Record<string, string>
}

/** A file that was received whole. */
export interface Upload {
  /** Without its parameters, in lower case. */
  contentType: string
  bytes: number
  /** Hexadecimal. */
  sha256: string
  /** From the start, in pieces of 256 KiB, the last one smaller; valid until the request is answered. */
  read(): AsyncIterable<Buffer>
}

const pieceBytes = 256 * 1024
/** A file may take a minute, and then as long as it takes at this pace; a sender that stands still has less. */
export interface UploadPace {
  graceMs: number
  minBytesPerMs: number
  idleMaxMs: number
}
const defaultPace: UploadPace = { graceMs: 60_000, minBytesPerMs: 16, idleMaxMs: 30_000 }
const pollIntervalMs = 500
/** What still comes of a refused file is thrown away for so long, so that its sender gets to read why. */
const lingerMs = 10_000

/** The 415 that says what a route takes. */
export function unsupportedFile({ types }: UploadRule): Problem {
  return new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the file itself as the body, with the header Content-Type: ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  )
}

/**
 * Receives the body of a request. `close` frees what it holds, and must be called. Throws 415, 413, 408 for one that comes
 * too slowly, and the reason of `signal`.
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

async function spool(raw: IncomingMessage, rule: UploadRule, watch: () => PaceWatch) {
  const file = await openUnlinkedFile()
  const pace = watch()
  try {
    const hash = createHash('sha256')
    let bytes = 0
    await consume(raw, pace, async piece => {
      bytes += piece.length
      if (bytes > rule.maxBytes) throw tooLarge(rule)
      hash.update(piece)
      for (let offset = 0; offset < piece.length; ) offset += (await file.write(piece, offset)).bytesWritten
      return bytes
    })
    return { bytes, sha256: hash.digest('hex'), read: () => readPieces(file), close: () => file.close() }
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

/** A file without a name is the system's to remove, however this process ends. */
async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `aldaba-upload-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function* readPieces(file: FileHandle): AsyncGenerator<Buffer> {
  for (let offset = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    const { bytesRead } = await file.read(buffer, 0, pieceBytes, offset)
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Hands over what arrives, piece by piece; `take` returns how many bytes there are by now. */
async function consume(
  raw: IncomingMessage,
  pace: PaceWatch,
  take: (piece: Buffer) => Promise<number>,
): Promise<void> {
  // Left open, as the reply goes over the same connection.
  const pieces = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      const next = pieces.next()
      next.catch(() => {})
      const piece = await Promise.race([next, pace.failed])
      if (piece.done) return
      pace.onBytes(await take(piece.value))
    }
  } catch (error) {
    throw raw.destroyed && !raw.complete ? clientDisconnected : error
  }
}

interface PaceWatch {
  failed: Promise<never>
  /** So many bytes have come by now. */
  onBytes(bytes: number): void
  stop(): void
}

/** `failed` is rejected when nothing has come for long, when too little has come by now, or with the signal. */
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

/** A reply that comes before the whole file is only read if the sender may go on sending for a while. */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  // Whoever waits for the next piece would keep it from flowing.
  raw.removeAllListeners('readable').on('data', () => {})
  const timer = setTimeout(() => raw.complete || raw.destroy(), lingerMs).unref()
  raw.once('close', () => clearTimeout(timer))
}
