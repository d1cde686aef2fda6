/** How a portal is read: robots.txt first, at its pace, under an honest name, patiently and not for ever. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { createHttpClient, type HttpClient } from '../../../kit/http/client.ts'
import { HandBack } from '../../../kit/job.ts'
import { createMetrics } from '../../../kit/metrics.ts'
import { portalA } from '../../../plugins/portals/portal-a.ts'
import { type Simulator, startSimulator } from '../../../simulator/index.ts'
import { openPortalClient } from './portal-client.ts'

let app: TestApp
let simulator: Simulator
let http: HttpClient
const servers: Server[] = []
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  simulator = await startSimulator()
  const patient = createHttpClient({ reach: 'any' })
  // What takes the product twenty seconds takes a test a fraction of one.
  http = { ...patient, fetch: (url, request) => patient.fetch(url, { ...request, timeoutMs: 500 }) }
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await http.close()
  await simulator.close()
  await app.stop()
})

interface Asked {
  path: string
  headers: IncomingMessage['headers']
  atMs: number
}

type Handler = (asked: Asked, response: ServerResponse) => void

/** A portal of a test's own; `robots` null: it has none. */
async function portalOf(
  robots: string | null | number,
  handler: Handler = (_asked, response) => response.end('ok'),
) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const one = { path: request.url!, headers: request.headers, atMs: performance.now() }
    if (one.path !== '/robots.txt') {
      asked.push(one)
      return handler(one, response)
    }
    response
      .writeHead(typeof robots === 'string' ? 200 : (robots ?? 404))
      .end(robots === null ? '' : String(robots))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  servers.push(server)
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function open(
  baseUrl: string,
  { signal = new AbortController().signal, isLocal = true, requestsPerSecond = 1000 } = {},
) {
  return openPortalClient({
    portal: {
      definition: { ...portalA, politeness: { requestsPerSecond, concurrency: 8 } },
      baseUrl,
      isLocal,
    },
    http,
    database: app.database,
    metrics: createMetrics(async () => 0),
    contactUrl: 'https://agency.example',
    signal,
  })
}

describe('robots.txt', () => {
  test('is kept to, by the name under which we ask', async () => {
    const robots =
      'User-agent: *\nDisallow:\n\nUser-agent: AldabaBot\nDisallow: /private/\nAllow: /private/but-this'
    const { asked, baseUrl } = await portalOf(robots)
    const client = await open(baseUrl)
    expect(await client.fetchPage('/private/1')).toEqual({ kind: 'disallowed' })
    expect(await client.fetchPage('/private/but-this')).toMatchObject({ kind: 'page' })
    expect(await client.fetchPage('/public')).toMatchObject({
      kind: 'page',
      html: 'ok',
      url: `${baseUrl}/public`,
    })
    expect(asked.map(({ path }) => path)).toEqual(['/private/but-this', '/public'])
    expect(asked[0]!.headers['user-agent']).toBe('AldabaBot/1.0 (+https://agency.example)')
  })

  test.each([404, 403, 410])('that is not there (%i) allows everything', async status => {
    const { baseUrl } = await portalOf(status)
    expect(await (await open(baseUrl)).fetchPage('/private/')).toMatchObject({ kind: 'page' })
  })
})

describe('a page', () => {
  test.each([404, 410])('that is answered with %i is gone', async status => {
    const { baseUrl } = await portalOf('', (_asked, response) => response.writeHead(status).end())
    expect(await (await open(baseUrl)).fetchPage('/')).toEqual({ kind: 'gone' })
  })

  test('is read in the letters that it says it is written in', async () => {
    const { baseUrl } = await portalOf('', ({ path }, response) => {
      const charset = path === '/latin' ? 'ISO-8859-1' : 'no-such-charset'
      const bytes = path === '/latin' ? Buffer.from('Córdoba', 'latin1') : Buffer.from('Córdoba')
      response.writeHead(200, { 'content-type': `text/html; charset=${charset}` }).end(bytes)
    })
    const client = await open(baseUrl)
    expect(await client.fetchPage('/latin')).toMatchObject({ html: 'Córdoba' })
    expect(await client.fetchPage('/odd')).toMatchObject({ html: 'Córdoba' })
  })

  test('that redirects is not followed', async () => {
    const { baseUrl, asked } = await portalOf('', (_asked, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    )
    expect(await (await open(baseUrl)).fetchPage('/')).toEqual({ kind: 'moved', to: '/elsewhere' })
    expect(asked).toHaveLength(1)
  })
})

describe.concurrent('time', { timeout: 30_000 }, () => {
  const detailOf = (place: number) => {
    const advert = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'madrid' })[place]!
    return `/inmueble/${advert.id}/`
  }

  test.for([
    ['hang', 0],
    ['drip', 1],
  ] as const)(
    'a portal that does not come to an end (%s) is a TIMEOUT',
    async ([kind, place], { expect }) => {
      simulator.faults.set({ kind, match: detailOf(place), intervalMs: 20 })
      const client = await open(simulator.portalUrl('portal_a'))
      await expect(client.fetchPage(detailOf(place))).rejects.toMatchObject({ code: 'TIMEOUT' })
      expect(simulator.requests.portal_a.byPath.get(detailOf(place))).toBe(4)
    },
  )

  test('a robots.txt that can not be had for now allows nothing', async ({ expect }) => {
    const { baseUrl, asked } = await portalOf(503)
    await expect(open(baseUrl)).rejects.toMatchObject({ code: 'ROBOTS_DISALLOWED' })
    expect(asked).toEqual([])
  })

  test('a portal that hangs once is asked again', async ({ expect }) => {
    simulator.faults.set({ kind: 'hang', match: detailOf(2), times: 1 })
    const client = await open(simulator.portalUrl('portal_a'))
    expect(await client.fetchPage(detailOf(2))).toMatchObject({ kind: 'page' })
  })

  test('Retry-After is honoured, as seconds and as a date', async ({ expect }) => {
    const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString()
    for (const header of [() => '1', inTwoSeconds]) {
      let notBeforeMs = 0
      let askedAgainMs = 0
      const { baseUrl, asked } = await portalOf('', (_asked, response) => {
        if (asked.length > 1) {
          askedAgainMs = Date.now()
          return response.end('ok')
        }
        const retryAfter = header()
        notBeforeMs = Date.parse(retryAfter) > 1e12 ? Date.parse(retryAfter) : Date.now() + 1000
        return response.writeHead(429, { 'retry-after': retryAfter }).end()
      })
      await (await open(baseUrl)).fetchPage('/')
      // Timers may fire a millisecond early.
      expect(askedAgainMs).toBeGreaterThan(notBeforeMs - 20)
    }
  })

  test('the process that stops hands back: in a request and in a wait', async ({ expect }) => {
    const hung = await portalOf('', (_asked, _response) => stopping[0]!.abort())
    const failing = await portalOf('', (_asked, response) => {
      response.writeHead(503, { 'retry-after': '30' }).end(() => setImmediate(() => stopping[1]!.abort()))
    })
    const stopping = [new AbortController(), new AbortController()]
    for (const [at, { baseUrl, asked }] of [hung, failing].entries()) {
      const client = await open(baseUrl, { signal: stopping[at]!.signal })
      await expect(client.fetchPage('/')).rejects.toBeInstanceOf(HandBack)
      await expect(client.fetchPage('/')).rejects.toBeInstanceOf(HandBack)
      expect(asked).toHaveLength(1)
    }
  })
})

describe('the pace', () => {
  test('is kept by all who read a portal together', async () => {
    const { baseUrl, asked } = await portalOf('')
    const clients = await Promise.all(
      [1, 2, 3].map(() => open(baseUrl, { isLocal: false, requestsPerSecond: 10 })),
    )
    await Promise.all(clients.flatMap(client => ['/1', '/2', '/3'].map(path => client.fetchPage(path))))
    expect(asked).toHaveLength(9)
    expect(asked.at(-1)!.atMs - asked[0]!.atMs).toBeGreaterThan(8 * 100 - 50)
  })

  test('is that of robots.txt where it asks for a slower one', async () => {
    const { baseUrl, asked } = await portalOf('User-agent: *\nCrawl-delay: 0.4')
    const client = await open(baseUrl, { isLocal: false })
    await Promise.all(['/1', '/2', '/3'].map(path => client.fetchPage(path)))
    expect(asked.at(-1)!.atMs - asked[0]!.atMs).toBeGreaterThan(750)
  })

  test('rests for everybody when the portal asks one of them for rest', async () => {
    const { baseUrl, asked } = await portalOf('', ({ path }, response) =>
      path === '/first' && asked.length === 1
        ? response.writeHead(429, { 'retry-after': '1' }).end()
        : response.end('ok'),
    )
    const [one, other] = [await open(baseUrl, { isLocal: false }), await open(baseUrl, { isLocal: false })]
    const first = one.fetchPage('/first')
    const { rows } = await waitForRest(baseUrl)
    expect(rows).toHaveLength(1)
    await Promise.all([first, other.fetchPage('/other')])
    expect(asked.map(({ path }) => path).sort()).toEqual(['/first', '/first', '/other'])
    expect(asked[1]!.atMs - asked[0]!.atMs).toBeGreaterThan(900)
  })

  test('is not kept towards the simulator', async () => {
    const { baseUrl } = await portalOf('User-agent: *\nCrawl-delay: 60')
    const client = await open(baseUrl, { requestsPerSecond: 0.01 })
    await Promise.all(['/1', '/2', '/3'].map(path => client.fetchPage(path)))
  })
})

/** Waits until the portal's row says that nobody may ask for a while. */
function waitForRest(origin: string) {
  const ask = () =>
    app.database.ownerPool.query(
      `select from aldaba.portal_pace where origin = $1 and next_at > clock_timestamp() + interval '300 ms'`,
      [origin],
    )
  return eventually(ask, ({ rowCount }) => rowCount === 1)
}
