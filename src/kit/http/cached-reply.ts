/** Replies that are the same for everybody: rendered and compressed once for all calls within a short time. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { yieldForReply } from './event-loop-turns.ts'

const compress = promisify(gzip)
const level = 1

/**
 * Shares one result between all calls made while `work` runs and within `ttlMs` after its success. Failures are not
 * kept.
 */
export function memoize<T>(work: () => Promise<T>, ttlMs = 0): () => Promise<T> {
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
      cached = work()
      cached.then(startTtl, clear)
    }
    return cached
  }
}

/**
 * Creates a handler that sends the result of `render`, compressed for clients that accept gzip. The result is cached
 * for `ttlMs`.
 */
export function createCachedHandler(
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
