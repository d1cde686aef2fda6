/** Extractions from a portal that misbehaves: what passes is waited out, what does not is told by its name. */
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
  simulator = await app.app.simulator()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})

// Each test spoils a search that no other one asks for, so that they can run at once.
const cities = 'cordoba murcia zaragoza bilbao granada palma malaga alicante sevilla valencia'.split(' ')
const searches = cities.flatMap(city =>
  (['offices', 'premises', 'garages'] as const).map(
    (propertyType): Search => ({ operation: 'sale', propertyType, city }),
  ),
)

/** Where a fault strikes: all pages of the search, the second one, all adverts, or the fifth alone. */
type FaultTarget = 'search' | 'page2' | 'details' | 'fifth'

interface FaultyRun {
  tenant: TestTenant
  extraction: Extraction
  search: Search
  /** Ids of the adverts that the search finds, newest first. */
  listingIds: string[]
  /** How often the pages of the search were asked for, and those of its adverts. */
  requestCounts: { searches: number; details: number }
}

/** Runs an extraction under faults. Where two strike one page, it is the first that does. */
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
  for (const [requestPath, fault] of Object.entries(faults))
    simulator.faults.set({ ...fault, match: matches[requestPath as FaultTarget] })
  const tenant = await makeTenant(app)
  await subscribe(tenant, receiver)
  const { extractionId } = await startExtraction(tenant, search, { maxResults })
  const extraction = await waitUntilEnded(tenant, extractionId, 28_000)
  const count = (match: RegExp) =>
    [...simulator.requests.portal_a.byPath].reduce(
      (sum, [requestPath, times]) => sum + (match.test(requestPath) ? times : 0),
      0,
    )
  const requestCounts = { searches: count(new RegExp(`^${path}`)), details: count(details(listingIds)) }
  return { tenant, extraction, search, listingIds, requestCounts }
}

/** Checks that what happened was told: once, in the form of each event's schema, to the subscriber as well. */
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

async function expectFull(faulty: FaultyRun): Promise<void> {
  const { extraction, tenant, listingIds } = faulty
  expect(extraction).toMatchObject({
    status: 'COMPLETED',
    outcome: 'partial',
    capped: true,
    error: null,
    skippedByReason: {},
  })
  expect(extraction.progress).toMatchObject({ leadsCreated: 40, skipped: 0, failed: 0, percent: 100 })
  const found = (await tenant.allLeads()).map(lead => lead.sources[0]!.listingId)
  expect(found.sort()).toEqual(listingIds.slice(0, 40).sort())
  await expectEvents(faulty)
}

/** A failure keeps what was read, gives the extraction back to the quota, and is told. */
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
  expect(await tenant.allLeads()).toHaveLength(leads)
  expect(await tenant.quotaUsed('maxExtractionsPerMonth')).toBe(0)
  expect(await tenant.quotaUsed('maxLeadsPerMonth')).toBe(leads)
  await expectEvents(faulty)
}

describe.concurrent('faults that pass are waited out', { timeout: 30_000 }, () => {
  test('an error page, on a search and on adverts', async () => {
    const faulty = await extractWithFaults({
      search: { kind: 'status', status: 500, times: 1 },
      details: { kind: 'status', status: 503, times: 3 },
    })
    await expectFull(faulty)
    expect(faulty.requestCounts).toEqual({ searches: 3, details: 43 })
  })

  test('a connection cut off within a page', async () => {
    await expectFull(
      await extractWithFaults({ search: { kind: 'close', times: 1 }, details: { kind: 'close', times: 2 } }),
    )
  })

  test('429 with Retry-After, for as long as the portal asked', async () => {
    const startedMs = performance.now()
    await expectFull(
      await extractWithFaults({ search: { kind: 'status', status: 429, retryAfterSeconds: 2, times: 1 } }),
    )
    expect(performance.now() - startedMs).toBeGreaterThan(2000)
  })

  test('slowness', async () => {
    await expectFull(await extractWithFaults({ search: { kind: 'latency', latencyMs: 1200 } }))
  })
})

describe.concurrent('faults that do not pass have a name', { timeout: 30_000 }, () => {
  test('error pages only: PORTAL_UNAVAILABLE, after four tries', async () => {
    const faulty = await extractWithFaults({ search: { kind: 'status', status: 500 } })
    await expectFailed(faulty, 'PORTAL_UNAVAILABLE')
    expect(faulty.requestCounts).toEqual({ searches: 4, details: 0 })
  })

  test('error pages from the second page on: what the first brought is kept', async () => {
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

  test('403: BLOCKED, and not asked again', async () => {
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

  test('a robot check on one advert: BLOCKED, and the portal is left alone at once', async () => {
    const faulty = await extractWithFaults({
      fifth: { kind: 'challenge' },
      details: { kind: 'latency', latencyMs: 50 },
    })
    const { leadsCreated } = faulty.extraction.progress
    await expectFailed(faulty, 'BLOCKED', leadsCreated)
    // Those that were under way when it came, and no other.
    expect(faulty.requestCounts.details).toBeLessThan(2 * unthrottledConcurrency)
  })

  test('a sign-in page: BLOCKED', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'redirectToLogin' } }), 'BLOCKED')
  })

  test('a sign-in page in place of adverts: BLOCKED', async () => {
    await expectFailed(await extractWithFaults({ details: { kind: 'redirectToLogin' } }), 'BLOCKED')
  })

  test('adverts promised and none shown: LAYOUT_CHANGED, never complete with nothing', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'empty' } }), 'LAYOUT_CHANGED')
  })

  test('adverts promised and none shown on the second page: LAYOUT_CHANGED, the first is kept', async () => {
    await expectFailed(await extractWithFaults({ page2: { kind: 'empty' } }), 'LAYOUT_CHANGED', 30)
  })

  test('other markup: LAYOUT_CHANGED', async () => {
    await expectFailed(await extractWithFaults({ search: { kind: 'layout' } }), 'LAYOUT_CHANGED')
  })

  test.each([40, 3])('other markup of the adverts, %i asked for: LAYOUT_CHANGED', async maxResults => {
    const faulty = await extractWithFaults({ details: { kind: 'layout' } }, maxResults)
    await expectFailed(faulty, 'LAYOUT_CHANGED')
    // The next page may be under way when the adverts of the first tell.
    expect(faulty.requestCounts.searches).toBeLessThanOrEqual(maxResults > 30 ? 2 : 1)
  })

  test('a page without end: PORTAL_UNAVAILABLE, and not asked again', async () => {
    const faulty = await extractWithFaults({ search: { kind: 'huge' } })
    await expectFailed(faulty, 'PORTAL_UNAVAILABLE')
    expect(faulty.requestCounts.searches).toBe(1)
  })
})

describe.concurrent('one advert', { timeout: 30_000 }, () => {
  test.each([404, 410])(
    'that is gone (status %i) is skipped, and another is read in its place',
    async status => {
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
      const found = (await tenant.allLeads()).map(lead => lead.sources[0]!.listingId)
      expect(found.sort()).toEqual(
        listingIds
          .slice(0, 31)
          .filter(id => id !== listingIds[4])
          .sort(),
      )
      await expectEvents(faulty)
    },
  )

  test.each<Fault['kind']>(['layout', 'huge', 'close'])(
    'that can not be read (%s) is counted as failed: the outcome is partial',
    async kind => {
      const faulty = await extractWithFaults({ fifth: { kind } }, 30)
      const { extraction, tenant } = faulty
      expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'partial', error: null })
      expect(extraction.progress).toMatchObject({ listingsRead: 30, leadsCreated: 30, failed: 1, skipped: 0 })
      expect(await tenant.allLeads()).toHaveLength(30)
      await expectEvents(faulty)
    },
  )
})
