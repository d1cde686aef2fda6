/**
 * Sends a file while it is generated, as fast as the client reads. A failure resets the connection, so that no client
 * takes the received part for the whole file.
 */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../byte-range.ts'
import type { DownloadRoute } from '../route.ts'
import type { RequestContext } from './handle-request.ts'
import { createRequestSignal, serverStopping } from './request-signal.ts'

/**
 * How long a download may continue once the server stops. Shorter than `slowClientMaxMs`, after which the server closes
 * all connections.
 */
const stoppingMaxMs = 8000

type Values = Record<string, unknown>

/**
 * Sends the pieces of the route's iterable. Throws an error before the first piece, so that the reply has its
 * status.
 */
export async function sendDownload(
  route: DownloadRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  context: RequestContext,
): Promise<FastifyReply> {
  const caller = request.caller!
  const { params, query } = request as { params: Values; query: Values }
  await context.authenticator.confirm(caller)
  const signal = createRequestSignal(request, createStopDeadline(stoppingMaxMs, reply, context.stopping))
  const { type, fileName, inline, headers, bytes, range, pieces } = await route.download({
    params,
    query,
    caller,
    signal,
    database: context.database,
    // Without a validator in the reply, no If-Range can match.
    rangeHeader: request.headers['if-range'] === undefined ? (request.headers.range ?? null) : null,
  })
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  signal.throwIfAborted()

  reply.headers({
    ...headers,
    'Content-Type': 'isBinary' in route.types[type]! ? type : `${type}; charset=utf-8`,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; ${formatFileName(fileName)}`,
    ...(bytes === undefined ? {} : formatLength(bytes, range)),
    'Cache-Control': 'no-store',
    // Otherwise nginx buffers the file on disk and notices too late that the client has disconnected.
    'X-Accel-Buffering': 'no',
    // The headers are sent long before the server stops. A kept-alive connection would delay the shutdown.
    Connection: 'close',
  })
  if (range) reply.code(206)
  if (request.method === 'HEAD') {
    await iterator.return?.()
    // Without `bytes` the length is unknown, so there is no Content-Length.
    return reply.send(Readable.from([]))
  }
  const abortConnection = () => {
    // A proxy that speaks HTTP/1.0, the default of nginx, takes an orderly close for the end of the file.
    if (!reply.raw.writableFinished) request.raw.socket.resetAndDestroy()
  }
  signal.addEventListener('abort', abortConnection, { once: true })
  const handleError = (error: unknown) => context.handleError(request, error)
  return reply.send(Readable.from(streamPieces(iterator, first, { signal, abortConnection, handleError })))
}

function formatLength(bytes: number, range: ByteRange | undefined): Record<string, string> {
  const accepted = { 'Accept-Ranges': 'bytes' }
  if (!range) return { ...accepted, 'Content-Length': String(bytes) }
  const { start, end } = range
  return {
    ...accepted,
    'Content-Length': String(end - start + 1),
    'Content-Range': `bytes ${start}-${end}/${bytes}`,
  }
}

/** RFC 6266: names in other characters than ASCII are encoded. */
function formatFileName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name) && !/["\\]/.test(name)) return `filename="${name}"`
  const encoded = encodeURIComponent(name.toWellFormed())
  return `filename*=UTF-8''${encoded.replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`)}`
}

type Piece = string | Uint8Array

async function* streamPieces(
  iterator: AsyncIterator<Piece>,
  first: IteratorResult<Piece>,
  options: { signal: AbortSignal; abortConnection(): void; handleError(error: unknown): Promise<unknown> },
): AsyncGenerator<Piece> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
    options.signal.throwIfAborted()
  } catch (error) {
    // Logs the failure like any other, and drops a revoked key from the cache.
    if (!options.signal.aborted) await options.handleError(error)
    options.abortConnection()
    throw error
  } finally {
    await iterator.return?.()
  }
}

/** Aborted `ms` after the server began to stop, unless the reply has ended by then. */
function createStopDeadline(ms: number, reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    timer = setTimeout(() => deadline.abort(serverStopping), ms)
  }
  if (stopping.aborted) stop()
  else stopping.addEventListener('abort', stop, { once: true })
  reply.raw.once('close', () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', stop)
  })
  return deadline.signal
}
