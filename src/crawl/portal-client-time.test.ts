/** How long a portal is waited for, and how often it is asked: patiently, and not for ever. */
import { describe, test } from 'vitest'
import { firstly, type Handler, servePortals, status } from '../../test/portal.ts'
import type { HttpClient } from '../kit/http/client.ts'
import { HandBack } from '../kit/jobs/job.ts'

const { shared, portalOf, open, opened } = servePortals()

describe.concurrent('a portal', { timeout: 30_000 }, () => {
  const hang: Handler = () => {}
  const drip: Handler = (_asked, response) => {
    const dripping = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(dripping))
  }
  const reset: Handler = (_asked, response) => response.destroy()

  test.for<[string, Handler, string]>([
    ['hangs', hang, 'TIMEOUT'],
    ['does not come to an end', drip, 'TIMEOUT'],
    ['breaks off', reset, 'PORTAL_UNAVAILABLE'],
    ['fails', status(500), 'PORTAL_UNAVAILABLE'],
    ['wants no more', status(429), 'BLOCKED'],
  ])('that %s is asked four times, and then has failed', async ([_how, handler, code], { expect }) => {
    const { asked, client } = await opened(handler)
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code })
    expect(asked).toHaveLength(4)
    const waitsMs = asked.slice(1).map(({ atMs }, at) => atMs - asked[at]!.atMs)
    for (const [at, leastMs] of [187, 750, 3000].entries()) expect(waitsMs[at]).toBeGreaterThan(leastMs - 20)
  })

  test('whose robots.txt can not be had for now allows nothing', async ({ expect }) => {
    const { baseUrl, asked } = await portalOf(503)
    await expect(open(baseUrl)).rejects.toMatchObject({ code: 'ROBOTS_DISALLOWED' })
    expect(asked).toEqual([])
  })

  test.for<[string, Handler]>([
    ['hangs', hang],
    ['breaks off', reset],
    ['fails', status(503)],
  ])('that %s once is asked again', async ([_how, handler], { expect }) => {
    const { asked, client } = await opened(firstly(handler))
    expect(await client.fetchPage({ path: '/' })).toMatchObject({ kind: 'page' })
    expect(asked).toHaveLength(2)
  })

  test('that fails while a person waits is asked once, and not for long', async ({ expect }) => {
    const timeouts: number[] = []
    const watching: HttpClient = {
      ...shared.http,
      fetch(url, request) {
        timeouts.push(request.timeoutMs)
        return shared.http.fetch(url, request)
      },
    }
    for (const [handler, code] of [
      [status(503), 'PORTAL_UNAVAILABLE'],
      [hang, 'TIMEOUT'],
    ] as const) {
      const { asked, client } = await opened(handler, { hurried: true, http: watching })
      await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code })
      expect(asked).toHaveLength(1)
    }
    expect(Math.max(...timeouts)).toBeLessThanOrEqual(8000)
  })

  test('that names a time in Retry-After is asked again then: in seconds, and as a date', async ({
    expect,
  }) => {
    const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString()
    for (const header of [() => '1', inTwoSeconds]) {
      let notBeforeMs = 0
      let askedAgainMs = 0
      const { asked, client } = await opened((_asked, response) => {
        if (asked.length > 1) {
          askedAgainMs = Date.now()
          return response.end('ok')
        }
        const retryAfter = header()
        notBeforeMs = Date.parse(retryAfter) > 1e12 ? Date.parse(retryAfter) : Date.now() + 1000
        return response.writeHead(429, { 'retry-after': retryAfter }).end()
      })
      await client.fetchPage({ path: '/' })
      // Timers may fire a millisecond early.
      expect(askedAgainMs).toBeGreaterThan(notBeforeMs - 20)
    }
  })

  test('that names an hour in Retry-After has the job handed back until then', async ({ expect }) => {
    const { asked, client } = await opened(status(503, { 'retry-after': '3600' }))
    const error = await client.fetchPage({ path: '/' }).catch((error: unknown) => error as HandBack)
    expect(error).toBeInstanceOf(HandBack)
    expect((error as HandBack).runAt!.getTime() - Date.now()).toBeGreaterThan(3_590_000)
    expect(asked).toHaveLength(1)
  })

  test.for([
    [503, 'PORTAL_UNAVAILABLE'],
    [429, 'BLOCKED'],
  ] as const)(
    'that answers %i until past the time to give up has failed (%s)',
    async ([code, failure], { expect }) => {
      const giveUpAtMs = Date.now() + 1_800_000
      const { asked, client } = await opened(status(code, { 'retry-after': '3600' }), { giveUpAtMs })
      await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code: failure })
      expect(asked).toHaveLength(1)
    },
  )

  test('is left by a process that stops: in a request and in a wait', async ({ expect }) => {
    const stopping = [new AbortController(), new AbortController()]
    const handlers: Handler[] = [
      () => stopping[0]!.abort(),
      (_asked, response) => {
        response.writeHead(503, { 'retry-after': '30' }).end(() => setImmediate(() => stopping[1]!.abort()))
      },
    ]
    for (const [at, handler] of handlers.entries()) {
      const { asked, client } = await opened(handler, { signal: stopping[at]!.signal })
      await expect(client.fetchPage({ path: '/' })).rejects.toBeInstanceOf(HandBack)
      await expect(client.fetchPage({ path: '/' })).rejects.toBeInstanceOf(HandBack)
      expect(asked).toHaveLength(1)
    }
  })
})
