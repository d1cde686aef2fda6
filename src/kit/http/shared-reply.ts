/** Replies that are the same for everybody: made and compressed once for all who call within a moment. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextReply } from './turns.ts'

const compress = promisify(gzip)
const level = 1

/** Whoever calls while the work is under way, or so long after its success, gets what comes of it. */
export function shared<T>(work: () => Promise<T>, keptMs = 0): () => Promise<T> {
  let known: Promise<T> | null = null
  const forget = () => {
    known = null
  }
  const keep = () => {
    if (keptMs > 0) setTimeout(forget, keptMs).unref()
    else forget()
  }
  return () => {
    if (!known) {
      known = work()
      known.then(keep, forget)
    }
    return known
  }
}

/** Sends what `render` makes, with gzip to clients that accept it. Nothing is held for longer than `keptMs`. */
export function sharedReply(
  render: () => Promise<string | Buffer>,
  keptMs: number,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const plain = shared(render, keptMs)
  const compressed = shared(async () => compress(await plain(), { level }), keptMs)
  return async ({ headers }, reply) => {
    const isCompressed = acceptsGzip(headers['accept-encoding'])
    const body = await (isCompressed ? compressed() : plain())
    await nextReply()
    reply.header('Vary', 'accept-encoding')
    return isCompressed ? reply.header('Content-Encoding', 'gzip').send(body) : reply.send(body)
  }
}

function acceptsGzip(encodings: string | string[] | undefined): boolean {
  return String(encodings ?? '')
    .split(',')
    .some(encoding => /^gzip\s*(;\s*q=(?!0(\.0*)?$).*)?$/i.test(encoding.trim()))
}
