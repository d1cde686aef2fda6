/** Servers that behave in ways of their own, for whoever asks them over HTTP. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { HttpFailure, type HttpRequest } from '../src/kit/http/client.ts'

export const bounds: HttpRequest = { timeoutMs: 2000, bodyMaxBytes: 1000 }
/** The kind of an HttpFailure, any other error as it is, or what came instead. */
export const toFailure = (sent: Promise<unknown>) =>
  sent.then(
    reply => ({ reply }),
    error => (error instanceof HttpFailure ? error.kind : error),
  )

/** Serves until the test ends; `requests` fills with methods and paths. */
export async function serve(listener: RequestListener): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, reply) => {
    requests.push(`${request.method} ${request.url}`)
    listener(request, reply)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

/** A byte, and another after so many milliseconds, and so on. */
export const drip =
  (everyMs: number, end = Infinity): RequestListener =>
  (_request, reply) => {
    let count = 0
    const timer = setInterval(() => (++count > end ? reply.end() : reply.write('x')), everyMs)
    reply.on('close', () => clearInterval(timer))
  }

export const plain = Buffer.from('ñandú '.repeat(100))
/** By the names of Content-Encoding. */
export const encodings: [name: string, encode: (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  // As some servers have it, without its head.
  ['deflate', deflateRawSync],
  ['deflate, gzip', bytes => gzipSync(deflateSync(bytes))],
  ['identity', bytes => bytes],
  ['unheard-of', bytes => bytes],
]
