/** The guarded HTTP client: replies that are read as a stream. */
import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { drip, encodings, plainBody, requestBounds, serve, toOutcome } from '../../../test/faulty-server.ts'
import { createHttpClient, type HttpStream, type HttpStreamRequest } from './client.ts'

const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(() => client.close())

describe('a stream', () => {
  const streamFrom = (port: number, options: Partial<HttpStreamRequest> = {}) =>
    client.stream(`http://127.0.0.1:${port}/`, { ...requestBounds, idleTimeoutMs: 1000, ...options })
  const read = async ({ body }: HttpStream) => Buffer.concat(await Array.fromAsync(body))

  it('returns status and headers first, and bytes as they arrive', async () => {
    const mayContinue = Promise.withResolvers<void>()
    const { port } = await serve(async (request, reply) => {
      reply.writeHead(203, { 'x-method': request.method }).write(await request.toArray().then(String))
      await mayContinue.promise
      reply.end('end')
    })
    const { status, headers, body } = await streamFrom(port, { method: 'POST', body: 'begin ' })
    expect([status, headers['x-method']]).toEqual([203, 'POST'])
    const chunks: string[] = []
    for await (const chunk of body) {
      chunks.push(chunk.toString())
      mayContinue.resolve()
    }
    expect(chunks).toEqual(['begin ', 'end'])
  })

  it.each(encodings)('is decoded: %s', async (encoding, encode) => {
    const { port } = await serve((_request, reply) =>
      reply.writeHead(200, { 'content-encoding': encoding }).end(encode(plainBody)),
    )
    expect(await read(await streamFrom(port))).toEqual(plainBody)
  })

  it('does not unpack a gzip file without Content-Encoding', async () => {
    const { port } = await serve((_request, reply) =>
      reply.writeHead(200, { 'content-type': 'application/gzip' }).end(gzipSync(plainBody)),
    )
    expect(gunzipSync(await read(await streamFrom(port)))).toEqual(plainBody)
  })

  it('sends nothing to a refused address', async () => {
    const guarded = createHttpClient({ reach: 'public' })
    const outcome = guarded.stream('http://127.0.0.1:9/', { ...requestBounds, idleTimeoutMs: 1000 })
    expect(await toOutcome(outcome)).toBe('address-refused')
    await guarded.close()
  })

  it.each([
    [
      'does not reply',
      () => {},
      { idleTimeoutMs: 100, timeoutMs: 60_000 },
      { message: 'no data for 100 ms', status: null },
    ],
    [
      'stalls',
      (_request, reply) => void reply.write('x'),
      { idleTimeoutMs: 100, timeoutMs: 60_000 },
      { message: 'no data for 100 ms', status: 200 },
    ],
    [
      'drips',
      drip(20),
      { idleTimeoutMs: 10_000, timeoutMs: 200 },
      { message: 'no complete reply within 200 ms', status: 200 },
    ],
  ] satisfies [
    string,
    RequestListener,
    Partial<HttpStreamRequest>,
    { message: string; status: number | null },
  ][])(
    'times out on a server that %s, and reports the received status',
    async (_what, listener, options, failure) => {
      const { port } = await serve(listener)
      const startedMs = performance.now()
      await expect(streamFrom(port, options).then(read)).rejects.toMatchObject({
        kind: 'timeout',
        ...failure,
      })
      expect(performance.now() - startedMs).toBeLessThan(9000)
    },
  )

  it('may last as long as bytes arrive, however slow its reader is', async () => {
    const { port } = await serve(drip(50, 10))
    let size = 0
    for await (const chunk of (await streamFrom(port, { idleTimeoutMs: 300 })).body) {
      if (size === 0) await sleep(500)
      size += chunk.length
    }
    expect(size).toBe(10)
  })

  it.each(encodings.slice(0, 1).concat([['', bytes => bytes]]))(
    'closes the connection when its reader stops, and when the body is too large: %j',
    async (encoding, encode) => {
      let disconnected = Promise.withResolvers<void>()
      const { port } = await serve((_request, reply) => {
        reply.on('close', disconnected.resolve)
        reply.writeHead(200, encoding ? { 'content-encoding': encoding } : {})
        reply.write(encode(Buffer.alloc(900)))
      })
      for await (const _chunk of (await streamFrom(port)).body) break
      await disconnected.promise
      disconnected = Promise.withResolvers()
      expect(await toOutcome(streamFrom(port, { bodyMaxBytes: 800 }).then(read))).toBe('too-large')
      await disconnected.promise
    },
  )

  it.each([
    ['shorter than its Content-Length', { 'content-length': 100 }],
    ['cut off', {}],
  ] satisfies [string, OutgoingHttpHeaders][])('fails as unreachable if it is %s', async (_what, headers) => {
    const { port } = await serve((request, reply) => {
      reply.writeHead(201, headers).write('half', () => request.socket.destroy())
    })
    const outcome = streamFrom(port).then(read)
    await expect(outcome).rejects.toMatchObject({ kind: 'unreachable', status: 201 })
  })

  it("rejects with the reason of the caller's signal, even if nobody reads it", async () => {
    const { port } = await serve((_request, reply) => void reply.write('x'))
    const stopping = new AbortController()
    const stream = await streamFrom(port, { signal: stopping.signal })
    stopping.abort(new Error('the process stops'))
    expect(await toOutcome(read(stream))).toMatchObject({ message: 'the process stops' })
  })
})
