/** Requests of the client: uploads, errors, retries and timeouts. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AldabaError, type Client, createClient } from './index.ts'
import { send } from './request.ts'
import {
  hangUp,
  noReply,
  problem,
  reply,
  type ScriptedReply,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.ts'

let server: ScriptedServer
let client: Client

beforeEach(async () => {
  server = await startScriptedServer()
  client = createClient({ baseUrl: server.address, apiKey: 'svc_test_key' })
  // Removes the jittered waits between retries.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return () => server.close()
})

const body = { platform: 'portal_a', filters: { operation: 'sale' } } as const
const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
const getError = async (promise: Promise<unknown>): Promise<AldabaError> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    error => error,
  )

test('a file is uploaded with its own type, and with one idempotency key in all attempts', async () => {
  server.replies = [problem(503, 'UNAVAILABLE'), reply(202, { id })]
  const file = new Blob(['Nombre;Teléfono'], { type: 'text/csv' })
  await client.call('importLeads', { query: { dryRun: true }, body: file })
  expect(server.requests).toMatchObject(
    Array(2).fill({
      url: expect.stringMatching(/\/leads\/imports\?dryRun=true$/),
      headers: {
        'content-type': 'text/csv',
        'idempotency-key': server.requests[0]!.headers['idempotency-key'],
      },
      body: 'Nombre;Teléfono',
    }),
  )
})

describe('an error', () => {
  test('has status, code, request id and all invalid values', async () => {
    const errors = [{ path: '/maxResults', code: 'TOO_SMALL', message: 'must be >= 1' }]
    server.replies = [
      reply(
        400,
        { statusCode: 400, code: 'INVALID_INPUT', message: 'One value.', errors },
        { 'x-request-id': 'r-9' },
      ),
    ]
    const error = await getError(client.call('startExtraction', { body }))
    expect(error).toMatchObject({
      name: 'AldabaError',
      status: 400,
      code: 'INVALID_INPUT',
      requestId: 'r-9',
      errors,
    })
    expect(error.message).toBe('One value.')
    expect(server.requests).toHaveLength(1)
  })

  test('of another server is UNEXPECTED_REPLY', async () => {
    server.replies = [reply(404, '<h1>Not Found</h1>')]
    expect(await getError(client.call('getMe'))).toMatchObject({ status: 404, code: 'UNEXPECTED_REPLY' })
    server.replies = [reply(200, '<h1>Welcome</h1>')]
    expect(await getError(client.call('getMe'))).toMatchObject({ status: 200, code: 'UNEXPECTED_REPLY' })
  })

  test('results from a redirect: following it would leak the key', async () => {
    server.replies = [reply(301, '', { location: '/elsewhere' }), reply(200)]
    const error = await getError(client.call('getMe'))
    expect(error).toMatchObject({ status: 301, code: 'UNEXPECTED_REPLY' })
    expect(error.message).toContain('/elsewhere')
    expect(server.requests).toHaveLength(1)
  })
})

describe('a retry', () => {
  const cases: [what: string, first: ScriptedReply][] = [
    ['408', problem(408, 'TIMEOUT')],
    ['429 RATE_LIMITED', problem(429, 'RATE_LIMITED')],
    ['409 IDEMPOTENCY_IN_FLIGHT', problem(409, 'IDEMPOTENCY_IN_FLIGHT')],
    ['500', problem(500, 'INTERNAL')],
    ['502 of a proxy', reply(502, '<h1>Bad Gateway</h1>')],
    ['503', problem(503, 'UNAVAILABLE')],
    ['a broken connection', hangUp],
    ['a truncated reply', response => response.write('{"data"', () => response.destroy())],
  ]
  test.each(cases)('follows %s, with the same idempotency key', async (_what, first) => {
    server.replies = [first, first, reply(202, { extractionId: id })]
    expect(await client.call('startExtraction', { body })).toEqual({ extractionId: id })
    const keys = server.requests.map(request => request.headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  })

  test.each([
    ['400', problem(400, 'INVALID_INPUT')],
    ['401', problem(401, 'UNAUTHENTICATED')],
    ['404', problem(404, 'NOT_FOUND')],
    ['409 INVALID_TRANSITION', problem(409, 'INVALID_TRANSITION')],
    ['429 QUOTA_EXCEEDED', problem(429, 'QUOTA_EXCEEDED', { 'retry-after': '1' })],
    ['a wait of more than a minute', problem(503, 'UNAVAILABLE', { 'retry-after': '61' })],
  ])('does not follow %s', async (_what, answer) => {
    server.replies = [answer]
    await getError(client.call('startExtraction', { body }))
    expect(server.requests).toHaveLength(1)
  })

  test('of a PATCH follows a failed connection', async () => {
    const stopped = await startScriptedServer()
    stopped.close()
    const connection = { baseUrl: stopped.address, apiKey: 'k', retriesMax: 2 }
    const attemptsAtMs: number[] = []
    const { fetch } = globalThis
    vi.spyOn(globalThis, 'fetch').mockImplementation((...input) => {
      attemptsAtMs.push(performance.now())
      return fetch(...input)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(send(connection, { method: 'PATCH', path: '/', body: {} })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    })
    expect(attemptsAtMs).toHaveLength(3)
  })

  test('of a DELETE treats 404 as success if an earlier attempt may have succeeded', async () => {
    server.replies = [hangUp, problem(404, 'NOT_FOUND')]
    const connection = { baseUrl: server.address, apiKey: 'k', retriesMax: 2 }
    expect(await send(connection, { method: 'DELETE', path: '/' })).toBeUndefined()
    server.replies = [problem(404, 'NOT_FOUND')]
    await expect(send(connection, { method: 'DELETE', path: '/' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    server.replies = [problem(503, 'UNAVAILABLE'), problem(404, 'NOT_FOUND')]
    await expect(send(connection, { method: 'DELETE', path: '/' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('of a PATCH follows only errors without an effect', async () => {
    const connection = { baseUrl: server.address, apiKey: 'k', timeoutMs: 5000, retriesMax: 3 }
    const patch = () => send(connection, { method: 'PATCH', path: '/', body: {} })
    for (const answer of [problem(500, 'INTERNAL'), hangUp]) {
      server.replies = [answer]
      server.requests.length = 0
      await getError(patch())
      expect(server.requests).toHaveLength(1)
    }
    server.replies = [problem(503, 'UNAVAILABLE'), problem(429, 'RATE_LIMITED'), reply(200, { ok: true })]
    expect(await patch()).toEqual({ ok: true })
  })

  test.each(['PUT', 'DELETE'])('of a %s with ifMatch follows only errors without an effect', async method => {
    const connection = { baseUrl: server.address, apiKey: 'k', retriesMax: 3 }
    const call = (ifMatch?: string) => send(connection, { method, path: '/', ...(ifMatch && { ifMatch }) })
    for (const answer of [problem(500, 'INTERNAL'), hangUp]) {
      server.replies = [answer, problem(412, 'PRECONDITION_FAILED')]
      server.requests.length = 0
      expect((await getError(call('"1"'))).code).not.toBe('PRECONDITION_FAILED')
      expect(server.requests).toHaveLength(1)
      server.replies = [answer, reply(200, { ok: true })]
      expect(await call()).toEqual({ ok: true })
    }
    server.replies = [problem(503, 'UNAVAILABLE'), problem(429, 'RATE_LIMITED'), reply(200, { ok: true })]
    expect(await call('"1"')).toEqual({ ok: true })
  })

  test('of a POST with ifMatch follows a lost reply, because of its idempotency key', async () => {
    const connection = { baseUrl: server.address, apiKey: 'k', retriesMax: 3 }
    server.replies = [hangUp, reply(200, { ok: true })]
    const post = { method: 'POST', path: '/', idempotencyKey: 'k-1', ifMatch: '"1"' }
    expect(await send(connection, post)).toEqual({ ok: true })
  })

  test('stops after the maximum, and the last error is thrown', async () => {
    server.replies = [problem(503, 'UNAVAILABLE')]
    const persistentClient = createClient({ baseUrl: server.address, apiKey: 'k', retriesMax: 5 })
    expect(await getError(persistentClient.call('getMe'))).toMatchObject({ status: 503, requestId: 'r-1' })
    expect(server.requests).toHaveLength(6)
  })

  test('waits as long as Retry-After states', async () => {
    server.replies = [problem(429, 'RATE_LIMITED', { 'retry-after': '1' }), reply(200)]
    await client.call('getMe')
    // Timers may fire a millisecond early.
    expect(server.requests[1]!.atMs - server.requests[0]!.atMs).toBeGreaterThan(990)
  })

  test('waits longer each time without Retry-After', async () => {
    vi.mocked(Math.random).mockReturnValue(0.1)
    server.replies = [problem(500, 'INTERNAL')]
    await getError(client.call('getMe'))
    const [first = 0, second = 0, third = 0] = server.requests
      .slice(1)
      .map((request, index) => request.atMs - server.requests[index]!.atMs)
    expect(first).toBeGreaterThan(45)
    expect(second).toBeGreaterThan(95)
    expect(third).toBeGreaterThan(195)
  })

  test('accepts a date in Retry-After', async () => {
    server.replies = [
      problem(503, 'UNAVAILABLE', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
    ]
    const { retryAfterMs } = await getError(client.call('getMe'))
    expect(retryAfterMs).toBeGreaterThan(3_500_000)
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000)
  })
})

describe('timeouts', () => {
  test('an attempt without a reply ends, and the next one may succeed', async () => {
    server.replies = [noReply, reply(200, { workspace: {} })]
    expect(await client.call('getMe', { timeoutMs: 50 })).toEqual({ workspace: {} })
  })

  test('a reply that stalls ends with TIMEOUT', async () => {
    server.replies = [response => response.write('{')]
    const impatientClient = createClient({
      baseUrl: server.address,
      apiKey: 'k',
      timeoutMs: 50,
      retriesMax: 1,
    })
    expect(await getError(impatientClient.call('getMe'))).toMatchObject({ code: 'TIMEOUT', status: null })
    expect(server.requests).toHaveLength(2)
  })

  test('an unreachable server is CONNECTION_FAILED', async () => {
    const unreachable = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', retriesMax: 1 })
    expect(await getError(unreachable.call('getMe'))).toMatchObject({
      code: 'CONNECTION_FAILED',
      status: null,
    })
  })

  test("the caller's signal aborts a call with its reason", async () => {
    const controller = new AbortController()
    server.replies = [() => controller.abort(new Error('enough'))]
    await expect(client.call('getMe', { signal: controller.signal })).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(1)
  })

  test("the caller's signal aborts a call also without retries", async () => {
    const controller = new AbortController()
    server.replies = [() => controller.abort(new Error('enough'))]
    const clientWithoutRetries = createClient({ baseUrl: server.address, apiKey: 'k', retriesMax: 0 })
    await expect(clientWithoutRetries.call('getMe', { signal: controller.signal })).rejects.toThrow('enough')
  })

  test("the caller's signal aborts the wait for a retry", async () => {
    const controller = new AbortController()
    server.replies = [
      response => {
        problem(503, 'UNAVAILABLE', { 'retry-after': '60' })(response)
        response.on('close', () => setImmediate(() => controller.abort(new Error('enough'))))
      },
    ]
    await expect(client.call('getMe', { signal: controller.signal })).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(1)
  })
})
