/** Portals for tests on this machine, and portal clients with shorter timeouts. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { openPortalClient, type PortalClientOptions } from '../src/crawl/portal-client.ts'
import { type Database, openDatabase } from '../src/kit/db/index.ts'
import { createHttpClient, type HttpClient } from '../src/kit/http/client.ts'
import { createMetrics } from '../src/kit/metrics.ts'
import type { PortalDefinition } from '../src/plugins/portal.ts'
import { makeDatabase } from './harness.ts'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  atMs: number
}

export type Handler = (request: ReceivedRequest, response: ServerResponse) => void

export type ClientOptions = Partial<
  Pick<PortalClientOptions, 'signal' | 'isInteractive' | 'deadlineMs' | 'http'>
> & {
  isLocal?: boolean
  /** Default: a definition without parsers. */
  definition?: PortalDefinition
  politeness?: Partial<PortalDefinition['politeness']>
}

/**
 * Call it at the top of a test file: it closes its servers after the last test. `timeoutMs`: for files whose portals do not answer, instead of the
 * timeouts of the product, which are twenty seconds and more.
 */
export function servePortals({ timeoutMs = 20_000 } = {}) {
  const servers: Server[] = []
  const shared = {} as { http: HttpClient; database: Database }
  beforeAll(async () => {
    shared.database = openDatabase(await makeDatabase(), { onError: () => {} })
    const realClient = createHttpClient({ reach: 'any' })
    shared.http = {
      ...realClient,
      fetch: (url, request) => realClient.fetch(url, { ...request, timeoutMs }),
      stream: (url, request) => realClient.stream(url, { ...request, idleTimeoutMs: timeoutMs }),
    }
  })
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await shared.http.close()
    await shared.database.close()
  })

  /** `robots`: the text of robots.txt, its status, or a handler; null: 404. */
  const startPortal = async (
    robots: string | null | number | Handler = null,
    handler: Handler = (_request, response) => response.end('ok'),
  ) => {
    const requests: ReceivedRequest[] = []
    let robotsRequests = 0
    const server = createServer(async (request, response) => {
      const { method, url, headers } = request as IncomingMessage & { method: string; url: string }
      const received = { method, path: url, headers, body: await text(request), atMs: performance.now() }
      if (received.path !== '/robots.txt') {
        requests.push(received)
        return handler(received, response)
      }
      robotsRequests++
      if (typeof robots === 'function') return robots(received, response)
      response
        .writeHead(typeof robots === 'string' ? 200 : (robots ?? 404))
        .end(robots === null ? '' : String(robots))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers.push(server)
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { requests, baseUrl, server, robotsRequests: () => robotsRequests }
  }

  const openClient = (
    baseUrl: string,
    { isLocal = true, politeness = {}, definition: override, ...options }: ClientOptions = {},
  ) => {
    const definition =
      override ??
      ({
        id: 'portal',
        politeness: { requestsPerSecond: 1000, concurrency: 8, ...politeness },
      } as Partial<PortalDefinition> as PortalDefinition)
    return openPortalClient({
      portal: { definition, baseUrl, isLocal, credentials: null },
      tenantId: 'tenant',
      ...shared,
      metrics: createMetrics(async () => 0),
      contactUrl: 'https://agency.example',
      signal: new AbortController().signal,
      ...options,
    })
  }

  /** Starts a portal with this handler, and opens a client for it. Returns both, with the received requests. */
  const startAndOpen = async (handler?: Handler, options?: ClientOptions) => {
    const portal = await startPortal(null, handler)
    return { ...portal, client: await openClient(portal.baseUrl, options) }
  }
  return { shared, startPortal, openClient, startAndOpen }
}

/** Answers with this status and an empty body. */
export const answerWithStatus =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(code, headers).end()

/** Uses the handlers in order, then answers `ok`. */
export function answerInSequence(...handlers: Handler[]): Handler {
  const remaining = [...handlers]
  return (request, response) =>
    (remaining.shift() ?? ((_request, reply) => reply.end('ok')))(request, response)
}
