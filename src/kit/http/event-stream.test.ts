/** Server-sent events: their text, refusals before the first byte, and the end of streams. */
import { get } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp, stopSharedApps, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { type OpenApiDocument, openApiDocument } from '../openapi.ts'
import { notFound } from '../problem.ts'
import { eventStreamRoute, type StreamedEvent } from '../route.ts'
import { strictObject, Type } from '../schema.ts'
import { type EventToSend, readFirst, streamEventText, toEventText } from './event-stream.ts'

beforeAll(stopSharedApps)

describe('the text of a stream', () => {
  const describeError = async (error: unknown) => ({ message: (error as Error).message })
  async function* yieldEvents(...events: EventToSend[]) {
    yield* events
  }
  const toText = (
    events: AsyncGenerator<EventToSend>,
    { signal = new AbortController().signal, next = events.next(), onStalled = () => {} } = {},
  ) => streamEventText(events, { next, signal, describe: describeError, onStalled })

  it('has the name, the id and the data of each event on separate lines', async () => {
    const stream = toText(
      yieldEvents({ event: 'a', data: { text: 'one\ntwo\r"ñ"' }, id: '7' }, { event: 'b', data: null }),
    )
    expect(await Array.fromAsync(stream)).toEqual([
      'retry: 2000\n\n',
      'event: a\nid: 7\ndata: {"text":"one\\ntwo\\r\\"ñ\\""}\n\n',
      'event: b\ndata: null\n\n',
    ])
  })

  it('ends with an error event if the iterable throws', async () => {
    const stream = toText(
      (async function* () {
        yield { event: 'a', data: 1 }
        throw new Error('no more')
      })(),
    )
    expect((await Array.fromAsync(stream)).slice(1)).toEqual([
      'event: a\ndata: 1\n\n',
      toEventText({ event: 'error', data: { message: 'no more' } }),
    ])
  })

  it('sends a heartbeat every 15 s while there are no events, and loses no event', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { promise, resolve } = Promise.withResolvers<EventToSend>()
    const stream = toText(
      (async function* () {
        yield await promise
      })(),
    )
    await stream.next()
    for (let i = 0; i < 3; i++) {
      const onText = vi.fn()
      const next = stream.next().then(onText)
      await vi.advanceTimersByTimeAsync(14_999)
      expect(onText).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      await next
      expect(onText).toHaveBeenCalledWith({ done: false, value: ':\n\n' })
    }
    resolve({ event: 'a', data: 1 })
    expect(await stream.next()).toEqual({ done: false, value: 'event: a\ndata: 1\n\n' })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports a client that reads nothing for a minute', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const onStalled = vi.fn()
    const events = yieldEvents({ event: 'a', data: 1 }, { event: 'b', data: 2 })
    const stream = toText(events, { onStalled })
    for (let i = 0; i < 2; i++) {
      await stream.next()
      await vi.advanceTimersByTimeAsync(59_999)
    }
    expect(onStalled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(onStalled).toHaveBeenCalledTimes(1)
    await stream.return(undefined)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends at once when the client disconnects, even if the iterable does not', async () => {
    const disconnected = new AbortController()
    const hanging = yieldEvents({ event: 'a', data: 1 })
    const stream = toText(hanging, { signal: disconnected.signal, next: new Promise(() => {}) })
    await stream.next()
    const end = stream.next()
    disconnected.abort()
    expect(await end).toEqual({ done: true, value: undefined })
    expect(await hanging.next()).toEqual({ done: true, value: undefined })
  })

  it('is not waited for after the signal is aborted', async () => {
    const reason = new Error('stopping')
    const never: AsyncIterator<EventToSend> = { next: () => new Promise(() => {}) }
    await expect(readFirst(never, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

const Count = strictObject({ n: Type.Integer() }, { title: 'Count' })
type TestEvent = StreamedEvent<{ counted: typeof Count }>
type Open = (input: { signal: AbortSignal; lastEventId: string | null }) => AsyncIterable<TestEvent>

/** The events of the route in the current test. */
let open: Open
const counting = eventStreamRoute({
  path: '/counts/{id}/events',
  operation: 'followCount',
  tag: 'Test',
  summary: 'Follow a count',
  scope: 'leads:read',
  params: Type.Object({ id: Type.Integer() }),
  events: { counted: { description: 'One more.', data: Count, example: { n: 1 } } },
  open: input => open(input),
})

let app: TestApp
let server: FastifyInstance
let url: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  const served = await serveRoutes(app, [counting], {
    inspectReply: (_route, _status, body) => {
      if (!body.startsWith('{"n":')) throw new Error('the event does not have its shape')
    },
  })
  server = served.server
  url = `${served.url}/counts`
  return () => server.close()
})

const follow = (path = '/1/events', headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url + path, { method, headers: { 'x-api-key': app.workspace.testKey, ...headers } })

const waitUntilAborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))

/** Counts to `n` and then waits for its signal. */
function countAndWait(n: number) {
  const ended = Promise.withResolvers<AbortSignal>()
  open = async function* ({ signal }) {
    for (let i = 1; i <= n; i++) yield { event: 'counted', data: { n: i } }
    await waitUntilAborted(signal)
    ended.resolve(signal)
  }
  return ended.promise
}

describe('a stream', () => {
  it('sends the events of its iterable and ends with it, without caching or proxy buffering', async () => {
    open = async function* ({ lastEventId }) {
      for (const n of [1, 2]) yield { event: 'counted', data: { n }, id: `${lastEventId}.${n}` }
    }
    const reply = await follow('/1/events', { 'last-event-id': '5' })
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      ratelimit: expect.any(String),
    })
    expect(await reply.text()).toBe(
      'retry: 2000\n\nevent: counted\nid: 5.1\ndata: {"n":1}\n\nevent: counted\nid: 5.2\ndata: {"n":2}\n\n',
    )
  })

  it('is refused like any route before its first byte: key, scope, input, and errors of its iterable', async () => {
    open = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(notFound('count')) }) })
    const otherKey = await makeKey(app.database, { workspace: app.workspace.slug, scopes: ['webhooks:read'] })
    const refusals = [
      await follow('/1/events', { 'x-api-key': 'nonsense' }),
      await follow('/1/events', { 'x-api-key': otherKey }),
      await follow('/x/events'),
      await follow('/1/events?colour=red'),
      await follow('/1/events'),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([401, 403, 400, 400, 404])
    for (const refusal of refusals)
      expect(await refusal.json()).toMatchObject({ statusCode: refusal.status, code: expect.any(String) })
  })

  it('is not opened for a key that was just revoked', async () => {
    open = vi.fn<Open>(() => {
      throw new Error('opened')
    })
    const key = await makeKey(app.database, { workspace: app.workspace.slug })
    expect((await follow('/x/events', { 'x-api-key': key })).status).toBe(400)
    const revoking = app.database.owner.updateTable('api_keys').set({ revoked_at: new Date() })
    await revoking.where('last4', '=', key.slice(-4)).execute()
    expect((await follow('/1/events', { 'x-api-key': key })).status).toBe(401)
    expect(open).not.toHaveBeenCalled()
  })

  it('reports a later problem as an error event, without its cause', async () => {
    open = async function* () {
      yield { event: 'counted', data: { n: 1 } }
      throw new Error('the password is hunter2')
    }
    const reply = await follow()
    const [, , error] = (await reply.text()).split('\n\n')
    const [name, data] = error!.split('\n')
    expect(name).toBe('event: error')
    expect(JSON.parse(data!.slice('data: '.length))).toEqual({
      statusCode: 500,
      code: 'INTERNAL',
      message: expect.not.stringContaining('hunter2'),
      requestId: reply.headers.get('x-request-id'),
    })
  })

  it('passes every event to inspectReply', async () => {
    open = async function* () {
      yield { event: 'counted', data: { n: 1 } }
      yield { event: 'counted', data: {} as { n: number } }
    }
    expect(await (await follow()).text()).toContain('event: error\ndata: {"statusCode":500')
  })

  it('answers HEAD with headers only', async () => {
    const ended = vi.fn()
    open = async function* () {
      try {
        yield { event: 'counted', data: { n: 1 } }
      } finally {
        ended()
      }
    }
    const reply = await follow('/1/events', {}, 'HEAD')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(ended).toHaveBeenCalled()
  })

  it('aborts its signal when the client disconnects', async () => {
    const ended = countAndWait(1)
    const request = get(`${url}/1/events`, { headers: { 'x-api-key': app.workspace.testKey } })
    request.on('response', reply => reply.once('data', () => request.destroy()))
    request.on('error', () => {})
    expect((await ended).aborted).toBe(true)
  })

  it('ends without an error, and at once, when the server stops', async () => {
    const ended = countAndWait(2)
    const reply = await follow()
    const startedMs = performance.now()
    await Promise.all([server.close(), ended])
    expect(performance.now() - startedMs).toBeLessThan(30_000)
    const text = await reply.text()
    expect(text).toContain('data: {"n":2}')
    expect(text).not.toContain('error')
  })

  it('without a first event is a 503 when the server stops', async () => {
    const opened = Promise.withResolvers<void>()
    open = async function* () {
      opened.resolve()
      await new Promise(() => {})
    }
    const replied = follow()
    await opened.promise
    await server.close()
    expect((await replied).status).toBe(503)
  })
})

it('is in the OpenAPI document with its events', () => {
  const features = [{ name: 'counts', routes: [counting], jobs: [], events: [] }]
  const document: OpenApiDocument = openApiDocument(features, { publicUrl: '', basePaths: [''] })
  const paths = document.paths as Record<string, { get: { responses: Record<string, unknown> } }>
  expect(paths['/public/v1/counts/{id}/events']!.get.responses['200']).toMatchObject({
    content: {
      'text/event-stream': {
        schema: { type: 'string', description: expect.stringContaining('- `counted`: One more.') },
        example: expect.stringMatching(
          /^event: counted\ndata: \{"n":1\}\n\nevent: error\ndata: \{"statusCode":500/,
        ),
        'x-itemSchema': {
          oneOf: [
            { properties: { event: { const: 'counted' }, data: { $ref: '#/components/schemas/Count' } } },
            { properties: { event: { const: 'error' }, data: { $ref: '#/components/schemas/Problem' } } },
          ],
        },
      },
    },
  })
})
