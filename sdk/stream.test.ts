/** Event streams: read to their end over as many connections as it takes. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startExtraction } from '../test/extraction.ts'
import { startTestApp, type TestApp } from '../test/harness.ts'
import { makeTenant } from '../test/tenant.ts'
import { type Client, createClient } from './index.ts'
import { hangUp, problem, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
const params = { id }

describe('a stream', () => {
  let server: ScriptedServer
  let client: Client
  beforeEach(async () => {
    server = await startScriptedServer()
    client = createClient({ baseUrl: server.address, apiKey: 'svc_test_key', retriesMax: 2 })
    return () => server.close()
  })

  const head = { 'content-type': 'text/event-stream' }
  /** Sends these lines; a stream that `breaks` ends without its last event. */
  const stream =
    (text: string, breaks: 'breaks' | 'ends' = 'ends') =>
    (response: ServerResponse) => {
      response.writeHead(200, head)
      response.write(text)
      if (breaks === 'breaks') setTimeout(() => response.destroy(), 20)
      else response.end()
    }
  const read = async () => {
    const requests: unknown[] = []
    try {
      for await (const { event, data } of client.stream('watchExtraction', { params }))
        requests.push([event, data])
    } catch (error) {
      requests.push((error as { code: string }).code)
    }
    return requests
  }

  test('brings its events until the last, whatever follows', async () => {
    server.replies = [
      stream(
        'retry: 2000\n\nevent: progress\ndata: {"n":1}\n\n:\n\nevent: end\ndata: {"n":2}\n\nevent: progress\ndata: {"n":3}\n\n',
      ),
    ]
    expect(await read()).toEqual([
      ['progress', { n: 1 }],
      ['end', { n: 2 }],
    ])
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]!.headers).toMatchObject({
      accept: 'text/event-stream',
      'x-api-key': 'svc_test_key',
    })
  })

  test('that breaks off is opened again behind what was read, however it broke', async () => {
    server.replies = [
      stream('event: progress\nid: 7\ndata: {"n":1}\n\nevent: progress\nid: 8\nda', 'breaks'),
      hangUp,
      stream('event: progress\nid: 8\ndata: {"n":2}\n\n'),
      stream('event: end\ndata: {"n":3}\n\n'),
    ]
    expect(await read()).toEqual([
      ['progress', { n: 1 }],
      ['progress', { n: 2 }],
      ['end', { n: 3 }],
    ])
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7', '7', '8'])
  })

  test('that is refused, or ends with an error, throws it', async () => {
    server.replies = [problem(404, 'NOT_FOUND')]
    expect(await read()).toEqual(['NOT_FOUND'])
    const refusal = { statusCode: 401, code: 'UNAUTHENTICATED', message: 'Revoked.', requestId: 'r' }
    server.replies = [
      stream(`event: progress\ndata: {}\n\nevent: error\ndata: ${JSON.stringify(refusal)}\n\n`),
    ]
    expect(await read()).toEqual([['progress', {}], 'UNAUTHENTICATED'])
  })

  test('is given up when it can not be opened any more', async () => {
    server.replies = [stream('event: progress\ndata: {}\n\n', 'breaks'), hangUp]
    expect(await read()).toEqual([['progress', {}], 'CONNECTION_FAILED'])
  })
})

describe('of the API', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.stop())

  test('shows an extraction until it has ended', async () => {
    const tenant = await makeTenant(app)
    const { extractionId } = await startExtraction(
      tenant,
      { operation: 'sale', propertyType: 'homes', city: 'barcelona' },
      { maxResults: 30 },
    )
    const client = createClient({ baseUrl: app.url, apiKey: tenant.key })
    const requests: string[] = []
    for await (const { event, data } of client.stream('watchExtraction', { params: { id: extractionId } }))
      requests.push(`${event} ${data.status}`)
    expect(requests.at(-1)).toBe('end COMPLETED')
  })
})
