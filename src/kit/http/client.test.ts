/** The guarded HTTP client: redirects, limits of size and time, and cut bodies. */
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { drip, encodings, requestBounds, serve, toOutcome } from '../../../test/faulty-server.ts'
import { createHttpClient, type HttpRequest } from './client.ts'

const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(() => client.close())

describe('a request', () => {
  const fetchFrom = (port: number, options: Partial<HttpRequest> = {}) =>
    client.fetch(`http://127.0.0.1:${port}/`, { ...requestBounds, ...options })

  it('sends method, headers and body, and returns status, headers and body', async () => {
    const { port } = await serve(async (request, reply) => {
      const body = (await request.toArray()).join('')
      reply.writeHead(201, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] })
      reply.end(`${request.method} ${request.headers['webhook-id']} ${body}`)
    })
    const reply = await fetchFrom(port, { method: 'POST', headers: { 'webhook-id': '7' }, body: '{"a":"ñ"}' })
    expect(reply.status).toBe(201)
    expect(reply.headers['x-answer']).toBe('yes')
    expect(reply.body.toString()).toBe('POST 7 {"a":"ñ"}')
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async status => {
    const { port, requests } = await serve((_request, reply) =>
      reply.writeHead(status, { location: '/inside' }).end(),
    )
    expect(await fetchFrom(port)).toMatchObject({ status, headers: { location: '/inside' } })
    expect(requests).toEqual(['GET /'])
  })

  it('accepts a body up to its limit, and not one byte more', async () => {
    let size = requestBounds.bodyMaxBytes
    const { port } = await serve((_request, reply) => reply.end('x'.repeat(size)))
    expect((await fetchFrom(port)).body).toHaveLength(size)
    size++
    await expect(fetchFrom(port)).rejects.toMatchObject({ kind: 'too-large', status: 200 })
  })

  it('closes the connection on an endless body', async () => {
    const disconnected = Promise.withResolvers<void>()
    const { port } = await serve((_request, reply) => {
      reply.on('close', disconnected.resolve)
      const writeUntilFull = () => {
        while (!reply.destroyed && reply.write('x'.repeat(1000)));
      }
      reply.on('drain', writeUntilFull)
      writeUntilFull()
    })
    expect(await toOutcome(fetchFrom(port))).toBe('too-large')
    await disconnected.promise
  })

  it.each([
    ['does not reply', () => {}, null],
    ['sends only an informational status', (_request, reply) => void reply.writeProcessing(), null],
    ['sends headers, but no more', (_request, reply) => void reply.writeHead(202).flushHeaders(), 202],
    [
      'sends an informational status and headers, but no more',
      (_request, reply) => {
        reply.writeProcessing()
        reply.writeHead(500).flushHeaders()
      },
      500,
    ],
    ['drips', drip(10), 200],
  ] satisfies [string, RequestListener, number | null][])(
    'times out on a server that %s, and reports the received status',
    async (_what, listener, status) => {
      const { port } = await serve(listener)
      const inTime = { timeoutMs: 150, signal: AbortSignal.timeout(5000) }
      await expect(fetchFrom(port, inTime)).rejects.toMatchObject({ kind: 'timeout', status })
    },
  )

  it.each([
    ['closes the connection', request => request.socket.destroy(), null],
    [
      'closes the connection after an informational status',
      (request, reply) => {
        reply.writeProcessing()
        request.socket.end()
      },
      null,
    ],
    [
      'closes the connection within its body',
      (request, reply) => {
        reply.writeHead(201, { 'content-length': 100 }).write('half', () => request.socket.destroy())
      },
      201,
    ],
    [
      'resets the connection within its body',
      (request, reply) => {
        reply.writeHead(201).write('half', () => request.socket.resetAndDestroy())
      },
      201,
    ],
    ['does not speak HTTP', request => void request.socket.end('nonsense\r\n\r\n'), null],
  ] satisfies [string, RequestListener, number | null][])(
    'reports a server that %s as unreachable, with the received status',
    async (_what, listener, status) => {
      const { port } = await serve(listener)
      await expect(fetchFrom(port)).rejects.toMatchObject({ kind: 'unreachable', status })
    },
  )

  it('reports a port without a server as unreachable', async () => {
    expect(await toOutcome(fetchFrom(1))).toBe('unreachable')
  })

  it.each<[string, RequestListener | null]>([
    ['at once', null],
    ['while the server does not reply', () => {}],
    ['within the body', drip(10)],
  ])("rejects with the reason of the caller's signal when it is aborted %s", async (_when, listener) => {
    const reached = Promise.withResolvers<void>()
    const { port } = await serve((request, reply) => {
      listener?.(request, reply)
      setTimeout(reached.resolve, 50)
    })
    const stopping = new AbortController()
    const reason = new Error('the process stops')
    const outcome = fetchFrom(port, { signal: stopping.signal }).catch(error => error)
    if (listener) await reached.promise
    stopping.abort(reason)
    expect(await outcome).toBe(reason)
  })

  it('sends nothing if the signal was aborted before', async () => {
    let connections = 0
    const server = createServer().on('connection', () => connections++)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const reason = new Error('the process stops')
    await expect(fetchFrom(port, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await sleep(50)
    expect(connections).toBe(0)
  })

  it('does not wait for other requests to the same host', async () => {
    const { port } = await serve((request, reply) => void (request.url === '/free' && reply.end('here')))
    const stopping = new AbortController()
    const hanging = Array.from({ length: 100 }, () =>
      fetchFrom(port, { signal: stopping.signal }).catch(() => {}),
    )
    const free = await client.fetch(`http://127.0.0.1:${port}/free`, requestBounds)
    expect(free.body.toString()).toBe('here')
    stopping.abort()
    await Promise.all(hanging)
  })
})

describe('truncateBody', () => {
  const bodyMaxBytes = 1000
  const fetchTruncated = (port: number, options: Partial<HttpRequest> = {}) =>
    client.fetch(`http://127.0.0.1:${port}/`, {
      ...requestBounds,
      bodyMaxBytes,
      truncateBody: true,
      ...options,
    })
  const fetchEncoded = async (encoding: string, bytes: Buffer) => {
    const { port } = await serve((_request, reply) =>
      reply.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    )
    return (await fetchTruncated(port)).body
  }

  it('cuts the body at its limit, and closes the connection', async () => {
    const disconnected = Promise.withResolvers<void>()
    let sentBytes = 0
    const { port } = await serve((_request, reply) => {
      reply.on('close', disconnected.resolve)
      reply.writeHead(404, { 'x-answer': 'yes' })
      const writeUntilFull = () => {
        while (!reply.destroyed && reply.write(`${sentBytes} `.padEnd(700, '-'))) sentBytes += 700
      }
      reply.on('drain', writeUntilFull)
      writeUntilFull()
    })
    const { status, headers, body } = await fetchTruncated(port)
    expect([status, headers['x-answer']]).toEqual([404, 'yes'])
    expect(body.toString()).toBe('0 '.padEnd(700, '-') + '700 '.padEnd(300, '-'))
    await disconnected.promise
    expect(sentBytes).toBeLessThan(10_000_000)
  })

  it('cuts a body that arrives in many chunks at once, and the next reply contains none of the rest', async () => {
    const { port } = await serve((_request, reply) => {
      reply.socket!.cork()
      for (let n = 0; n < 1000; n++) reply.write('12345678')
      reply.end()
      reply.socket!.uncork()
    })
    for (let n = 0; n < 3; n++)
      expect((await fetchTruncated(port)).body.toString()).toBe('12345678'.repeat(125))
  })

  it('does not wait for more than the limit', async () => {
    const { port } = await serve((_request, reply) => void reply.write('x'.repeat(bodyMaxBytes)))
    expect((await fetchTruncated(port, { timeoutMs: 60_000 })).body).toHaveLength(bodyMaxBytes)
  })

  it('keeps a shorter body whole, and its connection open', async () => {
    const sockets = new Set<unknown>()
    const { port } = await serve((request, reply) => {
      sockets.add(request.socket)
      reply.end('y'.repeat(bodyMaxBytes - 1))
    })
    for (let n = 0; n < 3; n++) {
      expect((await fetchTruncated(port)).body).toHaveLength(bodyMaxBytes - 1)
      await sleep(20)
    }
    expect(sockets.size).toBe(1)
  })

  it('still times out if the limit is not reached in time', async () => {
    const { port } = await serve(drip(10))
    const inTime = { timeoutMs: 150, signal: AbortSignal.timeout(5000) }
    await expect(fetchTruncated(port, inTime)).rejects.toMatchObject({
      kind: 'timeout',
      status: 200,
    })
  })

  it.each(encodings)('returns what the beginning decodes to: %s', async (encoding, encode) => {
    const long = Buffer.from(randomBytes(3000).toString('hex'))
    const encoded = encode(long)
    expect(encoded.length).toBeGreaterThan(bodyMaxBytes)
    const body = await fetchEncoded(encoding, encoded)
    expect(body).toEqual(long.subarray(0, body.length))
    // The second decoder may need bytes that the first one lost at the cut.
    expect(body.length).toBeGreaterThanOrEqual(encoding.includes(', ') ? 0 : 1)
    expect(body.length).toBeLessThanOrEqual(bodyMaxBytes)
  })

  it.each(encodings.slice(0, 5))(
    'limits the decoded size too, and does not expand a decompression bomb: %s',
    async (encoding, encode) => {
      const bomb = encode(Buffer.alloc(500_000, 'z'))
      const concat = vi.spyOn(Buffer, 'concat')
      onTestFinished(() => concat.mockRestore())
      expect(await fetchEncoded(encoding, bomb)).toEqual(Buffer.alloc(bodyMaxBytes, 'z'))
      const sizes = concat.mock.results.map(({ value }) => value.length)
      expect(Math.max(...sizes)).toBeLessThan(100_000)
    },
  )

  it.each(encodings.slice(0, 4))('returns an empty body if nothing can be decoded: %s', async encoding => {
    expect(await fetchEncoded(encoding, Buffer.from('<html>sorry</html>'))).toHaveLength(0)
  })
})
