/** Streams the body of a reply: decodes it, and handles bodies that are not read to their end. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isGzip } from '../kit/gzip.ts'
import { HttpFailure } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { createDecoder, prologueBytes } from './decode.ts'

/** Closes a body that is not needed. An unread body would keep its connection. */
export async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  await chunks.next().catch(() => {})
  await chunks.return?.()
}

/** Passes a body through. Throws RequeueJob if it ends because `signal` was aborted. */
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

/** Decodes a document, which may be a gzip file, in chunks of text. Throws HttpFailure if the file is broken. */
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

/** Passes bytes through, but the first chunk has at least `minBytes`, unless the body is shorter. */
export async function* bufferStart(
  chunks: AsyncIterable<Uint8Array>,
  minBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array | null = new Uint8Array(0)
  for await (const chunk of chunks) {
    if (start) start = Buffer.concat([start, chunk])
    if (start && start.length < minBytes) continue
    yield start ?? chunk
    start = null
  }
  if (start) yield start
}

/** Unpacks a document if it is a gzip file. */
async function* gunzipIfNeeded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const chunks = bufferStart(body, 2)
  const { value: start } = await chunks.next()
  if (!start) return
  const fullBody = async function* () {
    try {
      yield start
      yield* chunks
    } finally {
      await chunks.return()
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
