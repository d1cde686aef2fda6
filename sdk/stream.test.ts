/** Event streams are read to their end, with reconnects. */
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
  /** Replies with this text; with `breaks` the connection is then closed. */
  const replyWithStream =
    (text: string, breaks: 'breaks' | 'ends' = 'ends') =>
    (response: ServerResponse) => {
      response.writeHead(200, head)
      response.write(text)
      if (breaks === 'breaks') setTimeout(() => response.destroy(), 20)
      else response.end()
    }
  const readAll = async () => {
    const received: unknown[] = []
    try {
      for await (const { event, data } of client.stream('watchExtraction', { params }))
        received.push([event, data])
    } catch (error) {
      received.push((error as { code: string }).code)
    }
    return received
  }

  test('yields its events up to the last one', async () => {
    server.replies = [
      replyWithStream(
        'retry: 2000\n\nevent: progress\ndata: {"n":1}\n\n:\n\nevent: end\ndata: {"n":2}\n\nevent: progress\ndata: {"n":3}\n\n',
      ),
    ]
    expect(await readAll()).toEqual([
      ['progress', { n: 1 }],
      ['end', { n: 2 }],
    ])
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]!.headers).toMatchObject({
      accept: 'text/event-stream',
      'x-api-key': 'svc_test_key',
    })
  })

  test('that breaks off is resumed after the last received event', async () => {
    server.replies = [
      replyWithStream('event: progress\nid: 7\ndata: {"n":1}\n\nevent: progress\nid: 8\nda', 'breaks'),
      hangUp,
      replyWithStream('event: progress\nid: 8\ndata: {"n":2}\n\n'),
      replyWithStream('event: end\ndata: {"n":3}\n\n'),
    ]
    expect(await readAll()).toEqual([
      ['progress', { n: 1 }],
      ['progress', { n: 2 }],
      ['end', { n: 3 }],
    ])
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7', '7', '8'])
  })

  test('that is refused, or ends with an error, throws it', async () => {
    server.replies = [problem(404, 'NOT_FOUND')]
    expect(await readAll()).toEqual(['NOT_FOUND'])
    const refusal = { statusCode: 401, code: 'UNAUTHENTICATED', message: 'Revoked.', requestId: 'r' }
    server.replies = [
      replyWithStream(`event: progress\ndata: {}\n\nevent: error\ndata: ${JSON.stringify(refusal)}\n\n`),
    ]
    expect(await readAll()).toEqual([['progress', {}], 'UNAUTHENTICATED'])
  })

  test('throws if it cannot be reopened', async () => {
    server.replies = [replyWithStream('event: progress\ndata: {}\n\n', 'breaks'), hangUp]
    expect(await readAll()).toEqual([['progress', {}], 'CONNECTION_FAILED'])
  })
})

describe('the stream of an extraction', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.stop())

  test('continues until the extraction has ended', async () => {
    const tenant = await makeTenant(app)
    const { extractionId } = await startExtraction(
      tenant,
      { operation: 'sale', propertyType: 'homes', city: 'barcelona' },
      { maxResults: 30 },
    )
    const client = createClient({ baseUrl: app.url, apiKey: tenant.key })
    const received: string[] = []
    for await (const { event, data } of client.stream('watchExtraction', { params: { id: extractionId } }))
      received.push(`${event} ${data.status}`)
    expect(received.at(-1)).toBe('end COMPLETED')
  })
})
