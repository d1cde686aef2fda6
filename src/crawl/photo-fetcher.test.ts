/** Photos are fetched as politely as pages, from the portal and from other hosts. */
import { afterAll, expect, test } from 'vitest'
import { answerWithStatus, type Handler, servePortals } from '../../test/portal.ts'
import { createHttpClient } from '../kit/http/client.ts'
import { createMetrics } from '../kit/metrics.ts'
import type { PortalDefinition } from '../plugins/portal.ts'
import { createPhotoFetcher } from './photo-fetcher.ts'

const { shared, startPortal } = servePortals()
/** Accepts the hosts of these tests, which are at loopback addresses. */
const loopbackHttp = createHttpClient({ reach: 'public', allowedPrivateRanges: ['127.0.0.0/8'] })
const guardedHttp = createHttpClient({ reach: 'public' })
afterAll(() => Promise.all([loopbackHttp.close(), guardedHttp.close()]))

interface Options {
  isLocal?: boolean
  politeness?: PortalDefinition['politeness']
  http?: typeof guardedHttp
}

function createFetcher(
  baseUrl: string,
  {
    isLocal = true,
    politeness = { requestsPerSecond: 1000, concurrency: 8 },
    http = loopbackHttp,
  }: Options = {},
) {
  const definition = { id: 'portal', politeness } as Partial<PortalDefinition> as PortalDefinition
  const fetchPhoto = createPhotoFetcher({
    portal: { definition, baseUrl, isLocal, credentials: null },
    tenantId: 'tenant',
    ...shared,
    guardedHttp: http,
    metrics: createMetrics(async () => 0),
    contactUrl: 'https://agency.example',
    signal: new AbortController().signal,
  })
  /** The bodies of all, or the messages of their errors. */
  return (...urls: string[]) =>
    Promise.all(
      urls.map(url =>
        fetchPhoto(url).then(
          bytes => bytes.toString(),
          (error: Error) => error.message,
        ),
      ),
    )
}

const redirectTo = (location: string) => answerWithStatus(302, { location })
const disallowPrivate = 'User-agent: *\nDisallow: /private/'

test('the portal and each other host decide with their robots.txt; requests name the program', async () => {
  const portal = await startPortal(disallowPrivate)
  const other = await startPortal('User-agent: AldabaBot\nDisallow: /\nAllow: /open/')
  const fetchAll = createFetcher(portal.baseUrl)
  const results = await fetchAll(
    `${portal.baseUrl}/1.jpg`,
    `${portal.baseUrl}/private/2.jpg`,
    `${other.baseUrl}/open/3.jpg?w=1`,
    `${other.baseUrl}/4.jpg`,
  )
  expect(results).toEqual([
    'ok',
    expect.stringMatching(/disallowed$/),
    'ok',
    expect.stringMatching(/disallowed$/),
  ])
  expect(portal.requests.map(({ path }) => path)).toEqual(['/1.jpg'])
  expect(other.requests.map(({ path }) => path)).toEqual(['/open/3.jpg?w=1'])
  expect([portal.robotsRequests(), other.robotsRequests()]).toEqual([1, 1])
  expect(other.requests[0]!.headers['user-agent']).toBe('AldabaBot/1.0 (+https://agency.example)')
})

test("photos of the portal wait for the portal's rate limiter, those of another host for one of its own", async () => {
  const portal = await startPortal()
  const other = await startPortal()
  const politeness = { requestsPerSecond: 5, concurrency: 1 }
  const fetchAll = createFetcher(portal.baseUrl, { isLocal: false, politeness })
  const urlsOf = (origin: string) => Array.from({ length: 4 }, (_, at) => `${origin}/${at}.jpg`)
  await fetchAll(...urlsOf(portal.baseUrl), ...urlsOf(other.baseUrl))
  // Timers may fire a little early.
  for (const [{ requests }, intervalMs] of [
    [portal, 195],
    [other, 245],
  ] as const)
    for (const [index, { atMs }] of requests.entries())
      if (index > 0) expect(atMs - requests[index - 1]!.atMs).toBeGreaterThan(intervalMs - 60)
})

test('a redirect is followed to another host, if its robots.txt allows it', async () => {
  const other = await startPortal(disallowPrivate)
  const portal = await startPortal(null, (request, response) =>
    redirectTo(request.path === '/1.jpg' ? `${other.baseUrl}/1.jpg` : `${other.baseUrl}/private/2.jpg`)(
      request,
      response,
    ),
  )
  const fetchAll = createFetcher(portal.baseUrl)
  expect(await fetchAll(`${portal.baseUrl}/1.jpg`, `${portal.baseUrl}/2.jpg`)).toEqual([
    'ok',
    expect.stringMatching(/disallowed$/),
  ])
  expect(other.requests.map(({ path }) => path)).toEqual(['/1.jpg'])
})

test('three redirects are followed, but not four', async () => {
  const follow: Handler = ({ path }, response) => {
    const left = Number(path.slice(1))
    if (left === 0) response.end('ok')
    else response.writeHead(301, { location: `/${left - 1}` }).end()
  }
  const { baseUrl } = await startPortal(null, follow)
  expect(await createFetcher(baseUrl)(`${baseUrl}/3`)).toEqual(['ok'])
  expect(await createFetcher(baseUrl)(`${baseUrl}/4`)).toEqual([expect.stringContaining('more than 3 times')])
})

test("no address inside the deployment's network is requested, and no other scheme", async () => {
  const inside = await startPortal()
  const { baseUrl } = await startPortal(null, redirectTo(`${inside.baseUrl}/secret.jpg`))
  const fetchAll = createFetcher(baseUrl, { http: guardedHttp })
  const { port } = new URL(inside.baseUrl)
  const results = await fetchAll(
    `${baseUrl}/1.jpg`,
    `http://localhost:${port}/1.jpg`,
    'data:image/png;base64,AAAA',
    'not a URL',
    '//no-host/1.jpg',
  )
  for (const result of results) expect(result).not.toBe('ok')
  expect([inside.requests.length, inside.robotsRequests()]).toEqual([0, 0])
})

test('a host that fails three times in a row is left alone', async () => {
  const broken = await startPortal(null, answerWithStatus(403))
  const fetchAll = createFetcher(broken.baseUrl)
  for (let at = 0; at < 6; at++) await fetchAll(`${broken.baseUrl}/${at}.jpg`)
  expect(broken.requests).toHaveLength(3)
})

test('a photo that fails for a moment is requested again once', async () => {
  const { baseUrl, requests } = await startPortal(null, answerWithStatus(503))
  expect(await createFetcher(baseUrl)(`${baseUrl}/1.jpg`)).toEqual([expect.stringContaining('503')])
  expect(requests).toHaveLength(2)
})

test('photos at more than eight hosts are left out', async () => {
  const { baseUrl } = await startPortal()
  const fetchAll = createFetcher(baseUrl, { http: guardedHttp })
  const results = await fetchAll(
    ...Array.from({ length: 9 }, (_, at) => `http://127.0.0.1:${2000 + at}/1.jpg`),
  )
  expect(results.filter(message => message.includes('more than 8 hosts'))).toHaveLength(1)
})
