/** Replies that are the same for everybody: made and compressed once for all who call within a moment. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { yieldForReply } from './event-loop-turns.ts'

const compress = promisify(gzip)
const level = 1

/** Whoever calls while the work is under way, or so long after its success, gets what comes of it. */
export function memoize<T>(handleRequest: () => Promise<T>, ttlMs = 0): () => Promise<T> {
  let cached: Promise<T> | null = null
  const clear = () => {
    cached = null
  }
  const startTtl = () => {
    if (ttlMs > 0) setTimeout(clear, ttlMs).unref()
    else clear()
  }
  return () => {
    if (!cached) {
      cached = handleRequest()
      cached.then(startTtl, clear)
    }
    return cached
  }
}

/** Sends what `render` makes, with gzip to clients that accept it. Nothing is held for longer than `ttlMs`. */
export function cachedReply(
  render: () => Promise<string | Buffer>,
  ttlMs: number,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const plain = memoize(render, ttlMs)
  const compressed = memoize(async () => compress(await plain(), { level }), ttlMs)
  return async ({ headers }, reply) => {
    const isCompressed = acceptsGzip(headers['accept-encoding'])
    const body = await (isCompressed ? compressed() : plain())
    await yieldForReply()
    reply.header('Vary', 'accept-encoding')
    return isCompressed ? reply.header('Content-Encoding', 'gzip').send(body) : reply.send(body)
  }
}

function acceptsGzip(encodings: string | string[] | undefined): boolean {
  return String(encodings ?? '')
    .split(',')
    .some(encoding => /^gzip\s*(;\s*q=(?!0(\.0*)?$).*)?$/i.test(encoding.trim()))
}
