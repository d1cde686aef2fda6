/** The job behind an extraction, run by hand: interrupted, repeated, and by several at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broughtHome, getExtraction, type Search, startExtraction } from '../../../test/extraction.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { createHttpClient, type HttpClient } from '../../kit/http/client.ts'
import { HandBack } from '../../kit/jobs/job.ts'
import { createLog } from '../../kit/log.ts'
import { createMetrics } from '../../kit/metrics.ts'
import { portalA } from '../../plugins/portals/portal-a.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { loadGazetteer } from '../platforms/gazetteer.ts'
import { createPortals } from '../platforms/service.ts'
import { runExtraction } from './jobs.ts'
import * as queries from './run-queries.ts'

const premises: Search = { operation: 'sale', propertyType: 'premises', city: 'barcelona' }
const maxResults = 75

let app: TestApp
let simulator: Simulator
let http: HttpClient
let undisturbed: Awaited<ReturnType<typeof broughtHome>>
beforeAll(async () => {
  // Nobody takes jobs here but the tests.
  app = await startTestApp({ env: { ROLE: 'api' } })
  simulator = await startSimulator()
  http = createHttpClient({ reach: 'any' })
  const { tenant, extractionId } = await queued()
  await run(tenant, extractionId)
  undisturbed = await broughtHome(tenant, extractionId)
  expect(undisturbed.extraction.progress).toMatchObject({ leadsCreated: maxResults, pagesFetched: 3 })
})
afterAll(async () => {
  await http.close()
  await simulator.close()
  await app.stop()
})

async function queued() {
  const tenant = await makeTenant(app)
  const { extractionId } = await startExtraction(tenant, premises, { maxResults })
  return { tenant, extractionId }
}

interface RunOptions {
  /** Before each request to the portal. */
  onRequest?: (url: string) => Promise<void>
  /** In place of the portal's own. */
  robots?: string
  signal?: AbortSignal
  isLastAttempt?: boolean
}

function run(
  { tenantId }: TestTenant,
  extractionId: string,
  {
    onRequest = async () => {},
    robots,
    signal = new AbortController().signal,
    isLastAttempt = false,
  }: RunOptions = {},
): Promise<void> {
  const job = runExtraction({
    portals: createPortals({
      definitions: [portalA],
      urls: {},
      simulated: ['portal_a'],
      gazetteer: loadGazetteer,
      simulatedUrl: async () => simulator.portalUrl('portal_a'),
    }),
    http: {
      ...http,
      async fetch(url, request) {
        await onRequest(url)
        if (robots !== undefined && url.endsWith('/robots.txt'))
          return { status: 200, headers: {}, body: Buffer.from(robots) }
        return http.fetch(url, request)
      },
    },
    metrics: createMetrics(async () => 0),
    contactUrl: 'https://agency.example',
  })
  const context = {
    database: app.database,
    tenantId,
    log: createLog('silent'),
    attempt: 1,
    isLastAttempt,
    othersWait: async () => false,
    signal,
  }
  return job.run({ extractionId }, context)
}

test('an undisturbed run brings home every advert once and tells it once', () => {
  expect(undisturbed).toMatchObject({
    events: ['extraction.completed', 'extraction.started', 'leads.imported'],
    ...{ allNamed: true, leadsCounted: maxResults, extractionsCounted: 1 },
  })
  expect(new Set(undisturbed.leads.map(lead => lead.listingId)).size).toBe(maxResults)
})

test('stopped anywhere and begun again, as often as it takes, it ends like an undisturbed run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      async stops => {
        const { tenant, extractionId } = await queued()
        for (const stopAt of stops) {
          const stopping = new AbortController()
          let requests = 0
          const running = run(tenant, extractionId, {
            signal: stopping.signal,
            onRequest: async () => {
              if (++requests === stopAt) stopping.abort()
            },
          })
          // It may have been through before that many requests.
          await running.catch(error => expect(error).toBeInstanceOf(HandBack))
        }
        await run(tenant, extractionId)
        expect(await broughtHome(tenant, extractionId)).toEqual(undisturbed)
      },
    ),
    { numRuns: 6 },
  )
})

describe('several runs of one extraction', () => {
  test('write as one: the run that came last goes on, the others stop without a word', async () => {
    const { tenant, extractionId } = await queued()
    /** Runs until the page is asked for, and goes on when told. */
    const runUntil = async (page: string) => {
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const ended = run(tenant, extractionId, {
        async onRequest(url) {
          if (!url.endsWith(page)) return
          held.resolve()
          await release.promise
        },
      })
      await held.promise
      return async () => {
        release.resolve()
        await ended
      }
    }
    const goOnFirst = await runUntil('page=2')
    const goOnSecond = await runUntil('page=3')
    // The page is asked for while those before it are still being read.
    const before = await eventually(
      () => broughtHome(tenant, extractionId),
      ({ extraction, leads }) => extraction.progress.leadsCreated === 60 && leads.length === 60,
    )
    await goOnFirst()
    expect(await broughtHome(tenant, extractionId)).toEqual(before)
    await goOnSecond()
    expect(await broughtHome(tenant, extractionId)).toEqual(undisturbed)
  })

  test('have one claim among them: without it none of them moves on or ends the extraction', async () => {
    const { tenant, extractionId } = await queued()
    const claim = () => tenant.inTenant(tx => queries.claimExtraction(tx, extractionId))
    const [lost, held] = [(await claim())!, (await claim())!]
    expect([lost.isFirstRun, held.isFirstRun]).toEqual([true, false])
    const page = {
      cursor: { requests: [{ path: '/2' }] },
      pagesFetched: 1,
      promised: 9,
      listingsFound: 1,
      listingsRead: 1,
      leadsCreated: 1,
      leadsUpdated: 0,
    }
    const advance = (claimed: queries.ClaimedExtraction) =>
      tenant.inTenant(tx =>
        queries.advance(tx, claimed, {
          ...page,
          leadsMatched: 1,
          duplicates: 0,
          failed: 0,
          skippedByReason: {},
        }),
      )
    const finish = (claimed: queries.ClaimedExtraction) =>
      tenant.inTenant(tx =>
        queries.finish(tx, claimed, {
          ...{ status: 'COMPLETED', outcome: 'full', capped: false, error: null },
          ...{ covered: true, cursor: null },
        }),
      )
    expect([await advance(lost), await advance(held)]).toEqual([null, { tell: null }])
    expect((await getExtraction(tenant, extractionId)).progress.pagesFetched).toBe(1)
    expect([await finish(lost), await finish(held), await finish(held)]).toEqual([false, true, false])
    expect([await advance(held), await claim()]).toEqual([null, null])
  })

  test('end like one undisturbed run, however they mingle', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(delays, { minLength: 2, maxLength: 4 }), async runs => {
        const { tenant, extractionId } = await queued()
        await Promise.all(
          runs.map(async ([start, ...waits]) => {
            await sleep(start! * 20)
            let request = 0
            await run(tenant, extractionId, { onRequest: () => sleep(waits[request++ % waits.length]!) })
          }),
        )
        expect(await broughtHome(tenant, extractionId)).toEqual(undisturbed)
      }),
      { numRuns: 5 },
    )
  })

  test('find nothing to do when it has ended', async () => {
    const { tenant, extractionId } = await queued()
    await run(tenant, extractionId)
    let requests = 0
    await run(tenant, extractionId, { onRequest: async () => void requests++ })
    expect(requests).toBe(0)
    expect(await broughtHome(tenant, extractionId)).toEqual(undisturbed)
  })
})

describe('a fault of our own', () => {
  const slip = async (url: string) => {
    if (url.endsWith('page=2')) throw new TypeError('secret detail')
  }

  test('is thrown to the queue, which tries again: nothing is lost', async () => {
    const { tenant, extractionId } = await queued()
    await expect(run(tenant, extractionId, { onRequest: slip })).rejects.toThrow(TypeError)
    const { status, error } = await getExtraction(tenant, extractionId)
    expect([status, error]).toEqual(['RUNNING', null])
    await run(tenant, extractionId)
    expect(await broughtHome(tenant, extractionId)).toEqual(undisturbed)
  })

  test('in the last attempt is INTERNAL, without the detail, and what was read is kept', async () => {
    const { tenant, extractionId } = await queued()
    await run(tenant, extractionId, { onRequest: slip, isLastAttempt: true })
    const home = await broughtHome(tenant, extractionId)
    expect(home).toMatchObject({
      extraction: { status: 'FAILED', outcome: 'partial', error: { code: 'INTERNAL' } },
      events: ['extraction.failed', 'extraction.started', 'leads.imported'],
      ...{ allNamed: true, leadsCounted: 30, extractionsCounted: 0 },
    })
    expect(home.leads).toHaveLength(30)
    expect(home.extraction.error!.message).not.toContain('secret')
  })
})

describe('robots.txt', () => {
  const runUnder = async (robots: string) => {
    const { tenant, extractionId } = await queued()
    const asked: string[] = []
    await run(tenant, extractionId, { robots, onRequest: async url => void asked.push(url) })
    return { tenant, asked, home: await broughtHome(tenant, extractionId) }
  }

  test.each(['/venta/', '/inmueble/'])(
    'that forbids %s: ROBOTS_DISALLOWED, and nothing of it is asked for',
    async path => {
      const { asked, home } = await runUnder(`User-agent: *\nDisallow: ${path}`)
      expect(home).toMatchObject({
        extraction: { status: 'FAILED', outcome: null, error: { code: 'ROBOTS_DISALLOWED' } },
        ...{ leads: [], extractionsCounted: 0 },
      })
      expect(asked.filter(url => url.includes(path))).toEqual([])
    },
  )

  test('that forbids one advert: it is skipped, and another takes its place', async () => {
    const [, second] = simulator.advertsOf(premises)
    const { asked, home } = await runUnder(`User-agent: *\nDisallow: /inmueble/${second!.id}/`)
    expect(home.extraction).toMatchObject({ status: 'COMPLETED', skippedByReason: { robotsDisallowed: 1 } })
    expect(home.leads).toHaveLength(maxResults)
    expect(asked.some(url => url.includes(second!.id))).toBe(false)
  })
})
