/** The client: calls, idempotency keys, lists, and waiting for an extraction. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type AldabaError, type Client, createClient } from './index.ts'
import {
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
  return () => server.close()
})

const body = { platform: 'portal_a', filters: { operation: 'sale' } } as const
const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
const getError = async (promise: Promise<unknown>): Promise<AldabaError> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    error => error,
  )

describe('a call', () => {
  test('sends the key and its body as JSON, and returns the reply', async () => {
    server.replies = [reply(202, { extractionId: id })]
    expect(await client.call('startExtraction', { body })).toEqual({ extractionId: id })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/public/v1/extractions',
      body: JSON.stringify(body),
    })
    expect(server.requests[0]!.headers).toMatchObject({
      'x-api-key': 'svc_test_key',
      'content-type': 'application/json',
    })
  })

  test.each(['/v2', '/v2/', '/behind/a/proxy'])('uses the base path %s', async path => {
    server.replies = [reply(200)]
    await createClient({ baseUrl: server.address + path, apiKey: 'k' }).call('getMe')
    expect(server.requests[0]!.url).toBe(`${path.replace(/\/$/, '')}/public/v1/me`)
  })

  test('an invalid base URL throws at once', () => {
    expect(() => createClient({ baseUrl: 'aldaba.example', apiKey: 'k' })).toThrow(TypeError)
  })

  test('escapes path parameters', async () => {
    server.replies = [reply(200)]
    await client.call('getExtraction', { params: { id: 'a/b?c' } })
    expect(server.requests[0]!.url).toBe('/public/v1/extractions/a%2Fb%3Fc')
  })

  test.each(['', '.', '..'])('is not sent with the id %j, which would change the path', async id => {
    await expect(client.call('deleteSubscription', { params: { id } })).rejects.toThrow(TypeError)
    expect(server.requests).toEqual([])
  })

  test('omits undefined values, as callers in JavaScript may pass them', async () => {
    server.replies = [reply(200, { data: [], nextCursor: null })]
    await client.call('listLeads', { query: { q: undefined, limit: 5 } as never })
    expect(server.requests[0]!.url).toBe('/public/v1/leads?limit=5')
  })

  test('a reply without content is undefined', async () => {
    server.replies = [response => response.writeHead(204).end()]
    expect(await client.call('deleteSubscription', { params: { id } })).toBeUndefined()
  })

  test('is typed by its operation (checked by the compiler)', () => {
    const never = () => {
      // @ts-expect-error params are missing
      client.call('getExtraction')
      // @ts-expect-error there is no such operation
      client.call('getEverything')
      // @ts-expect-error a GET takes no idempotency key
      client.call('getMe', { idempotencyKey: 'k' })
      // @ts-expect-error this operation has no ETag
      client.call('revokeValuationShare', { params: { id }, ifMatch: '"1"' })
      // @ts-expect-error not a list
      client.list('getMe')
      // @ts-expect-error not a filter of leads
      client.leads({ colour: 'red' })
    }
    expect(never).toBeTypeOf('function')
  })
})

describe('an idempotency key', () => {
  test("is new for each call, or the caller's, and only sent with POST", async () => {
    server.replies = [reply(200)]
    await client.call('startExtraction', { body })
    await client.call('startExtraction', { body })
    await client.call('startExtraction', { body, idempotencyKey: 'order-66' })
    await client.call('getMe')
    const [first, second, given, none] = server.requests.map(request => request.headers['idempotency-key'])
    expect(first).not.toBe(second)
    expect(given).toBe('order-66')
    expect(none).toBeUndefined()
  })
})

test('the ETag of a reply can be read, and required for a change', async () => {
  server.replies = [reply(200, {}, { etag: '"7"' }), reply(200, {}, { etag: '"8"' })]
  const tags: (string | null)[] = []
  const onHeaders = (headers: Headers) => void tags.push(headers.get('etag'))
  await client.call('getValuation', { params: { id }, onHeaders })
  await client.call('updateValuation', { params: { id }, body: { name: 'x' }, ifMatch: tags[0]!, onHeaders })
  await client.call('deleteValuation', { params: { id } })
  expect(tags).toEqual(['"7"', '"8"'])
  expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"7"', undefined])
})

describe('a list', () => {
  const pages = [
    reply(200, { data: [{ id: 1 }, { id: 2 }], nextCursor: 'c 2' }),
    reply(200, { data: [], nextCursor: 'c 3' }),
    reply(200, { data: [{ id: 3 }], nextCursor: null }),
  ]

  test('is read item by item over its pages, with its filters on each page', async () => {
    server.replies = [...pages]
    const ids: unknown[] = []
    for await (const lead of client.leads({ hasPhone: true, q: 'àtic & terrassa', limit: 2 }))
      ids.push(lead.id)
    expect(ids).toEqual([1, 2, 3])
    const queries = server.requests.map(({ url }) =>
      Object.fromEntries(new URL(url, server.address).searchParams),
    )
    const filters = { hasPhone: 'true', q: 'àtic & terrassa', limit: '2' }
    expect(queries).toEqual([filters, { ...filters, cursor: 'c 2' }, { ...filters, cursor: 'c 3' }])
  })

  test('is read page by page', async () => {
    server.replies = [...pages]
    const sizes: number[] = []
    for await (const page of client.list('listSubscriptions').pages()) sizes.push(page.data.length)
    expect(sizes).toEqual([2, 0, 1])
  })

  test('requests no more pages after the loop is left', async () => {
    server.replies = [...pages]
    for await (const _lead of client.leads()) break
    expect(server.requests).toHaveLength(1)
  })

  test('starts at a given cursor, and from the beginning in each loop', async () => {
    server.replies = [reply(200, { data: [], nextCursor: null })]
    const leads = client.leads({ cursor: 'kept' })
    for (let loop = 0; loop < 2; loop++) for await (const _lead of leads);
    expect(server.requests.map(({ url }) => url)).toEqual(Array(2).fill('/public/v1/leads?cursor=kept'))
  })

  test('throws an error of a page in the loop', async () => {
    server.replies = [pages[0]!, problem(400, 'INVALID_CURSOR')]
    const ids: unknown[] = []
    const reading = (async () => {
      for await (const lead of client.leads()) ids.push(lead.id)
    })()
    expect(await getError(reading)).toMatchObject({ code: 'INVALID_CURSOR' })
    expect(ids).toEqual([1, 2])
  })
})

describe('waiting for an extraction', () => {
  const state = (status: string) => reply(200, { extractionId: id, status })

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('ends at %s and reports each state', async last => {
    server.replies = [state('QUEUED'), state('RUNNING'), state('RUNNING'), state(last)]
    const states: string[] = []
    const onProgress = ({ status }: { status: string }) => void states.push(status)
    expect(await client.waitForExtraction(id, { onProgress, pollMs: 1 })).toMatchObject({ status: last })
    expect(states).toEqual(['QUEUED', 'RUNNING', 'RUNNING', last])
    expect(server.requests[0]!.url).toBe(`/public/v1/extractions/${id}`)
  })

  test('requests the current state, then long polls until the end', async () => {
    const held = Promise.withResolvers<void>()
    const whenDone: ScriptedReply = response => void held.promise.then(() => state('COMPLETED')(response))
    server.replies = [state('RUNNING'), whenDone]
    const waiting = client.waitForExtraction(id)
    await expect.poll(() => server.requests.length).toBe(2)
    held.resolve()
    expect(await waiting).toMatchObject({ status: 'COMPLETED' })
    const path = `/public/v1/extractions/${id}`
    expect(server.requests.map(({ url }) => url)).toEqual([path, `${path}?waitSeconds=10`])
  })

  test('polls at the given interval instead, if requested', async () => {
    server.replies = [state('RUNNING'), state('RUNNING'), state('COMPLETED')]
    await client.waitForExtraction(id, { pollMs: 20 })
    const [first, second, third] = server.requests
    const path = `/public/v1/extractions/${id}`
    expect(server.requests.map(({ url }) => url)).toEqual([path, path, path])
    expect(third!.atMs - second!.atMs).toBeGreaterThan(15)
    expect(second!.atMs - first!.atMs).toBeGreaterThan(15)
  })

  test('pauses if the server returns before the end', async () => {
    server.replies = [state('RUNNING'), state('RUNNING'), state('COMPLETED')]
    await client.waitForExtraction(id)
    const [, second, third] = server.requests
    expect(third!.atMs - second!.atMs).toBeGreaterThan(900)
  })

  test('gives long polls more time than other calls', async () => {
    const shortTimeoutClient = createClient({
      baseUrl: server.address,
      apiKey: 'k',
      timeoutMs: 100,
      retriesMax: 0,
    })
    const slow: ScriptedReply = response => void setTimeout(() => state('COMPLETED')(response), 300)
    server.replies = [state('RUNNING'), slow]
    expect(await shortTimeoutClient.waitForExtraction(id)).toMatchObject({ status: 'COMPLETED' })
    server.replies = [slow]
    expect(await getError(shortTimeoutClient.waitForExtraction(id))).toMatchObject({ code: 'TIMEOUT' })
  })

  test('ends with WAIT_TIMEOUT between two requests', async () => {
    server.replies = [state('RUNNING')]
    const waiting = client.waitForExtraction(id, { timeoutMs: 50, pollMs: 5000 })
    expect(await getError(waiting)).toMatchObject({ code: 'WAIT_TIMEOUT' })
    expect(server.requests).toHaveLength(1)
  })

  test('ends with WAIT_TIMEOUT during a request', async () => {
    server.replies = [noReply]
    expect(await getError(client.waitForExtraction(id, { timeoutMs: 50 }))).toMatchObject({
      code: 'WAIT_TIMEOUT',
    })
  })

  test("ends with the reason of the caller's signal", async () => {
    const controller = new AbortController()
    server.replies = [state('RUNNING')]
    const onProgress = () => controller.abort(new Error('enough'))
    const waiting = client.waitForExtraction(id, { onProgress, signal: controller.signal, timeoutMs: 60_000 })
    await expect(waiting).rejects.toThrow('enough')
  })

  test('throws NOT_FOUND if there is no such extraction', async () => {
    server.replies = [problem(404, 'NOT_FOUND')]
    expect(await getError(client.waitForExtraction(id))).toMatchObject({ code: 'NOT_FOUND' })
  })
})
