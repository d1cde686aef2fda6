/** Extractions from a faulty portal: temporary faults are retried, permanent ones have a specific error code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Search, startExtraction, waitUntilEnded } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { type Receiver, startReceiver, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { unthrottledConcurrency } from '../../crawl/portal-throttle.ts'
import { compile } from '../../kit/schema.ts'
import { portalA } from '../../plugins/portals/portal-a.ts'
import type { Fault } from '../../simulator/faults.ts'
import type { Simulator } from '../../simulator/index.ts'
import { leadsImported } from '../leads/events.ts'
import { extractionCompleted, extractionFailed, extractionStarted } from './events.ts'
import type { Extraction } from './schemas.ts'

let app: TestApp
let simulator: Simulator
let receiver: Receiver
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})

// Each test puts faults on a search of its own, so that the tests can run at the same time.
const cities = 'cordoba murcia zaragoza bilbao granada palma malaga alicante sevilla valencia'.split(' ')
const searches = cities.flatMap(city =>
  (['offices', 'premises', 'garages'] as const).map(
    (propertyType): Search => ({ operation: 'sale', propertyType, city }),
  ),
)

/** Where a fault occurs: on all pages of the search, on the second page, on all listings, or only on the fifth. */
type FaultTarget = 'search' | 'page2' | 'details' | 'fifth'

interface FaultyRun {
  tenant: TestTenant
  extraction: Extraction
  search: Search
  /** The ids of the listings that the search finds, newest first. */
  listingIds: string[]
  /** The number of requests for pages of the search, and for pages of its listings. */
  requestCounts: { searches: number; details: number }
}

/** Runs an extraction with faults. If two faults match a page, the first one applies. */
async function extractWithFaults(
  faults: Partial<Record<FaultTarget, Fault>>,
  maxResults = 40,
): Promise<FaultyRun> {
  const search = searches.pop()!
  const { city, ...kind } = search
  const path = portalA.search.start({ ...kind, location: { id: city, label: city } }, {} as never).path
  const listingIds = simulator.findListings(search).map(listing => listing.id)
  const details = (ids: string[]) => new RegExp(`^/inmueble/(${ids.join('|')})/`)
  const matches: Record<FaultTarget, string | RegExp> = {
    search: path,
    page2: `${path}?page=2`,
    details: details(listingIds),
    fifth: details([listingIds[4]!]),
  }
  for (const [target, fault] of Object.entries(faults))
    simulator.faults.add({ ...fault, match: matches[target as FaultTarget] })
  const tenant = await makeTenant(app)
  await subscribe(tenant, receiver)
  const { extractionId } = await startExtraction(tenant, search, { maxResults })
  const extraction = await waitUntilEnded(tenant, extractionId)
  const count = (match: RegExp) =>
    [...simulator.requests.portal_a.byPath].reduce(
      (sum, [requestPath, times]) => sum + (match.test(requestPath) ? times : 0),
      0,
    )
  const requestCounts = { searches: count(new RegExp(`^${path}`)), details: count(details(listingIds)) }
  return { tenant, extraction, search, listingIds, requestCounts }
}

/** Checks that each event was emitted once, matches its schema, and was delivered to the subscriber. */
async function expectEvents({ tenant, extraction }: FaultyRun): Promise<void> {
  await waitUntilIdle(app.database, tenant.tenantId)
  const { extractionId, status, progress, error } = extraction
  const events = await tenant.inTenant(tx => tx.selectFrom('events').selectAll().orderBy('id').execute())
  const completionEvent = status === 'COMPLETED' ? extractionCompleted : extractionFailed
  const imported = progress.leadsCreated > 0 ? [leadsImported] : []
  const expected = [extractionStarted, ...imported, completionEvent]
  expect(events.map(event => event.type).sort()).toEqual(expected.map(event => event.type).sort())
  for (const { type, data } of events) {
    const definition = expected.find(event => event.type === type)!
    expect(compile(definition.data as never)(data), type).toEqual([])
    expect(data).toMatchObject({ extractionId, platform: 'portal_a' })
    if (type === 'leads.imported')
      expect(data).toMatchObject({ created: progress.leadsCreated, part: 1, parts: 1 })
    if (type === 'extraction.failed') expect(data).toMatchObject({ error, outcome: extraction.outcome })
  }
  const ids = events.map(event => event.id).sort()
  const delivered = receiver.deliveries.filter(({ event }) => ids.includes(event.id))
  expect(delivered.map(({ event }) => event.id).sort()).toEqual(ids)
}

/** Checks that the faults had no effect: the 40 newest listings are leads, as `maxResults` allows. */
async function expectNoEffect(faulty: FaultyRun): Promise<void> {
  const { extraction, tenant, listingIds } = faulty
  expect(extraction).toMatchObject({
    status: 'COMPLETED',
    outcome: 'partial',
    capped: true,
    error: null,
    skippedByReason: {},
  })
  expect(extraction.progress).toMatchObject({ leadsCreated: 40, skipped: 0, failed: 0, percent: 100 })
  const found = (await tenant.listAllLeads()).map(lead => lead.sources[0]!.listingId)
  expect(found.sort()).toEqual(listingIds.slice(0, 40).sort())
  await expectEvents(faulty)
}

/** Checks that a failed extraction keeps its leads, refunds the quota, and emits its events. */
async function expectFailed(faulty: FaultyRun, code: string, leads = 0): Promise<void> {
  const { extraction, tenant } = faulty
  expect(extraction).toMatchObject({
    status: 'FAILED',
    error: { code },
    outcome: leads > 0 ? 'partial' : null,
  })
  expect(extraction.error!.message).toMatch(/^[A-Z].*\.$/)
  expect(extraction.finishedAt).not.toBeNull()
  expect(extraction.progress.leadsCreated).toBe(leads)
  expect(await tenant.listAllLeads()).toHaveLength(leads)
  expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(0)
  expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(leads)
  await expectEvents(faulty)
}

describe.concurrent('temporary faults are retried', () => {
  test('an error page, on a search and on listings', async () => {
    const faulty = await extractWithFaults({
      search: { kind: 'status', status: 500, times: 1 },
      details: { kind: 'status', status: 503, times: 3 },
    })
    await expectNoEffect(faulty)
    expect(faulty.requestCounts).toEqual({ searches: 3, details: 43 })
  })

  test('a connection cut off within a page', async () => {
    await expectNoEffect(
      await extractWithFaults({ search: { kind: 'close', times: 1 }, details: { kind: 'close', times: 2 } }),
    )
  })

  test('429 with Retry-After, after the given time', async () => {
    const startedMs = performance.now()
    await expectNoEffect(
      await extractWithFaults({ search: { kind: 'status', status: 429, retryAfterSeconds: 2, times: 1 } }),
    )
    expect(performance.now() - startedMs).toBeGreaterThan(2000)
  })

  test('slowness', async () => {
    await expectNoEffect(await extractWithFaults({ search: { kind: 'latency', latencyMs: 1200 } }))
  })
})

describe.concurrent('permanent faults have an error code', () => {
  test('error pages only: PORTAL_UNAVAILABLE, after four attempts', async () => {
    const faulty = await extractWithFaults({ search: { kind: 'status', status: 500 } })
    await expectFailed(faulty, 'PORTAL_UNAVAILABLE')
    expect(faulty.requestCounts).toEqual({ searches: 4, details: 0 })
  })

  test('error pages from the second page on: the leads of the first page are kept', async () => {
    await expectFailed(
      await extractWithFaults({ page2: { kind: 'status', status: 502 } }),
      'PORTAL_UNAVAILABLE',
      30,
    )
  })

  test('connections cut off only: PORTAL_UNAVAILABLE', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'close' } }), 'PORTAL_UNAVAILABLE')
  })

  test('429 again and again: BLOCKED', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'status', status: 429 } }), 'BLOCKED')
  })

  test('403: BLOCKED, without a retry', async () => {
    const faulty = await extractWithFaults({ search: { kind: 'status', status: 403 } })
    await expectFailed(faulty, 'BLOCKED')
    expect(faulty.requestCounts.searches).toBe(1)
  })

  test('401: CREDENTIALS_INVALID', async () => {
    await expectFailed(
      await extractWithFaults({ search: { kind: 'status', status: 401 } }),
      'CREDENTIALS_INVALID',
    )
  })

  test.each([403, 200])('a robot check (status %i): BLOCKED', async status => {
    const faulty = await extractWithFaults({ search: { kind: 'challenge', status } })
    await expectFailed(faulty, 'BLOCKED')
    expect(faulty.requestCounts).toEqual({ searches: 1, details: 0 })
  })

  test('a robot check on one listing: BLOCKED, and the requests to the portal stop at once', async () => {
    const faulty = await extractWithFaults({
      fifth: { kind: 'challenge' },
      details: { kind: 'latency', latencyMs: 50 },
    })
    const { leadsCreated } = faulty.extraction.progress
    await expectFailed(faulty, 'BLOCKED', leadsCreated)
    // Only the requests that were in flight when it came.
    expect(faulty.requestCounts.details).toBeLessThan(2 * unthrottledConcurrency)
  })

  test('a sign-in page: BLOCKED', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'redirectToLogin' } }), 'BLOCKED')
  })

  test('a sign-in page in place of listings: BLOCKED', async () => {
    await expectFailed(await extractWithFaults({ details: { kind: 'redirectToLogin' } }), 'BLOCKED')
  })

  test('listings reported and none shown: LAYOUT_CHANGED, not COMPLETED without leads', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'empty' } }), 'LAYOUT_CHANGED')
  })

  test('listings reported and none shown on the second page: LAYOUT_CHANGED, the leads of the first are kept', async () => {
    await expectFailed(await extractWithFaults({ page2: { kind: 'empty' } }), 'LAYOUT_CHANGED', 30)
  })

  test('other markup: LAYOUT_CHANGED', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'layout' } }), 'LAYOUT_CHANGED')
  })

  test.each([40, 3])('other markup of the listings, %i requested: LAYOUT_CHANGED', async maxResults => {
    const faulty = await extractWithFaults({ details: { kind: 'layout' } }, maxResults)
    await expectFailed(faulty, 'LAYOUT_CHANGED')
    // The next page may already be requested when the listings of the first one fail.
    expect(faulty.requestCounts.searches).toBeLessThanOrEqual(maxResults > 30 ? 2 : 1)
  })

  test('an endless page: PORTAL_UNAVAILABLE, without a retry', async () => {
    const faulty = await extractWithFaults({ search: { kind: 'huge' } })
    await expectFailed(faulty, 'PORTAL_UNAVAILABLE')
    expect(faulty.requestCounts.searches).toBe(1)
  })
})

describe.concurrent('one listing', () => {
  test.each([404, 410])('that is gone (status %i) is skipped, and another is read instead', async status => {
    const faulty = await extractWithFaults({ fifth: { kind: 'status', status } }, 30)
    const { extraction, tenant, listingIds } = faulty
    expect(extraction).toMatchObject({
      status: 'COMPLETED',
      outcome: 'partial',
      capped: true,
      skippedByReason: { gone: 1 },
    })
    expect(extraction.progress).toMatchObject({
      listingsFound: 31,
      leadsCreated: 30,
      skipped: 1,
      failed: 0,
    })
    const found = (await tenant.listAllLeads()).map(lead => lead.sources[0]!.listingId)
    expect(found.sort()).toEqual(
      listingIds
        .slice(0, 31)
        .filter(id => id !== listingIds[4])
        .sort(),
    )
    await expectEvents(faulty)
  })

  test.each<Fault['kind']>(['layout', 'huge', 'close'])(
    'that cannot be read (%s) is counted as failed: the outcome is partial',
    async kind => {
      const faulty = await extractWithFaults({ fifth: { kind } }, 30)
      const { extraction, tenant } = faulty
      expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'partial', error: null })
      expect(extraction.progress).toMatchObject({ listingsRead: 30, leadsCreated: 30, failed: 1, skipped: 0 })
      expect(await tenant.listAllLeads()).toHaveLength(30)
      await expectEvents(faulty)
    },
  )
})
