/** What the guarded HTTP client bounds: redirects, the size of a reply, the time of an exchange; and what it undoes. */
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { bounds, drip, encodings, failureOf, plain, serve } from '../../../test/odd-server.ts'
import { createHttpClient, type HttpRequest } from './client.ts'

const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(() => client.close())

describe('a request', () => {
  const fetchFrom = (port: number, options: Partial<HttpRequest> = {}) =>
    client.fetch(`http://127.0.0.1:${port}/`, { ...bounds, ...options })

  it('sends its method, headers and body, and brings back status, headers and body', async () => {
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

  it('takes a body up to its bound, and not one byte more', async () => {
    let size = bounds.bodyMaxBytes
    const { port } = await serve((_request, reply) => reply.end('x'.repeat(size)))
    expect((await fetchFrom(port)).body).toHaveLength(size)
    size++
    await expect(fetchFrom(port)).rejects.toMatchObject({ kind: 'too-large', status: 200 })
  })

  it('hangs up on a body without end', async () => {
    const hungUp = Promise.withResolvers<void>()
    const { port } = await serve((_request, reply) => {
      reply.on('close', hungUp.resolve)
      const pour = () => {
        while (!reply.destroyed && reply.write('x'.repeat(1000)));
      }
      reply.on('drain', pour)
      pour()
    })
    expect(await failureOf(fetchFrom(port))).toBe('too-large')
    await hungUp.promise
  })

  it.each([
    ['says nothing', () => {}],
    ['sends its headers and no more', (_request, reply) => void reply.writeHead(200).flushHeaders()],
    ['drips', drip(10)],
  ] satisfies [string, RequestListener][])(
    'gives up in time on a server that %s',
    async (_what, listener) => {
      const { port } = await serve(listener)
      const startedMs = performance.now()
      expect(await failureOf(fetchFrom(port, { timeoutMs: 150 }))).toBe('timeout')
      expect(performance.now() - startedMs).toBeLessThan(1500)
    },
  )

  it.each([
    ['hangs up', (request => request.socket.destroy()) as RequestListener],
    [
      'hangs up in the middle of its body',
      ((request, reply) => {
        reply.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy())
      }) as RequestListener,
    ],
    ['speaks no HTTP', (request => void request.socket.end('nonsense\r\n\r\n')) as RequestListener],
  ])('tells a server that %s as unreachable', async (_what, listener) => {
    const { port } = await serve(listener)
    expect(await failureOf(fetchFrom(port))).toBe('unreachable')
  })

  it('tells a port where nobody listens as unreachable', async () => {
    expect(await failureOf(fetchFrom(1))).toBe('unreachable')
  })

  it.each<[string, RequestListener | null]>([
    ['at once', null],
    ['while the server says nothing', () => {}],
    ['in the middle of the body', drip(10)],
  ])('ends with the reason of its caller when the caller gives up %s', async (_when, listener) => {
    const reached = Promise.withResolvers<void>()
    const { port } = await serve((request, reply) => {
      listener?.(request, reply)
      setTimeout(reached.resolve, 50)
    })
    const stopping = new AbortController()
    const reason = new Error('the process stops')
    const sent = fetchFrom(port, { signal: stopping.signal }).catch(error => error)
    if (listener) await reached.promise
    stopping.abort(reason)
    expect(await sent).toBe(reason)
  })

  it('asks nobody when its caller had given up before', async () => {
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

  it('waits for no other request to the same host', async () => {
    const { port } = await serve((request, reply) => void (request.url === '/free' && reply.end('here')))
    const stopping = new AbortController()
    const hanging = Array.from({ length: 100 }, () =>
      fetchFrom(port, { signal: stopping.signal }).catch(() => {}),
    )
    const free = await client.fetch(`http://127.0.0.1:${port}/free`, bounds)
    expect(free.body.toString()).toBe('here')
    stopping.abort()
    await Promise.all(hanging)
  })
})

describe('a compressed reply', () => {
  const fetchEncoded = async (encoding: string, bytes: Buffer, options: Partial<HttpRequest> = {}) => {
    const { port } = await serve((_request, reply) =>
      reply.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    )
    return client.fetch(`http://127.0.0.1:${port}/`, { ...bounds, ...options })
  }

  it.each(encodings)('is brought back plain: %s', async (encoding, encode) => {
    expect((await fetchEncoded(encoding, encode(plain))).body).toEqual(plain)
  })

  it.each(encodings.slice(0, 5))(
    'is bounded by its plain size, and a bomb is not blown up: %s',
    async (encoding, encode) => {
      const bodyMaxBytes = plain.length
      expect((await fetchEncoded(encoding, encode(plain), { bodyMaxBytes })).body).toHaveLength(bodyMaxBytes)
      const bomb = encode(Buffer.alloc(50_000_000))
      expect(await failureOf(fetchEncoded(encoding, bomb, { bodyMaxBytes }))).toBe('too-large')
    },
  )

  it.each(encodings.slice(0, 4))('that is cut short or broken is no reply: %s', async (encoding, encode) => {
    const bytes = encode(randomBytes(500))
    expect(await failureOf(fetchEncoded(encoding, bytes.subarray(0, -20)))).toBe('unreachable')
    expect(await failureOf(fetchEncoded(encoding, Buffer.from('<html>sorry</html>')))).toBe('unreachable')
  })

  it.each(encodings)('may be empty: %s', async encoding => {
    expect((await fetchEncoded(encoding, Buffer.of())).body).toHaveLength(0)
  })

  it('is asked for by the caller alone', async () => {
    const asked: unknown[] = []
    const { port } = await serve((request, reply) => {
      asked.push(request.headers['accept-encoding'])
      reply.end()
    })
    for (const headers of [{}, { 'accept-encoding': 'br' }])
      await client.fetch(`http://127.0.0.1:${port}/`, { ...bounds, headers })
    expect(asked).toEqual([undefined, 'br'])
  })
})
