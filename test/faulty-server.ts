/** HTTP servers with faults, for tests of clients. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { HttpFailure, type HttpRequest } from '../src/kit/http/client.ts'

export const requestBounds: HttpRequest = { timeoutMs: 2000, bodyMaxBytes: 1000 }
/** Returns `{ reply }`, or the kind of an HttpFailure, or any other error unchanged. */
export const toOutcome = (request: Promise<unknown>) =>
  request.then(
    reply => ({ reply }),
    error => (error instanceof HttpFailure ? error.kind : error),
  )

/** Serves until the test ends and adds methods and paths to `requests`. */
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

/** Sends one byte every `intervalMs` milliseconds, `byteCount` bytes in total. */
export const drip =
  (intervalMs: number, byteCount = Infinity): RequestListener =>
  (_request, reply) => {
    let count = 0
    const timer = setInterval(() => (++count > byteCount ? reply.end() : reply.write('x')), intervalMs)
    reply.on('close', () => clearInterval(timer))
  }

export const plainBody = Buffer.from('ñandú '.repeat(100))
/** Compressors by Content-Encoding. */
export const encodings: [name: string, encode: (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  // The best quality, which is the default, took seven times as long.
  ['br', bytes => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['deflate', deflateSync],
  // Raw deflate without zlib header, as some servers send it.
  ['deflate', deflateRawSync],
  ['deflate, gzip', bytes => gzipSync(deflateSync(bytes))],
  ['identity', bytes => bytes],
  ['unheard-of', bytes => bytes],
]
