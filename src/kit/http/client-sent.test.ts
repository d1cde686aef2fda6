/** The guarded HTTP client: what is known about a request without a reply, and bodies that are streams. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { requestBounds, serve } from '../../../test/faulty-server.ts'
import { createHttpClient, HttpFailure } from './client.ts'

const client = createHttpClient({ reach: 'any' })
afterAll(() => client.close())

const getFailure = (url: string, options = {}) =>
  client.fetch(url, { ...requestBounds, method: 'POST', body: 'x', ...options }).then(
    () => null,
    error => (error instanceof HttpFailure ? { kind: error.kind, isSent: error.isSent } : error),
  )

test('a refused connection, and a refused address: nothing was sent', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  expect(await getFailure(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'unreachable', isSent: false })
  expect(await getFailure('http://127.0.0.1/', { reach: 'public' })).toEqual({
    kind: 'address-refused',
    isSent: false,
  })
})

test('a connection that was cut after the request, and a server without an answer: it may have been sent', async () => {
  const cutting = await serve(request => request.socket.destroy())
  expect(await getFailure(`http://127.0.0.1:${cutting.port}/`)).toEqual({ kind: 'unreachable', isSent: true })
  const silent = await serve(() => {})
  const outcome = await getFailure(`http://127.0.0.1:${silent.port}/`, { timeoutMs: 100 })
  expect(outcome).toEqual({ kind: 'timeout', isSent: true })
})

test('the body may be bytes or a stream', async () => {
  const { port } = await serve(async (request, reply) => reply.end(await buffer(request)))
  for (const body of [Buffer.from('bytes'), Readable.from([Buffer.from('by'), Buffer.from('tes')])]) {
    const headers = { 'content-length': '5' }
    const options = { ...requestBounds, method: 'POST' as const, headers, body }
    expect(String((await client.fetch(`http://127.0.0.1:${port}/`, options)).body)).toBe('bytes')
  }
})

test('the stream of a request that fails is destroyed', async () => {
  const { port } = await serve(() => {})
  const isAborted = AbortSignal.abort(new Error('stopped'))
  for (const options of [{ signal: isAborted }, { timeoutMs: 100 }]) {
    const body = new Readable({ read() {} })
    await getFailure(`http://127.0.0.1:${port}/`, { body, ...options })
    expect(body.destroyed).toBe(true)
  }
})
