/** Retries of failed and cancelled extractions: they resume where the first one stopped; together they store everything. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  extract,
  getExtraction,
  type Search,
  startExtraction,
  waitUntilEnded,
} from '../../../test/extraction.ts'
import { eventually, startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { Extraction } from './schemas.ts'

let app: TestApp
let simulator: Simulator
let listings: SimulatedListing[]
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
  listings = simulator.findListings(garages)
})
afterEach(() => simulator.faults.clear())
afterAll(() => app.stop())

// Four pages of thirty; the last one is not full.
const garages: Search = { operation: 'rent', propertyType: 'garages', city: 'barcelona' }
const pagePath = (page: number) =>
  new RegExp(`^/alquiler/garajes/barcelona/${page === 1 ? '$' : `\\?page=${page}$`}`)
const toDetailsPattern = (some: SimulatedListing[]) =>
  new RegExp(`^/inmueble/(${some.map(({ id }) => id).join('|')})/`)
/** More listings than the search has. */
const largeMax = 1000
/** An extraction that reached its maxResults. */
const capped = { status: 'COMPLETED', outcome: 'partial', capped: true }

function retry<T = Extraction>(tenant: TestTenant, { extractionId }: Pick<Extraction, 'extractionId'>) {
  return tenant.call<T>('POST', `/extractions/${extractionId}/retry`)
}

const waitUntil = (tenant: TestTenant, extractionId: string, isReached: (read: Extraction) => boolean) =>
  eventually(() => getExtraction(tenant, extractionId), isReached)

async function retryToEnd(tenant: TestTenant, extraction: Extraction): Promise<Extraction> {
  const { status, body, text } = await retry(tenant, extraction)
  expect(status, text).toBe(202)
  expect(body.extractionId).not.toBe(extraction.extractionId)
  expect(body).toMatchObject({ status: 'QUEUED', outcome: null, error: null, startedAt: null })
  return waitUntilEnded(tenant, body.extractionId)
}

type Fault = Parameters<Simulator['faults']['add']>[0]
const challenge = (match: RegExp): Fault => ({ kind: 'challenge', match })
const layout = (some: SimulatedListing[]): Fault => ({ kind: 'layout', match: toDetailsPattern(some) })

/** Runs the search with these faults until it fails. */
async function failWith(faults: Fault[], maxResults = largeMax) {
  const tenant = await makeTenant(app)
  for (const fault of faults) simulator.faults.add(fault)
  const failed = await extract(tenant, garages, { maxResults })
  simulator.faults.clear()
  expect(failed.status).toBe('FAILED')
  return { tenant, failed }
}

async function expectRefused(tenant: TestTenant, extraction: Extraction, message: RegExp): Promise<void> {
  const { status, body } = await retry<{ code: string; message: string }>(tenant, extraction)
  expect([status, body.code]).toEqual([409, 'INVALID_TRANSITION'])
  expect(body.message).toMatch(message)
}

/** Runs the search up to a page that shows a robot check. */
async function failAt(page: number, maxResults = largeMax) {
  const made = await failWith([challenge(pagePath(page))], maxResults)
  expect(made.failed.progress.leadsCreated).toBe(30 * (page - 1))
  return made
}

const countRequestsByPath = () => new Map(simulator.requests.portal_a.byPath)
/** The number of requests for each matching path since `before`. */
function countRequestsSince(before: Map<string, number>, match: RegExp): Record<string, number> {
  const all = [...countRequestsByPath()]
  const since = all.map(([path, times]) => [path, times - (before.get(path) ?? 0)] as const)
  return Object.fromEntries(since.filter(([path, times]) => times > 0 && match.test(path)))
}
const eachOnce = (some: SimulatedListing[]) =>
  Object.fromEntries(some.map(({ id }) => [`/inmueble/${id}/`, 1]))

/** Checks that each of these listings is one lead, and is counted once. */
async function expectLeads(tenant: TestTenant, expected: SimulatedListing[]): Promise<void> {
  const found = (await tenant.listAllLeads()).flatMap(lead => lead.sources.map(source => source.listingId))
  expect(found.sort()).toEqual(expected.map(({ id }) => id).sort())
  expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(expected.length)
}

describe('retrying an extraction that FAILED', () => {
  test('resumes at the page where it stopped, and requests no earlier page again', async () => {
    const { tenant, failed } = await failAt(3)
    const before = countRequestsByPath()
    const extraction = await retryToEnd(tenant, failed)
    expect(extraction).toMatchObject({
      status: 'COMPLETED',
      outcome: 'full',
      error: null,
      maxResults: largeMax - 60,
      filters: failed.filters,
      options: failed.options,
    })
    expect(extraction.progress).toEqual({
      pagesFetched: 2,
      listingsFound: listings.length - 60,
      listingsRead: listings.length - 60,
      leadsCreated: listings.length - 60,
      leadsUpdated: 0,
      duplicates: 0,
      skipped: 0,
      failed: 0,
      percent: 100,
    })
    expect(Object.keys(countRequestsSince(before, /^\/alquiler/))).toHaveLength(2)
    expect(countRequestsSince(before, /^\/inmueble/)).toEqual(eachOnce(listings.slice(60)))
    await expectLeads(tenant, listings)
    expect(await getExtraction(tenant, failed.extractionId)).toEqual(failed)
  })

  test('stores what was left of maxResults, and counts as one extraction', async () => {
    const { tenant, failed } = await failAt(3, 75)
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(0)
    const extraction = await retryToEnd(tenant, failed)
    expect(extraction).toMatchObject({ ...capped, maxResults: 15 })
    await expectLeads(tenant, listings.slice(0, 75))
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(1)
    await waitUntilIdle(app.database, tenant.tenantId)
    const events = await tenant.inTenant(tx => tx.selectFrom('events').select('type').execute())
    expect(events.map(({ type }) => type).sort()).toEqual([
      'extraction.completed',
      'extraction.failed',
      'extraction.started',
      'extraction.started',
      'leads.imported',
      'leads.imported',
    ])
  })

  test('does not read processed listings of the last page again, nor count them as new', async () => {
    const blocked = listings[44]!
    const before = countRequestsByPath()
    const { tenant, failed } = await failWith([challenge(toDetailsPattern([blocked]))])
    const kept = failed.progress.leadsCreated
    expect(failed).toMatchObject({ error: { code: 'BLOCKED' } })
    expect(kept).toBeGreaterThan(30)
    expect(kept).toBeLessThan(60)

    const extraction = await retryToEnd(tenant, failed)
    expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'full', maxResults: largeMax - kept })
    expect(extraction.progress).toMatchObject({ leadsCreated: listings.length - kept, leadsUpdated: 0 })
    expect(countRequestsSince(before, /^\/inmueble/)).toEqual({
      ...eachOnce(listings),
      [`/inmueble/${blocked.id}/`]: 2,
    })
    await expectLeads(tenant, listings)
  })

  test('also reads the listings that failed on earlier pages', async () => {
    // Three unreadable listings do not stop it on the first page; the challenge on the second page does.
    const { tenant, failed } = await failWith([layout(listings.slice(3, 6)), challenge(pagePath(2))])
    expect(failed).toMatchObject({ progress: { leadsCreated: 27, failed: 3 } })
    const before = countRequestsByPath()
    expect(await retryToEnd(tenant, failed)).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    expect(countRequestsSince(before, /^\/inmueble/)).toEqual(
      eachOnce([...listings.slice(3, 6), ...listings.slice(30)]),
    )
    await expectLeads(tenant, listings)
  })

  test('reads the listings that failed, once they are readable', async () => {
    const { tenant, failed } = await failWith([layout(listings.slice(30))])
    expect(failed).toMatchObject({ error: { code: 'LAYOUT_CHANGED' } })
    expect(failed.progress.failed).toBeGreaterThanOrEqual(5)
    expect(await retryToEnd(tenant, failed)).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    await expectLeads(tenant, listings)
  })

  test('that was itself a retry resumes where it stopped, and its progress is relative to the rest', async () => {
    const { tenant, failed } = await failAt(2)
    simulator.faults.add(challenge(pagePath(3)))
    const again = await retryToEnd(tenant, failed)
    simulator.faults.clear()
    const percent = Math.floor((100 * 30) / (listings.length - 30))
    expect(again).toMatchObject({ status: 'FAILED', progress: { leadsCreated: 30, percent } })
    const before = countRequestsByPath()
    const last = await retryToEnd(tenant, again)
    expect(last).toMatchObject({ status: 'COMPLETED', outcome: 'full', maxResults: largeMax - 60 })
    expect(countRequestsSince(before, /^\/inmueble/)).toEqual(eachOnce(listings.slice(60)))
    await expectLeads(tenant, listings)
  })

  test('is not full if a listing stays unread', async () => {
    const unreadable = layout(listings.slice(4, 5))
    const { tenant, failed } = await failWith([unreadable, challenge(pagePath(3))])
    expect(failed).toMatchObject({ progress: { leadsCreated: 59, failed: 1 } })
    simulator.faults.add(unreadable)
    expect(await retryToEnd(tenant, failed)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
  })

  test('a second time creates no duplicates', async () => {
    const { tenant, failed } = await failAt(3)
    await retryToEnd(tenant, failed)
    const { progress } = await retryToEnd(tenant, failed)
    expect(progress).toMatchObject({ leadsCreated: 0, duplicates: listings.length - 60 })
    await expectLeads(tenant, listings)
  })
})

describe('retrying an extraction that was CANCELLED', () => {
  test('while it ran resumes at its current page', async () => {
    const tenant = await makeTenant(app)
    simulator.faults.add({ kind: 'hang', match: toDetailsPattern(listings.slice(30)) })
    const { extractionId } = await startExtraction(tenant, garages, { maxResults: largeMax })
    await waitUntil(tenant, extractionId, ({ progress }) => progress.leadsCreated === 30)
    const { body: cancelled } = await tenant.call<Extraction>('POST', `/extractions/${extractionId}/cancel`)
    simulator.faults.clear()
    const before = countRequestsByPath()
    const extraction = await retryToEnd(tenant, cancelled)
    expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'full', maxResults: largeMax - 30 })
    expect(countRequestsSince(before, /^\/inmueble/)).toEqual(eachOnce(listings.slice(30)))
    expect(countRequestsSince(before, pagePath(1))).toEqual({})
    await expectLeads(tenant, listings)
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(2)
  })

  test('before it started starts at the first page', async () => {
    const api = await startTestAppForTest({ env: { ROLE: 'api' } })
    const tenant = await makeTenant(api)
    const extraction = await startExtraction(tenant, garages, { maxResults: 35 })
    await tenant.call('POST', `/extractions/${extraction.extractionId}/cancel`)
    const { body } = await retry(tenant, extraction)
    expect(body).toMatchObject({ status: 'QUEUED', maxResults: 35 })
    await startTestAppForTest({ env: { ROLE: 'worker' }, databaseUrl: api.config.databaseUrl! })
    expect(await waitUntilEnded(tenant, body.extractionId)).toMatchObject(capped)
    await expectLeads(tenant, listings.slice(0, 35))
  })

  test('after it reached maxResults is 409: nothing is left to resume', async () => {
    const tenant = await makeTenant(app)
    const extraction = await extract(tenant, garages, { maxResults: 5 })
    // As if it had been cancelled between its last listing and its end.
    await tenant.inTenant(tx => tx.updateTable('extractions').set({ status: 'CANCELLED' }).execute())
    await expectRefused(tenant, extraction, /had reached its maxResults/)
  })
})

describe('retrying', () => {
  test('an active or completed extraction is 409 and names the allowed states', async () => {
    const tenant = await makeTenant(app)
    const completed = await extract(tenant, garages, { maxResults: 1 })
    simulator.faults.add({ kind: 'hang', match: pagePath(1) })
    const { extractionId } = await startExtraction(tenant, garages)
    const running = await waitUntil(tenant, extractionId, ({ status }) => status === 'RUNNING')
    for (const extraction of [completed, running])
      await expectRefused(tenant, extraction, new RegExp(`${extraction.status}.*FAILED or was CANCELLED`))
    await tenant.call('POST', `/extractions/${extractionId}/cancel`)
  })

  test('beyond the quota is 429 and creates no extraction', async () => {
    const { tenant, failed } = await failAt(2)
    await tenant.limitQuota('maxExtractionsPerMonth', 0)
    expect(await retry(tenant, failed)).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } })
    const { body: list } = await tenant.call<{ data: Extraction[] }>('GET', '/extractions')
    expect(list.data).toEqual([failed])
  })

  test('creates one extraction if the request is repeated with its Idempotency-Key', async () => {
    const { tenant, failed } = await failAt(2)
    const headers = { 'idempotency-key': 'again' }
    const path = `/extractions/${failed.extractionId}/retry`
    const send = () => tenant.call<Extraction>('POST', path, { headers })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.body]).toEqual([202, first.body])
    await waitUntilEnded(tenant, first.body.extractionId)
    expect((await tenant.call<{ data: Extraction[] }>('GET', '/extractions')).body.data).toHaveLength(2)
  })

  test('after the portal has lost its address is 422', async () => {
    const env = { ROLE: 'api', PORTAL_URLS: 'portal_a=http://127.0.0.1:9' }
    const configured = await startTestAppForTest({ env })
    const { databaseUrl } = configured.config
    const bare = await startTestAppForTest({ env: { ROLE: 'api' }, databaseUrl: databaseUrl! })
    const live = await makeTenant(configured, 'live')
    const extraction = await startExtraction(live, garages)
    await live.call('POST', `/extractions/${extraction.extractionId}/cancel`)
    const path = `/extractions/${extraction.extractionId}/retry`
    const refused = { status: 422, body: { code: 'PORTAL_UNCONFIGURED' } }
    expect(await bare.call('POST', path, { key: live.key })).toMatchObject(refused)
    expect((await live.call('POST', path)).status).toBe(202)
  })
})
