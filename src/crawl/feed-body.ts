/** The body of a reply that is read as it comes: its bytes, its text, and its end before the end. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isGzip } from '../kit/gzip.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { createDecoder, prologueBytes } from './decode.ts'

/** Lets go of a body that nobody wants: unread, it would hold its connection. */
export async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]()
  await pieces.next().catch(() => {})
  await pieces.return?.()
}

/** The same body; where it ends because of `signal` it throws RequeueJob. */
export async function* stopWithSignal(
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  try {
    yield* body
  } catch (error) {
    throw signal.aborted ? new RequeueJob() : error
  }
}

/** The text of a document that may be a gzip file, piece by piece. Throws HttpFailure if the file is broken. */
export async function* decodeText(
  body: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null
  for await (const bytes of bufferStart(gunzipIfNeeded(body), prologueBytes)) {
    decoder ??= createDecoder(bytes, contentType)
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

/** The same bytes; the first piece is at least so long, unless it is all there is. */
export async function* bufferStart(
  pieces: AsyncIterable<Uint8Array>,
  minBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array | null = new Uint8Array(0)
  for await (const piece of pieces) {
    if (start) start = Buffer.concat([start, piece])
    if (start && start.length < minBytes) continue
    yield start ?? piece
    start = null
  }
  if (start) yield start
}

/** The plain bytes of a document that may be a gzip file. */
async function* gunzipIfNeeded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const pieces = bufferStart(body, 2)
  const { value: start } = await pieces.next()
  if (!start) return
  const fullBody = async function* () {
    try {
      yield start
      yield* pieces
    } finally {
      await pieces.return()
    }
  }
  if (!isGzip(start)) return yield* fullBody()
  const gunzip = createGunzip()
  const packed = Readable.from(fullBody())
  packed.once('error', error => gunzip.destroy(error))
  try {
    for await (const bytes of packed.pipe(gunzip)) yield bytes as Buffer
  } catch (error) {
    throw packed.errored ?? new HttpFailure('unreachable', 'the gzip file is broken', { cause: error })
  } finally {
    packed.destroy()
  }
}
