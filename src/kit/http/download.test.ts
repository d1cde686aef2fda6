/** Downloads: refusals before the first byte, backpressure, and failures that never look like a complete file. */
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually, startTestApp, stopSharedApps, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { openApiDocument } from '../openapi.ts'
import { notFound } from '../problem.ts'
import { downloadRoute } from '../route.ts'
import { strictObject, Type } from '../schema.ts'

beforeAll(stopSharedApps)

type Pieces = (signal: AbortSignal) => AsyncIterable<string>

/** The content of the route in the current test. */
let pieces: Pieces
const Count = strictObject({ n: Type.Integer() }, { title: 'Count' })
const counts = downloadRoute({
  path: '/counts',
  operation: 'downloadCounts',
  tag: 'Test',
  summary: 'Download counts',
  scope: 'leads:read',
  types: {
    'text/csv': { description: 'A table.', example: 'n\r\n1\r\n' },
    'application/x-ndjson': { description: 'Lines.', example: '{"n":1}\n', item: Count },
  },
  download: ({ signal }) => ({ type: 'text/csv', fileName: 'counts.csv', pieces: pieces(signal) }),
})

/** A binary file with its own headers, shown inline. */
const photo = downloadRoute({
  path: '/photo',
  operation: 'getPhoto',
  tag: 'Test',
  summary: 'A photo',
  scope: 'leads:read',
  types: { 'image/png': { description: 'A photo.', isBinary: true } },
  query: strictObject({ missing: Type.Optional(Type.String()) }),
  async download({ query }) {
    if (query.missing) throw notFound('photo')
    const pieces = (async function* () {
      yield Uint8Array.of(0x89, 0xff)
      yield Uint8Array.of(0x00)
    })()
    const headers = { 'Content-Security-Policy': "default-src 'none'" }
    return { type: 'image/png', fileName: 'photo.png', inline: true, headers, pieces }
  },
})

let app: TestApp
let server: FastifyInstance
let url: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  const served = await serveRoutes(app, [counts, photo])
  server = served.server
  url = `${served.url}/counts`
  return () => server.close()
})

const download = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { 'x-api-key': app.workspace.testKey, ...headers } })

const large = 'x'.repeat(200_000)

/** Makes the route yield chunks without end. Returns an object that counts the requested ones. */
function sendEndlessly() {
  const observed = { requested: 0, isEnded: false, signal: null as AbortSignal | null }
  pieces = async function* (signal) {
    observed.signal = signal
    try {
      for (;;) {
        observed.requested++
        yield large
        await sleep(1)
      }
    } finally {
      observed.isEnded = true
    }
  }
  return observed
}

/** Opens a download whose client reads nothing. */
async function openIdle(): Promise<IncomingMessage> {
  const request = get(url, { headers: { 'x-api-key': app.workspace.testKey } })
  request.on('error', () => {})
  const reply = await new Promise<IncomingMessage>(resolve => request.once('response', resolve))
  return reply.on('error', () => {}).pause()
}

describe('a download', () => {
  it('sends the chunks of its iterable under its file name, without caching or proxy buffering', async () => {
    pieces = async function* () {
      yield 'n\r\n'
      yield 'ñ\r\n'
    }
    const reply = await download({ 'x-request-id': 'mine' })
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="counts.csv"',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': 'mine',
      ratelimit: expect.any(String),
    })
    expect(await reply.text()).toBe('n\r\nñ\r\n')
  })

  it('may be binary, inline and have its own headers, or be refused before it starts', async () => {
    const headers = { 'x-api-key': app.workspace.testKey }
    const reply = await fetch(url.replace('counts', 'photo'), { headers })
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="photo.png"',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    })
    expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([0x89, 0xff, 0x00])
    const refused = await fetch(url.replace('counts', 'photo?missing=x'), { headers })
    expect([refused.status, refused.headers.has('content-disposition')]).toEqual([404, false])
  })

  it('may be empty', async () => {
    pieces = async function* () {}
    const reply = await download()
    expect([reply.status, await reply.text()]).toEqual([200, ''])
  })

  it('is refused like any route before its first byte: key, scope, input, and errors of its iterable', async () => {
    pieces = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(notFound('count')) }) })
    const webhooks = await makeKey(app.database, { workspace: app.workspace.slug, scopes: ['webhooks:read'] })
    const refusals = [
      await download({ 'x-api-key': 'nonsense' }),
      await download({ 'x-api-key': webhooks }),
      await fetch(`${url}?colour=red`, { headers: { 'x-api-key': app.workspace.testKey } }),
      await download(),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([401, 403, 400, 404])
    for (const refusal of refusals) {
      expect(refusal.headers.has('content-disposition')).toBe(false)
      expect(await refusal.json()).toMatchObject({ statusCode: refusal.status, code: expect.any(String) })
    }
  })

  it('does not start for a key that was just revoked', async () => {
    pieces = vi.fn<Pieces>(async function* () {})
    const key = await makeKey(app.database, { workspace: app.workspace.slug })
    expect((await download({ 'x-api-key': key })).status).toBe(200)
    await app.database.owner
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('last4', '=', key.slice(-4))
      .execute()
    expect((await download({ 'x-api-key': key })).status).toBe(401)
    expect(pieces).toHaveBeenCalledTimes(1)
  })

  it('answers HEAD with headers only, and closes its iterable', async () => {
    const observed = sendEndlessly()
    const reply = await download({}, 'HEAD')
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-length')).toBeNull()
    expect(observed).toMatchObject({ requested: 1, isEnded: true })
  })

  it('is generated no faster than the client reads', async () => {
    const observed = sendEndlessly()
    const reply = await openIdle()
    await eventually(
      async () => {
        const before = observed.requested
        await sleep(300)
        return observed.requested - before
      },
      more => more === 0,
    )
    // Only as much as the socket buffers hold.
    expect(observed.requested).toBeLessThan(100)
    const requested = observed.requested
    reply.resume()
    await eventually(
      async () => observed.requested,
      now => now > requested + 100,
    )
    reply.destroy()
  })

  it('stops when the client disconnects', async () => {
    const observed = sendEndlessly()
    const reply = await openIdle()
    reply.destroy()
    await eventually(async () => observed.isEnded, Boolean)
    expect(observed.signal!.aborted).toBe(true)
  })
})

describe('a download that fails after its start', () => {
  beforeEach(() => {
    pieces = async function* () {
      yield 'n\r\n1\r\n'
      await sleep(50)
      throw new Error('the disk is full')
    }
  })

  it('breaks the connection, so that its client notices', async () => {
    const reply = await download({ 'accept-encoding': 'identity' })
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
  })

  it('breaks the connection of a compressed reply too', async () => {
    await expect(download({ 'accept-encoding': 'gzip' }).then(reply => reply.text())).rejects.toThrow()
  })

  it('resets the connection of an HTTP/1.0 client, which takes an orderly close for the end of the file', async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /public/v1/counts HTTP/1.0\r\nX-Api-Key: ${app.workspace.testKey}\r\n\r\n`)
    let text = ''
    socket.on('data', data => {
      text += data
    })
    const end = await new Promise(resolve => {
      socket.once('error', resolve)
      socket.once('end', () => resolve('an orderly end'))
    })
    expect(text).toContain('n\r\n1\r\n')
    expect(end).toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('when the server stops', () => {
  it('a download may finish', async () => {
    const started = Promise.withResolvers<void>()
    pieces = async function* () {
      yield 'n\r\n'
      started.resolve()
      await sleep(500)
      yield '1\r\n'
    }
    const reply = await download()
    await started.promise
    const [text] = await Promise.all([reply.text(), server.close()])
    expect(text).toBe('n\r\n1\r\n')
  })

  it('a long download is ended shortly before all connections are closed', async () => {
    const observed = sendEndlessly()
    await openIdle()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const closing = server.close()
    while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(7999)
    expect(observed.signal!.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(observed.signal!.aborted).toBe(true)
    vi.useRealTimers()
    await closing
    await eventually(async () => observed.isEnded, Boolean)
  })
})

it('is in the OpenAPI document with its content types', () => {
  const { paths } = openApiDocument([{ name: 'counts', routes: [counts, photo], jobs: [], events: [] }], {
    publicUrl: '',
    basePaths: [''],
  })
  const readContent = (path: string) => {
    const { get } = paths[path] as { get: { responses: Record<string, { content: unknown }> } }
    return get.responses['200']!.content
  }
  expect(readContent('/public/v1/photo')).toEqual({ 'image/png': { schema: { description: 'A photo.' } } })
  expect(readContent('/public/v1/counts')).toEqual({
    'text/csv': { schema: { type: 'string', description: 'A table.' }, example: 'n\r\n1\r\n' },
    'application/x-ndjson': {
      schema: { type: 'string', description: 'Lines.' },
      example: '{"n":1}\n',
      'x-itemSchema': { $ref: '#/components/schemas/Count' },
    },
  })
})
