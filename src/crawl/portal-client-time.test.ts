/** Timeouts and retries of requests to portals. */
import { describe, test } from 'vitest'
import { answerInSequence, answerWithStatus, type Handler, servePortals } from '../../test/portal.ts'
import type { HttpClient } from '../kit/http/client.ts'
import { RequeueJob } from '../kit/jobs/job.ts'

const { shared, startPortal, openClient, startAndOpen } = servePortals({ timeoutMs: 2000 })

describe.concurrent('a portal', () => {
  const hang: Handler = () => {}
  const drip: Handler = (_request, response) => {
    const dripping = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(dripping))
  }
  const reset: Handler = (_request, response) => response.destroy()

  test.for<[string, Handler, string]>([
    ['hangs', hang, 'TIMEOUT'],
    ['never ends its reply', drip, 'TIMEOUT'],
    ['breaks off', reset, 'PORTAL_UNAVAILABLE'],
    ['fails', answerWithStatus(500), 'PORTAL_UNAVAILABLE'],
    ['sends 429', answerWithStatus(429), 'BLOCKED'],
  ])('that %s gets four requests, then the read fails', async ([_how, handler, code], { expect }) => {
    const { requests, client } = await startAndOpen(handler)
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code })
    expect(requests).toHaveLength(4)
    const waitsMs = requests.slice(1).map(({ atMs }, at) => atMs - requests[at]!.atMs)
    for (const [at, leastMs] of [187, 750, 3000].entries()) expect(waitsMs[at]).toBeGreaterThan(leastMs - 20)
  })

  test('whose robots.txt is unavailable allows nothing', async ({ expect }) => {
    const { baseUrl, requests } = await startPortal(503)
    await expect(openClient(baseUrl)).rejects.toMatchObject({ code: 'ROBOTS_DISALLOWED' })
    expect(requests).toEqual([])
  })

  test.for<[string, Handler]>([
    ['hangs', hang],
    ['breaks off', reset],
    ['fails', answerWithStatus(503)],
  ])('that %s once gets another request', async ([_how, handler], { expect }) => {
    const { requests, client } = await startAndOpen(answerInSequence(handler))
    expect(await client.fetchPage({ path: '/' })).toMatchObject({ kind: 'page' })
    expect(requests).toHaveLength(2)
  })

  test('that fails while a person waits gets one request with a short timeout', async ({ expect }) => {
    const timeouts: number[] = []
    const watching: HttpClient = {
      ...shared.http,
      fetch(url, request) {
        timeouts.push(request.timeoutMs)
        return shared.http.fetch(url, request)
      },
    }
    for (const [handler, code] of [
      [answerWithStatus(503), 'PORTAL_UNAVAILABLE'],
      [hang, 'TIMEOUT'],
    ] as const) {
      const { requests, client } = await startAndOpen(handler, { isInteractive: true, http: watching })
      await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code })
      expect(requests).toHaveLength(1)
    }
    expect(Math.max(...timeouts)).toBeLessThanOrEqual(8000)
  })

  test('with Retry-After gets the next request at that time, given in seconds or as a date', async ({
    expect,
  }) => {
    const inTwoSeconds = () => new Date(Date.now() + 2000).toUTCString()
    for (const header of [() => '1', inTwoSeconds]) {
      let notBeforeMs = 0
      let retriedAfterMs = 0
      const { requests, client } = await startAndOpen((_request, response) => {
        if (requests.length > 1) {
          retriedAfterMs = Date.now()
          return response.end('ok')
        }
        const retryAfter = header()
        notBeforeMs = Date.parse(retryAfter) > 1e12 ? Date.parse(retryAfter) : Date.now() + 1000
        return response.writeHead(429, { 'retry-after': retryAfter }).end()
      })
      await client.fetchPage({ path: '/' })
      // Timers may fire a millisecond early.
      expect(retriedAfterMs).toBeGreaterThan(notBeforeMs - 20)
    }
  })

  test('with an hour in Retry-After requeues the job until then', async ({ expect }) => {
    const { requests, client } = await startAndOpen(answerWithStatus(503, { 'retry-after': '3600' }))
    const error = await client.fetchPage({ path: '/' }).catch((error: unknown) => error as RequeueJob)
    expect(error).toBeInstanceOf(RequeueJob)
    expect((error as RequeueJob).runAt!.getTime() - Date.now()).toBeGreaterThan(3_590_000)
    expect(requests).toHaveLength(1)
  })

  test.for([
    [503, 'PORTAL_UNAVAILABLE'],
    [429, 'BLOCKED'],
  ] as const)('that answers %i until after the deadline fails (%s)', async ([code, failure], { expect }) => {
    const deadlineMs = Date.now() + 1_800_000
    const { requests, client } = await startAndOpen(answerWithStatus(code, { 'retry-after': '3600' }), {
      deadlineMs,
    })
    await expect(client.fetchPage({ path: '/' })).rejects.toMatchObject({ code: failure })
    expect(requests).toHaveLength(1)
  })

  test('is abandoned by a process that stops, during a request and during a wait', async ({ expect }) => {
    const stopping = [new AbortController(), new AbortController()]
    const handlers: Handler[] = [
      () => stopping[0]!.abort(),
      (_request, response) => {
        response.writeHead(503, { 'retry-after': '30' }).end(() => setImmediate(() => stopping[1]!.abort()))
      },
    ]
    for (const [at, handler] of handlers.entries()) {
      const { requests, client } = await startAndOpen(handler, { signal: stopping[at]!.signal })
      await expect(client.fetchPage({ path: '/' })).rejects.toBeInstanceOf(RequeueJob)
      await expect(client.fetchPage({ path: '/' })).rejects.toBeInstanceOf(RequeueJob)
      expect(requests).toHaveLength(1)
    }
  })
})
