/** What the guarded HTTP client bounds: redirects, the size of a reply, the time of an exchange. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient, HttpFailure, type HttpRequest, retryAfterMs } from './client.ts'

const client = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.1/32'] })
afterAll(() => client.close())

const bounds: HttpRequest = { timeoutMs: 2000, bodyMaxBytes: 1000 }
const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    reply => ({ reply }),
    error => (error instanceof HttpFailure ? error.kind : error),
  )

async function serve(listener: RequestListener): Promise<{ port: number; requests: string[] }> {
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
    [
      'drips',
      (_request, reply) => {
        const timer = setInterval(() => reply.write('x'), 10)
        reply.on('close', () => clearInterval(timer))
      },
    ],
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

  it('ends with the reason of its caller when the caller gives up', async () => {
    const { port } = await serve(() => {})
    const stopping = new AbortController()
    const sent = fetchFrom(port, { signal: stopping.signal })
    stopping.abort(new Error('the process stops'))
    expect(await failureOf(sent)).toMatchObject({ message: 'the process stops' })
  })
})

describe('Retry-After', () => {
  const asked = (text?: string) =>
    retryAfterMs({
      status: 429,
      headers: text === undefined ? {} : { 'retry-after': text },
      body: Buffer.of(),
    })

  it('is understood in seconds and as a date', () => {
    expect(asked('120')).toBe(120_000)
    const inAMinuteMs = asked(new Date(Date.now() + 60_000).toUTCString())
    expect(inAMinuteMs).toBeGreaterThan(58_000)
    expect(inAMinuteMs).toBeLessThanOrEqual(60_000)
  })

  it.each([undefined, '', '0', '-5', 'soon', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'asks for nothing: %j',
    text => {
      expect(asked(text)).toBe(0)
    },
  )
})
