/** A file that is sent while it is made, as fast as the client takes it in, and never half of one that looks whole. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DownloadRoute } from '../route.ts'
import type { RequestContext } from './handle-request.ts'
import { requestSignal, serverStopping } from './request-signal.ts'

/** How long a download may go on once the server stops: somewhat less than it waits before it cuts all connections. */
const stoppingMaxMs = 8000

type Values = Record<string, unknown>

/** Sends what the route's iterable brings. Throws what comes before its first piece. */
export async function sendDownload(
  route: DownloadRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  serve: RequestContext,
): Promise<FastifyReply> {
  const caller = request.caller!
  const { params, query } = request as { params: Values; query: Values }
  await serve.authenticator.confirm(caller)
  const signal = requestSignal(request, createStopDeadline(stoppingMaxMs, reply, serve.stopping))
  const { type, fileName, inline, headers, pieces } = await route.download({
    params,
    query,
    caller,
    signal,
    database: serve.database,
  })
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  signal.throwIfAborted()

  reply.headers({
    ...headers,
    'Content-Type': 'isBinary' in route.types[type]! ? type : `${type}; charset=utf-8`,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    // nginx would otherwise gather the file on its disk, and hear too late of a client that went away.
    'X-Accel-Buffering': 'no',
    // Its head may be long gone when the server stops: kept alive, the connection would hold that up.
    Connection: 'close',
  })
  if (request.method === 'HEAD') {
    await iterator.return?.()
    // Of no length: nobody knows it before it is sent, and none is not it.
    return reply.send(Readable.from([]))
  }
  const abortConnection = () => {
    // A proxy that speaks HTTP/1.0, as nginx does unless told otherwise, takes an orderly end for that of the file.
    if (!reply.raw.writableFinished) request.raw.socket.resetAndDestroy()
  }
  signal.addEventListener('abort', abortConnection, { once: true })
  const toHttpFailure = (error: unknown) => serve.toHttpFailure(request, error)
  return reply.send(Readable.from(streamPieces(iterator, first, { signal, abortConnection, toHttpFailure })))
}

type Piece = string | Uint8Array

async function* streamPieces(
  iterator: AsyncIterator<Piece>,
  first: IteratorResult<Piece>,
  on: { signal: AbortSignal; abortConnection(): void; toHttpFailure(error: unknown): Promise<unknown> },
): AsyncGenerator<Piece> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
    on.signal.throwIfAborted()
  } catch (error) {
    // Logged as any failure is, and a key that was revoked meanwhile is forgotten.
    if (!on.signal.aborted) await on.toHttpFailure(error)
    on.abortConnection()
    throw error
  } finally {
    await iterator.return?.()
  }
}

/** Aborted so long after the server began to stop, unless the reply has ended by then. */
function createStopDeadline(ms: number, reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    timer = setTimeout(() => over.abort(serverStopping), ms)
  }
  if (stopping.aborted) stop()
  else stopping.addEventListener('abort', stop, { once: true })
  reply.raw.once('close', () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', stop)
  })
  return over.signal
}
