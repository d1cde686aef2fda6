/** Uploads: complete or refused, limited in size, time and number, and deleted with the request. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { uploadRoute } from '../route.ts'
import { strictObject, Type } from '../schema.ts'
import { limitBodyTime } from './body-timeout.ts'
import { receiveUpload, type Upload } from './upload.ts'

const maxBytes = 1024 * 1024
const handle = vi.fn<(upload: Upload) => Promise<void>>()
const weigh = uploadRoute({
  path: '/weigh',
  operation: 'weighFile',
  tag: 'Test',
  summary: 'Weigh',
  scope: 'any',
  query: strictObject({ n: Type.Integer({ default: 0 }) }),
  upload: { types: ['text/csv', 'text/plain'], maxBytes, example: 'a' },
  status: 200,
  reply: strictObject({ bytes: Type.Integer(), sha256: Type.String(), pieces: Type.Array(Type.Integer()) }),
  async handle({ body, tx }) {
    await tx.selectFrom('workspaces').select('id').execute()
    await handle(body)
    const pieces = await Array.fromAsync(body.read(), piece => piece.length)
    return { bytes: body.bytes, sha256: body.sha256, pieces }
  },
})

let app: TestApp
let server: FastifyInstance
let address: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  const served = await serveRoutes(app, [weigh])
  server = served.server
  address = `${served.url}/weigh`
})
afterAll(async () => {
  await server.close()
  await app.stop()
})
beforeEach(() => handle.mockReset())

const toBytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 251)
const createHeaders = (more: Record<string, string> = {}) => ({
  'x-api-key': app.workspace.testKey,
  'content-type': 'text/csv; charset=utf-8',
  ...more,
})

async function send(body: RequestInit['body'] | Blob, more: Record<string, string> = {}, query = '') {
  const reply = await fetch(address + query, {
    method: 'POST',
    headers: createHeaders(more),
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Record<string, unknown>,
  }
}

/** Starts a request. The test writes its body to `outgoing`. */
function startUpload(more: Record<string, string | number> = {}) {
  const outgoing = request(address, { method: 'POST', headers: { ...createHeaders(), ...more } })
  const reply = once(outgoing, 'response').then(([incoming]) => incoming as IncomingMessage)
  reply.catch(() => {})
  return { outgoing, reply }
}

/** Lists visible upload files. They are unlinked at once, so there should be none. */
const listLeftovers = () => readdirSync(tmpdir()).filter(name => name.startsWith('aldaba-upload-'))

describe('a file', () => {
  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, maxBytes])('of %i bytes arrives completely', async length => {
    const bytes = toBytes(length)
    const { status, body } = await send(bytes)
    const last = length % (256 * 1024)
    const pieces = [...Array(Math.floor(length / (256 * 1024))).fill(256 * 1024), ...(last > 0 ? [last] : [])]
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect({ status, body }).toEqual({ status: 200, body: { bytes: length, sha256, pieces } })
    expect(listLeftovers()).toEqual([])
  })

  it('is handled once for an Idempotency-Key, and another file is a conflict', async () => {
    const key = { 'idempotency-key': 'k' }
    const first = await send('abc', key)
    expect((await send('abc', key)).headers.get('idempotent-replayed')).toBe('true')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(handle).toHaveBeenCalledTimes(1)
    expect(await send('abd', key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } })
    expect(await send('abc', { ...key, 'content-type': 'text/plain' })).toMatchObject({ status: 422 })
  })

  it.each([
    ['with Content-Length', new Uint8Array(maxBytes + 1)],
    ['of unknown length', () => new Blob([new Uint8Array(3 * maxBytes)]).stream()],
  ])('larger than allowed %s is 413', async (_how, body) => {
    expect(await send(typeof body === 'function' ? body() : body)).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', message: 'The file is larger than 1 MiB.' },
    })
    expect(handle).not.toHaveBeenCalled()
    expect(listLeftovers()).toEqual([])
  })

  it.each(['application/json', 'nonsense', ''])(
    'of type %j is 415, and the message lists the accepted types',
    async type => {
      expect(await send(new Blob(['{}']), { 'content-type': type })).toMatchObject({
        status: 415,
        body: { message: expect.stringContaining('Content-Type: text/csv or text/plain') },
      })
    },
  )

  it('is received to its end even if refused: the sender reads the reply and keeps its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const statuses: (number | undefined)[] = []
    const sockets = new Set<unknown>()
    for (const [query, length] of [
      ['?n=x', maxBytes],
      ['', 5 * maxBytes],
      ['', 10],
    ] as const) {
      const outgoing = request(address + query, { method: 'POST', headers: createHeaders(), agent })
      outgoing.on('socket', socket => sockets.add(socket))
      outgoing.end(Buffer.alloc(length))
      const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
      await text(reply)
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([400, 413, 200])
    expect(sockets.size).toBe(1)
  })

  it('is deleted if its sender disconnects', async () => {
    const { outgoing } = startUpload()
    outgoing.write('a')
    await new Promise(resolve => setTimeout(resolve, 100))
    outgoing.destroy()
    outgoing.on('error', () => {})
    expect((await send('abc')).status).toBe(200)
    expect(handle).toHaveBeenCalledTimes(1)
    expect(listLeftovers()).toEqual([])
  })
})

it('accepts four files of a tenant at once, and a fifth after one has arrived', async () => {
  const opened = Array.from({ length: 4 }, () => startUpload())
  for (const { outgoing } of opened) outgoing.write('a')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await send('abc')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_CONCURRENT_REQUESTS' } })
  opened[0]!.outgoing.end('b')
  expect((await opened[0]!.reply).statusCode).toBe(200)
  expect((await send('abc')).status).toBe(200)
  for (const { outgoing, reply } of opened.slice(1)) {
    outgoing.end()
    expect((await reply).statusCode).toBe(200)
  }
})

/** A plain HTTP server around one of the functions. */
async function serve(handler: Parameters<typeof createServer<typeof IncomingMessage>>[1]): Promise<number> {
  const bare = createServer(handler)
  onTestFinished(() => void bare.close())
  bare.listen(0, '127.0.0.1')
  await once(bare, 'listening')
  return (bare.address() as AddressInfo).port
}

describe('the pace of a sender', () => {
  it.each([
    ['because it pauses', { graceMs: 60_000, minBytesPerMs: 1, idleMaxMs: 300 }, false],
    ['because its rate is too low', { graceMs: 600, minBytesPerMs: 1, idleMaxMs: 60_000 }, true],
  ])('ends its upload %s', async (_why, pace, drips) => {
    const port = await serve((incoming, reply) => {
      const rule = { types: ['text/csv'], maxBytes, example: '' }
      receiveUpload(incoming, rule, new AbortController().signal, pace).then(
        () => reply.end('whole'),
        error => reply.end(error.code),
      )
    })
    const headers = { 'content-type': 'text/csv', 'content-length': 1000 }
    const outgoing = request({ port, method: 'POST', headers }).on('error', () => {})
    outgoing.write('a')
    const drip = setInterval(() => drips && outgoing.write('a'), 50)
    onTestFinished(() => {
      clearInterval(drip)
      outgoing.destroy()
    })
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(await text(reply)).toBe('REQUEST_TIMEOUT')
  })

  it('is accepted at the minimum rate', async () => {
    const port = await serve((incoming, reply) => {
      const rule = { types: ['text/csv'], maxBytes, example: '' }
      const pace = { graceMs: 500, minBytesPerMs: 0.01, idleMaxMs: 400 }
      receiveUpload(incoming, rule, new AbortController().signal, pace).then(
        async upload => reply.end(String(upload.bytes), () => void upload.close()),
        error => reply.end(error.code),
      )
    })
    const outgoing = request({ port, method: 'POST', headers: { 'content-type': 'text/csv' } })
    for (let sent = 0; sent < 12; sent++) {
      outgoing.write('x'.repeat(10))
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    outgoing.end()
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(await text(reply)).toBe('120')
  })
})

describe('a body of any other route', () => {
  it('that is incomplete at its deadline is 408', async () => {
    const port = await serve((incoming, reply) => limitBodyTime(incoming, reply, 100))
    const outgoing = request({ port, method: 'POST', headers: { 'content-length': 10 } }).on(
      'error',
      () => {},
    )
    outgoing.write('{')
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(reply.statusCode).toBe(408)
    expect(JSON.parse(await text(reply))).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT' })
  })

  it('that is complete in time removes its deadline', async () => {
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    onTestFinished(() => void clear.mockRestore())
    const port = await serve(async (incoming, reply) => {
      limitBodyTime(incoming, reply, 100)
      await text(incoming)
      setTimeout(() => reply.end('late'), 200)
    })
    const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' })
    expect(await reply.text()).toBe('late')
    expect(clear).toHaveBeenCalled()
  })
})
