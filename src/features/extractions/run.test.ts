/** The job of an extraction, called directly: interrupted, repeated, and several times at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getExtraction,
  readExtractionResult,
  type Search,
  startExtraction,
} from '../../../test/extraction.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { createHttpClient, type HttpClient } from '../../kit/http/client.ts'
import { RequeueJob } from '../../kit/jobs/job.ts'
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
let expectedResult: Awaited<ReturnType<typeof readExtractionResult>>
beforeAll(async () => {
  // No worker runs jobs here; the tests call them.
  app = await startTestApp({ env: { ROLE: 'api' } })
  simulator = await startSimulator()
  http = createHttpClient({ reach: 'any' })
  const { tenant, extractionId } = await startQueued()
  await run(tenant, extractionId)
  expectedResult = await readExtractionResult(tenant, extractionId)
  expect(expectedResult.extraction.progress).toMatchObject({ leadsCreated: maxResults, pagesFetched: 3 })
})
afterAll(async () => {
  await http.close()
  await simulator.close()
  await app.stop()
})

async function startQueued() {
  const tenant = await makeTenant(app)
  const { extractionId } = await startExtraction(tenant, premises, { maxResults })
  return { tenant, extractionId }
}

interface RunOptions {
  /** Called before each request to the portal. */
  onRequest?: (url: string) => Promise<void>
  /** Replaces the robots.txt of the portal. */
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
      loadGazetteer,
      findSimulatedUrl: async () => simulator.portalUrl('portal_a'),
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
  const { database } = app
  const state = { attempt: 1, isLastAttempt, hasWaitingJobs: async () => false, signal }
  return job.run({ extractionId }, { database, tenantId, log: createLog('silent'), ...state })
}

test('an undisturbed run stores every listing once and emits each event once', () => {
  expect(expectedResult).toMatchObject({
    events: ['extraction.completed', 'extraction.started', 'leads.imported'],
    eventListsAllLeads: true,
    leadsCounted: maxResults,
    extractionsCounted: 1,
  })
  expect(new Set(expectedResult.leads.map(lead => lead.listingId)).size).toBe(maxResults)
})

test('a run that is stopped at any point and restarted ends like an undisturbed one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      async stops => {
        const { tenant, extractionId } = await startQueued()
        for (const stopAt of stops) {
          const stopping = new AbortController()
          let requests = 0
          const running = run(tenant, extractionId, {
            signal: stopping.signal,
            onRequest: async () => {
              if (++requests === stopAt) stopping.abort()
            },
          })
          // The run may have ended before that many requests.
          await running.catch(error => expect(error).toBeInstanceOf(RequeueJob))
        }
        await run(tenant, extractionId)
        expect(await readExtractionResult(tenant, extractionId)).toEqual(expectedResult)
      },
    ),
    { numRuns: 6 },
  )
})

describe('several runs of one extraction', () => {
  test('do not interfere: the latest continues, the others stop silently', async () => {
    const { tenant, extractionId } = await startQueued()
    /** Runs until the page is requested. Returns a function that resumes the run and waits for its end. */
    const runUntil = async (page: string) => {
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const running = run(tenant, extractionId, {
        async onRequest(url) {
          if (!url.endsWith(page)) return
          held.resolve()
          await release.promise
        },
      })
      await held.promise
      return async () => {
        release.resolve()
        await running
      }
    }
    const resumeFirst = await runUntil('page=2')
    const resumeSecond = await runUntil('page=3')
    // The page is requested while the pages before it are still being read.
    const before = await eventually(
      () => readExtractionResult(tenant, extractionId),
      ({ extraction, leads }) => extraction.progress.leadsCreated === 60 && leads.length === 60,
    )
    await resumeFirst()
    expect(await readExtractionResult(tenant, extractionId)).toEqual(before)
    await resumeSecond()
    expect(await readExtractionResult(tenant, extractionId)).toEqual(expectedResult)
  })

  test('share one claim: a run without it cannot record progress or end the extraction', async () => {
    const { tenant, extractionId } = await startQueued()
    const claim = () => tenant.inTenant(tx => queries.claimExtraction(tx, extractionId))
    const [lost, held] = [(await claim())!, (await claim())!]
    expect([lost.isFirstRun, held.isFirstRun]).toEqual([true, false])
    const page = {
      cursor: { requests: [{ path: '/2' }] },
      pagesFetched: 1,
      reportedTotal: 9,
      listingsFound: 1,
      listingsRead: 1,
      leadsCreated: 1,
      leadsUpdated: 0,
    }
    const recordProgress = (claimed: queries.ClaimedExtraction) =>
      tenant.inTenant(tx =>
        queries.recordProgress(tx, claimed, {
          ...page,
          leadsMatched: 1,
          duplicates: 0,
          failed: 0,
          skippedByReason: {},
        }),
      )
    const finishExtraction = (claimed: queries.ClaimedExtraction) =>
      tenant.inTenant(tx =>
        queries.finishExtraction(tx, claimed, {
          status: 'COMPLETED',
          outcome: 'full',
          capped: false,
          error: null,
          exhaustive: true,
          cursor: null,
        }),
      )
    expect([await recordProgress(lost), await recordProgress(held)]).toEqual([null, { progressToEmit: null }])
    expect((await getExtraction(tenant, extractionId)).progress.pagesFetched).toBe(1)
    expect([
      await finishExtraction(lost),
      await finishExtraction(held),
      await finishExtraction(held),
    ]).toEqual([false, true, false])
    expect([await recordProgress(held), await claim()]).toEqual([null, null])
  })

  test('end like one undisturbed run, in any interleaving', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(delays, { minLength: 2, maxLength: 4 }), async runs => {
        const { tenant, extractionId } = await startQueued()
        await Promise.all(
          runs.map(async ([start, ...waits]) => {
            await sleep(start! * 20)
            let request = 0
            await run(tenant, extractionId, { onRequest: () => sleep(waits[request++ % waits.length]!) })
          }),
        )
        expect(await readExtractionResult(tenant, extractionId)).toEqual(expectedResult)
      }),
      { numRuns: 5 },
    )
  })

  test('do nothing after it has ended', async () => {
    const { tenant, extractionId } = await startQueued()
    await run(tenant, extractionId)
    let requests = 0
    await run(tenant, extractionId, { onRequest: async () => void requests++ })
    expect(requests).toBe(0)
    expect(await readExtractionResult(tenant, extractionId)).toEqual(expectedResult)
  })
})

describe('an internal error', () => {
  const failOnSecondPage = async (url: string) => {
    if (url.endsWith('page=2')) throw new TypeError('secret detail')
  }

  test('is thrown to the queue, which retries the job: nothing is lost', async () => {
    const { tenant, extractionId } = await startQueued()
    await expect(run(tenant, extractionId, { onRequest: failOnSecondPage })).rejects.toThrow(TypeError)
    const { status, error } = await getExtraction(tenant, extractionId)
    expect([status, error]).toEqual(['RUNNING', null])
    await run(tenant, extractionId)
    expect(await readExtractionResult(tenant, extractionId)).toEqual(expectedResult)
  })

  test('in the last attempt is INTERNAL without details, and the stored leads are kept', async () => {
    const { tenant, extractionId } = await startQueued()
    await run(tenant, extractionId, { onRequest: failOnSecondPage, isLastAttempt: true })
    const result = await readExtractionResult(tenant, extractionId)
    expect(result).toMatchObject({
      extraction: { status: 'FAILED', outcome: 'partial', error: { code: 'INTERNAL' } },
      events: ['extraction.failed', 'extraction.started', 'leads.imported'],
      eventListsAllLeads: true,
      leadsCounted: 30,
      extractionsCounted: 0,
    })
    expect(result.leads).toHaveLength(30)
    expect(result.extraction.error!.message).not.toContain('secret')
  })
})

describe('robots.txt', () => {
  const runWithRobots = async (robots: string) => {
    const { tenant, extractionId } = await startQueued()
    const requestedUrls: string[] = []
    await run(tenant, extractionId, { robots, onRequest: async url => void requestedUrls.push(url) })
    return { tenant, requestedUrls, result: await readExtractionResult(tenant, extractionId) }
  }

  test.each(['/venta/', '/inmueble/'])(
    'that forbids %s: ROBOTS_DISALLOWED, and no such page is requested',
    async path => {
      const { requestedUrls, result } = await runWithRobots(`User-agent: *\nDisallow: ${path}`)
      expect(result).toMatchObject({
        extraction: { status: 'FAILED', outcome: null, error: { code: 'ROBOTS_DISALLOWED' } },
        leads: [],
        extractionsCounted: 0,
      })
      expect(requestedUrls.filter(url => url.includes(path))).toEqual([])
    },
  )

  test('that forbids one listing: it is skipped, and another is read instead', async () => {
    const [, second] = simulator.findListings(premises)
    const { requestedUrls, result } = await runWithRobots(`User-agent: *\nDisallow: /inmueble/${second!.id}/`)
    expect(result.extraction).toMatchObject({ status: 'COMPLETED', skippedByReason: { robotsDisallowed: 1 } })
    expect(result.leads).toHaveLength(maxResults)
    expect(requestedUrls.some(url => url.includes(second!.id))).toBe(false)
  })
})
