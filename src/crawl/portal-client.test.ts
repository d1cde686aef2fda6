/** The portal client obeys robots.txt, throttles requests, and identifies itself. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/harness.ts'
import { answerWithStatus, servePortals } from '../../test/portal.ts'
import { RequeueJob } from '../kit/jobs/job.ts'

const { shared, startPortal, openClient, startAndOpen } = servePortals()
const openRemote: typeof openClient = (baseUrl, more) => openClient(baseUrl, { isLocal: false, ...more })

describe('robots.txt', () => {
  test('is obeyed for our user agent', async () => {
    const robots =
      'User-agent: *\nDisallow:\n\nUser-agent: AldabaBot\nDisallow: /private/\nAllow: /private/but-this'
    const { requests, baseUrl } = await startPortal(robots)
    const client = await openClient(baseUrl)
    expect(await client.fetchPage({ path: '/private/1' })).toEqual({ kind: 'disallowed' })
    expect(await client.openFeed({ path: '/private/feed.xml' })).toEqual({ kind: 'disallowed' })
    expect(await client.fetchPage({ path: '/private/but-this' })).toMatchObject({ kind: 'page' })
    expect(await client.fetchPage({ path: '/public' })).toEqual({
      kind: 'page',
      document: { text: 'ok', url: `${baseUrl}/public` },
      validators: { etag: null, lastModified: null },
    })
    expect(requests.map(({ path }) => path)).toEqual(['/private/but-this', '/public'])
    expect(requests[0]!.headers['user-agent']).toBe('AldabaBot/1.0 (+https://agency.example)')
  })

  test.each([404, 403, 410])('that does not exist (%i) allows everything', async code => {
    const { baseUrl } = await startPortal(code)
    expect(await (await openClient(baseUrl)).fetchPage({ path: '/private/' })).toMatchObject({ kind: 'page' })
  })

  describe('that redirects', () => {
    const robotsText = 'User-agent: *\nDisallow: /private/'
    const startRedirecting = (times: number, to = '/robots-1.txt') =>
      startPortal(answerWithStatus(301, { location: to }), ({ path }, response) => {
        const at = Number(/^\/robots-(\d+)/.exec(path)?.[1])
        if (at < times) response.writeHead(302, { location: `robots-${at + 1}.txt` }).end()
        else response.end(at ? robotsText : 'ok')
      })

    test('is followed five times, but not six', async () => {
      const { requests, baseUrl } = await startRedirecting(5)
      const client = await openClient(baseUrl)
      expect(await client.fetchPage({ path: '/private/1' })).toEqual({ kind: 'disallowed' })
      expect(requests.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5].map(at => `/robots-${at}.txt`))
      const further = await startRedirecting(6)
      await expect(openClient(further.baseUrl)).rejects.toMatchObject({ code: 'ROBOTS_DISALLOWED' })
      expect(further.requests).toHaveLength(5)
    })

    test('is followed to another port, while pages are still requested here', async () => {
      const there = await startRedirecting(1)
      const { requests, baseUrl } = await startPortal(
        answerWithStatus(308, { location: `${there.baseUrl}/robots-1.txt` }),
      )
      const client = await openClient(baseUrl)
      expect(await client.fetchPage({ path: '/private/1' })).toEqual({ kind: 'disallowed' })
      expect(await client.fetchPage({ path: '/1' })).toMatchObject({ kind: 'page' })
      expect([requests.length, there.requests.length]).toEqual([1, 1])
    })

    test("is not followed into the deployment's network", async () => {
      const inside = await startPortal('')
      const port = new URL(inside.baseUrl).port
      for (const host of ['localhost', '[::ffff:127.0.0.1]']) {
        const location = `http://${host}:${port}/robots.txt`
        const { baseUrl } = await startPortal(answerWithStatus(301, { location }))
        await expect(openClient(baseUrl)).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
      }
      expect(inside.robotsRequests()).toBe(0)
    })

    test.each(['ftp://portal.example/robots.txt', 'http://[/', ''])(
      'to %j allows nothing',
      async location => {
        const { baseUrl } = await startPortal(answerWithStatus(301, { location }))
        await expect(openClient(baseUrl)).rejects.toMatchObject({ code: 'ROBOTS_DISALLOWED' })
      },
    )

    test('to an invalid long address allows nothing, and the message is short', async () => {
      const location = `ftp://portal.example/${'a'.repeat(500)}`
      const { baseUrl } = await startPortal(answerWithStatus(301, { location }))
      await expect(openClient(baseUrl)).rejects.toMatchObject({
        code: 'ROBOTS_DISALLOWED',
        message: expect.stringMatching(/^.{200,300}$/),
      })
    })
  })

  test('longer than 500 KiB is read up to that size', async () => {
    const { baseUrl } = await startPortal(`User-agent: *\nDisallow: /private/\n${'# long\n'.repeat(100_000)}`)
    const client = await openClient(baseUrl)
    expect(await client.fetchPage({ path: '/private/1' })).toEqual({ kind: 'disallowed' })
    expect(await client.fetchPage({ path: '/1' })).toMatchObject({ kind: 'page' })
  })

  test('is throttled', async () => {
    const { baseUrl, robotsRequests } = await startPortal('')
    const client = await openRemote(baseUrl, { politeness: { requestsPerHour: 1 } })
    expect(robotsRequests()).toBe(1)
    await expect(client.fetchPage({ path: '/' })).rejects.toBeInstanceOf(RequeueJob)
  })

  test('with a crawl delay of more than an hour allows nothing', async () => {
    const { baseUrl } = await startPortal('User-agent: *\nCrawl-delay: 3601')
    await expect(openRemote(baseUrl)).rejects.toMatchObject({
      code: 'ROBOTS_DISALLOWED',
      message: expect.stringContaining('3601 seconds'),
    })
  })

  test('is requested once an hour', async () => {
    const { baseUrl, robotsRequests } = await startPortal('')
    for (const _run of [1, 2, 3]) await openRemote(baseUrl)
    expect(robotsRequests()).toBe(1)
  })
})

describe('a page', () => {
  test.each([404, 410])('that is answered with %i is gone', async code => {
    const { client } = await startAndOpen(answerWithStatus(code))
    expect(await client.fetchPage({ path: '/' })).toEqual({ kind: 'gone' })
  })

  test('is decoded with its declared encoding', async () => {
    const headers = { 'content-type': 'text/html; charset=ISO-8859-1' }
    const { client } = await startAndOpen((_request, response) =>
      response.writeHead(200, headers).end(Buffer.from('Córdoba', 'latin1')),
    )
    expect(await client.fetchPage({ path: '/' })).toMatchObject({ document: { text: 'Córdoba' } })
  })

  test.each([
    [true, 'identity'],
    [false, 'gzip, br'],
  ])('from a portal with isLocal %s arrives as %s', async (isLocal, encoding) => {
    const { requests, client } = await startAndOpen(
      (_request, response) =>
        isLocal
          ? response.end('Córdoba')
          : response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Córdoba')),
      { isLocal },
    )
    expect(await client.fetchPage({ path: '/' })).toMatchObject({ document: { text: 'Córdoba' } })
    expect(requests[0]!.headers['accept-encoding']).toBe(encoding)
  })

  test('that redirects is not followed', async () => {
    const { requests, client } = await startAndOpen(answerWithStatus(302, { location: '/elsewhere' }))
    expect(await client.fetchPage({ path: '/' })).toEqual({ kind: 'moved', to: '/elsewhere' })
    expect(requests).toHaveLength(1)
  })

  test('that may be cached is requested once while it is fresh', async () => {
    const { requests, baseUrl, client } = await startAndOpen((_request, response) =>
      response.writeHead(200, { 'cache-control': 'max-age=60' }).end('ok'),
    )
    const first = await client.fetchPage({ path: '/' })
    expect(await (await openClient(baseUrl)).fetchPage({ path: '/' })).toEqual(first)
    expect(requests).toHaveLength(1)
    await client.fetchPage({ path: '/', accept: 'application/json' })
    for (const _time of [1, 2]) await client.fetchPage({ path: '/', form: { id: '7' } })
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST'])
  })

  test('at another origin or an invalid address is not requested', async () => {
    const [one, other] = [await startAndOpen(), await startPortal()]
    for (const path of [`${other.baseUrl}/1`, '//portal.example/1', 'http://[/1', 'javascript:void']) {
      expect(await one.client.fetchPage({ path })).toMatchObject({ kind: 'moved' })
      expect(await one.client.openFeed({ path })).toMatchObject({ kind: 'moved' })
    }
    expect([one.requests, other.requests]).toEqual([[], []])
  })

  test('may be requested at an absolute address of the portal', async () => {
    const { requests, baseUrl, client } = await startAndOpen()
    await client.fetchPage({ path: `${baseUrl}/1?page=2` })
    expect(requests[0]!.path).toBe('/1?page=2')
  })

  test('is requested with its Accept header, and with POST if there is a form', async () => {
    const { requests, client } = await startAndOpen()
    await client.fetchPage({ path: '/1' })
    await client.fetchPage({ path: '/2', accept: 'application/json' })
    await client.fetchPage({ path: '/3', form: { id: '7', name: 'á & b' } })
    expect(requests.map(({ method, headers }) => [method, headers.accept])).toEqual([
      ['GET', 'text/html,application/xhtml+xml'],
      ['GET', 'application/json'],
      ['POST', 'text/html,application/xhtml+xml'],
    ])
    expect(requests[2]!.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(requests[2]!.body))).toEqual({ id: '7', name: 'á & b' })
  })

  test('is requested conditionally with its stored validators', async () => {
    const lastModified = 'Sun, 01 Nov 2026 00:00:00 GMT'
    const { requests, client } = await startAndOpen(({ headers }, response) =>
      response
        .writeHead(headers['if-none-match'] || headers['if-modified-since'] ? 304 : 200, {
          etag: '"7"',
          'last-modified': lastModified,
        })
        .end(),
    )
    const first = await client.fetchPage({ path: '/' })
    expect(first).toMatchObject({ kind: 'page', validators: { etag: '"7"', lastModified } })
    const both = { etag: '"7"', lastModified }
    for (const known of [both, { ...both, etag: null }, { ...both, lastModified: null }])
      expect(await client.fetchPage({ path: '/' }, known)).toEqual({ kind: 'unchanged' })
    expect(requests.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
      [undefined, undefined],
      ['"7"', lastModified],
      [undefined, lastModified],
      ['"7"', undefined],
    ])
  })

  test.each([
    [400, 'PORTAL_UNAVAILABLE'],
    [401, 'CREDENTIALS_INVALID'],
    [403, 'BLOCKED'],
  ])('that is answered with %i fails with %s, and is not requested again', async (code, failure) => {
    const { requests, client } = await startAndOpen(answerWithStatus(code))
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code: failure })
    expect(requests).toHaveLength(1)
  })

  test('that is too large fails, and is not requested again', async () => {
    const { requests, client } = await startAndOpen((_request, response) =>
      response.end(Buffer.alloc(9 * 1024 * 1024)),
    )
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code: 'PORTAL_UNAVAILABLE' })
    expect(requests).toHaveLength(1)
  })
})

describe('the throttle', () => {
  test('is shared by all clients of a portal', async () => {
    const { baseUrl, requests } = await startPortal()
    const politeness = { requestsPerSecond: 10 }
    const clients = await Promise.all([1, 2, 3].map(() => openRemote(baseUrl, { politeness })))
    const startMs = performance.now()
    await Promise.all(clients.flatMap(client => ['/1', '/2', '/3'].map(path => client.fetchPage({ path }))))
    expect(requests).toHaveLength(9)
    for (const [at, { atMs }] of requests.entries()) expect(atMs - startMs).toBeGreaterThan(at * 100 - 20)
  })

  test('applies a slower crawl delay of robots.txt', async () => {
    const { baseUrl, requests } = await startPortal('User-agent: *\nCrawl-delay: 0.4')
    const client = await openRemote(baseUrl)
    const startMs = performance.now()
    await Promise.all(['/1', '/2', '/3'].map(path => client.fetchPage({ path })))
    expect(requests.at(-1)!.atMs - startMs).toBeGreaterThan(780)
  })

  test('pauses all clients after one receives Retry-After', async () => {
    const { baseUrl, requests } = await startPortal(null, ({ path }, response) =>
      path === '/first' && requests.length === 1
        ? response.writeHead(429, { 'retry-after': '1' }).end()
        : response.end('ok'),
    )
    const [one, other] = [await openRemote(baseUrl), await openRemote(baseUrl)]
    const first = one.fetchPage({ path: '/first' })
    await waitUntilPaused(baseUrl)
    await Promise.all([first, other.fetchPage({ path: '/other' })])
    expect(requests.map(({ path }) => path).sort()).toEqual(['/first', '/first', '/other'])
    expect(requests[1]!.atMs - requests[0]!.atMs).toBeGreaterThan(980)
  })

  test('with a used-up hourly quota requeues the job until the next request is allowed', async () => {
    const { baseUrl, requests } = await startPortal()
    const client = await openRemote(baseUrl, { politeness: { requestsPerHour: 3 } })
    for (const path of ['/1', '/2']) await client.fetchPage({ path })
    const error = await client.fetchPage({ path: '/3' }).catch((error: unknown) => error as RequeueJob)
    expect(error).toBeInstanceOf(RequeueJob)
    expect((error as RequeueJob).runAt!.getTime() - Date.now()).toBeGreaterThan(3_500_000)
    expect(requests).toHaveLength(2)
  })

  test('is not applied to the simulator', async () => {
    const { baseUrl } = await startPortal('User-agent: *\nCrawl-delay: 60')
    const client = await openClient(baseUrl, { politeness: { requestsPerSecond: 0.01 } })
    await Promise.all(['/1', '/2', '/3'].map(path => client.fetchPage({ path })))
  })
})

/** Waits until the portal's row forbids requests for a while. */
function waitUntilPaused(origin: string) {
  const readPause = () =>
    shared.database.ownerPool.query(
      `select from aldaba.throttles where key = $1 and next_at > clock_timestamp() + interval '300 ms'`,
      [origin],
    )
  return eventually(readPause, ({ rowCount }) => rowCount === 1)
}
