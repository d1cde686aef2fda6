/** What saved searches find: new, cheaper, gone and returned listings, and never what a run has not read. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  changeListing,
  listChanges,
  runAt,
  type SavedSearch,
  startSearch,
  summarize,
  toFilters,
  waitForRuns,
} from '../../../../test/saved-searches.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Simulator } from '../../../simulator/index.ts'
import type { SimulatedListing } from '../../../simulator/listing.ts'

let app: TestApp
let simulator: Simulator
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  simulator = await app.app.getSimulator()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})
afterEach(() => simulator.faults.clear())

/** The cheapest first. */
const findOffices = (town: string): SimulatedListing[] =>
  simulator
    .findListings({ operation: 'rent', propertyType: 'offices', city: town })
    .toSorted((a, b) => a.price - b.price)

const listEvents = async () => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ data: Record<string, unknown> & { changes: object[] } }>`
      select data from events where tenant_id = ${tenant.tenantId} and type = 'campaign.search_changed' order by id`.execute(
      tx,
    ),
  )
  return rows.map(({ data }) => data)
}

test('the first run is the baseline; the next one reports what is new, cheaper and gone, in one event', async () => {
  const offices = findOffices('granada')
  const dearest = offices.at(-1)!
  const [cheaper, dearer, withdrawn, moved] = offices.map(({ id }) => id) as [string, string, string, string]
  const maxPrice = dearest.price - 1
  const search = await startSearch(tenant, { maxPrice })
  await waitForRuns(tenant, search.id, 1)
  expect(await listChanges(tenant, search.id)).toEqual([])
  await changeListing(tenant, cheaper, { price: offices[0]!.price - 20 })
  await changeListing(tenant, dearer, { price: offices[1]!.price + 20 })
  await changeListing(tenant, withdrawn, { withdrawn: true })
  await changeListing(tenant, moved, { price: maxPrice + 500 })
  await changeListing(tenant, dearest.id, { price: maxPrice })
  const run = await runAt(tenant, search, 1)
  expect(run).toMatchObject({ status: 'completed', incremental: true })
  const changes = await listChanges(tenant, search.id)
  expect(summarize(changes)).toEqual(
    [
      `cheaper ${cheaper}`,
      `gone ${moved} NOT_IN_SEARCH`,
      `gone ${withdrawn} LISTING_WITHDRAWN`,
      `new ${dearest.id}`,
    ].sort(),
  )
  const percent = Math.round((-20 / offices[0]!.price) * 1000) / 10
  expect(changes.find(({ type }) => type === 'cheaper')).toMatchObject({
    runId: run.id,
    platform: 'portal_a',
    previousPrice: offices[0]!.price,
    price: offices[0]!.price - 20,
    changePercent: percent,
    currency: 'EUR',
    municipality: 'Granada',
    url: expect.stringContaining(cheaper),
    title: expect.any(String),
  })
  const [event, ...others] = await listEvents()
  expect(others).toEqual([])
  expect(event).toMatchObject({ campaignId: search.id, runId: run.id, new: 1, cheaper: 1, gone: 2 })
  expect(event!.changes).toHaveLength(4)
  // What is found is found once.
  await runAt(tenant, search, 2)
  expect(await listChanges(tenant, search.id)).toHaveLength(4)
  expect(await listEvents()).toHaveLength(1)
  const { body: page } = await tenant.call<{ data: object[]; nextCursor: string | null }>(
    'GET',
    `/campaigns/${search.id}/changes?type=gone&limit=1`,
  )
  expect(page.data).toMatchObject([{ type: 'gone' }])
  expect(await listChanges(tenant, search.id, `type=gone&cursor=${page.nextCursor}`)).toHaveLength(1)

  // A listing that was gone and is back is new again, with what it cost before.
  await changeListing(tenant, withdrawn, { withdrawn: false, price: offices[2]!.price - 10 })
  await changeListing(tenant, moved, { price: offices[3]!.price })
  const third = await runAt(tenant, search, 3)
  const returned = await listChanges(tenant, search.id, `runId=${third.id}`)
  expect(summarize(returned)).toEqual([`new ${moved} returned`, `new ${withdrawn} returned`].sort())
  expect(returned.find(({ listingId }) => listingId === withdrawn)).toMatchObject({
    previousPrice: offices[2]!.price,
    price: offices[2]!.price - 10,
  })
})

test('only the chosen types are in the event; all are listed', async () => {
  const [first, second] = findOffices('granada') as [SimulatedListing, SimulatedListing]
  const search = await startSearch(tenant, { notifications: { changes: ['cheaper'] } })
  await waitForRuns(tenant, search.id, 1)
  await changeListing(tenant, first.id, { withdrawn: true })
  await runAt(tenant, search, 1)
  expect(await listEvents()).toEqual([])
  await changeListing(tenant, second.id, { price: second.price - 1 })
  await changeListing(tenant, first.id, { withdrawn: false })
  await runAt(tenant, search, 2)
  expect(await listEvents()).toMatchObject([{ new: 0, cheaper: 1, gone: 0, changes: [{ type: 'cheaper' }] }])
  expect(await listChanges(tenant, search.id)).toHaveLength(3)
})

describe('a run that has not read everything reports nothing as gone:', () => {
  const pages: SavedSearch = { town: 'madrid', propertyType: 'premises' }
  const listings = () =>
    simulator.findListings({ operation: 'rent', propertyType: 'premises', city: 'madrid' })

  test.each([
    ['it was blocked', 'failed', { kind: 'challenge' as const, portal: 'portal_a' }],
    [
      'robots.txt forbids the search',
      'failed',
      { kind: 'status' as const, status: 503, match: '/robots.txt' },
    ],
    ['its search repeated its pages', 'completed', { kind: 'loop' as const, match: /madrid/ }],
  ])('%s', async (_why, status, fault) => {
    const last = listings().at(-1)!
    const search = await startSearch(tenant, pages)
    await waitForRuns(tenant, search.id, 1)
    await changeListing(tenant, last.id, { withdrawn: true })
    simulator.faults.add(fault)
    expect(await runAt(tenant, search, 1)).toMatchObject({ status })
    expect(await listChanges(tenant, search.id)).toEqual([])
    simulator.faults.clear()
    expect(await runAt(tenant, search, 2)).toMatchObject({ status: 'completed' })
    expect(summarize(await listChanges(tenant, search.id))).toEqual([`gone ${last.id} LISTING_WITHDRAWN`])
  })

  test('it was retried, and its retry has read only the second half', async () => {
    const listed = listings()
    const search = await startSearch(tenant, pages)
    await waitForRuns(tenant, search.id, 1)
    await changeListing(tenant, listed[0]!.id, { withdrawn: true })
    simulator.faults.add({ kind: 'challenge', match: /page=3/ })
    const failed = await runAt(tenant, search, 1)
    expect(failed).toMatchObject({ status: 'failed' })
    expect(failed.checkedUrls).toBeGreaterThan(30)
    simulator.faults.clear()
    const retry = await tenant.call('POST', `/extractions/${failed.extractionId}/retry`)
    expect(retry.status, retry.text).toBe(202)
    const [run] = await waitForRuns(tenant, search.id, 3)
    expect(run).toMatchObject({ status: 'completed', reason: null })
    expect(run!.checkedUrls).toBeLessThan(listed.length)
    expect(summarize(await listChanges(tenant, search.id))).toEqual([
      `gone ${listed[0]!.id} LISTING_WITHDRAWN`,
    ])
  })

  test('a quota of leads ended it', async () => {
    const offices = findOffices('granada')
    const dearest = offices.at(-1)!
    const search = await startSearch(tenant, { maxPrice: dearest.price - 1 })
    const [first] = await waitForRuns(tenant, search.id, 1)
    await tenant.limitQuota('maxLeadsPerMonth', first!.leadsCreated)
    await changeListing(tenant, offices[0]!.id, { price: dearest.price + 1 })
    await changeListing(tenant, dearest.id, { price: dearest.price - 1 })
    expect(await runAt(tenant, search, 1)).toMatchObject({ reason: { code: 'LEADS_NOT_STORED' } })
    expect(await listChanges(tenant, search.id)).toEqual([])
    await setQuota(1000)
    await runAt(tenant, search, 2)
    expect(summarize(await listChanges(tenant, search.id))).toEqual(
      [`gone ${offices[0]!.id} NOT_IN_SEARCH`, `new ${dearest.id}`].sort(),
    )
  })

  test('its portal was requested only for changes', async () => {
    const town = 'cordoba'
    const [cheaper] = findOffices(town) as [SimulatedListing]
    const search = await startSearch(tenant, { platform: 'portal_g', town })
    await waitForRuns(tenant, search.id, 1)
    await startEarlier()
    simulator.change(cheaper.id, { price: cheaper.price - 1 })
    const run = await runAt(tenant, search, 1)
    simulator.change(cheaper.id, { price: cheaper.price })
    expect(run).toMatchObject({ status: 'completed', incremental: true, checkedUrls: 1 })
    expect(summarize(await listChanges(tenant, search.id))).toEqual([`cheaper ESG-${cheaper.id}`])
  })
})

/** The portal dates its changes by the clock of the machine, which the environment's is ahead of. */
const startEarlier = () =>
  tenant.inTenant(tx =>
    sql`update extractions set search_started_at = search_started_at - interval '2 hours' where tenant_id = ${tenant.tenantId}`.execute(
      tx,
    ),
  )

const setQuota = (limit: number) =>
  tenant.inTenant(tx =>
    sql`update quota_limits set monthly_limit = ${limit} where tenant_id = ${tenant.tenantId}`.execute(tx),
  )

describe('the baseline', () => {
  test('that a quota has cut goes on with the next run: what it had not read is not new', async () => {
    await tenant.limitQuota('maxLeadsPerMonth', 3)
    const search = await startSearch(tenant)
    await waitForRuns(tenant, search.id, 1)
    await setQuota(1000)
    expect(await runAt(tenant, search, 1)).toMatchObject({ incremental: false, reason: null })
    expect(await runAt(tenant, search, 2)).toMatchObject({ incremental: true })
    expect(await listChanges(tenant, search.id)).toEqual([])
  })

  test('begins when notifications are switched on, and again when they were off or the search has changed', async () => {
    const [cheapest, second] = findOffices('granada') as [SimulatedListing, SimulatedListing]
    const search = await startSearch(tenant, { notifications: null })
    await waitForRuns(tenant, search.id, 1)
    const patch = (body: object) => tenant.call('PATCH', `/campaigns/${search.id}`, { body })
    await patch({ settings: { notifications: {} } })
    expect(await runAt(tenant, search, 1)).toMatchObject({ incremental: false })
    await changeListing(tenant, cheapest.id, { withdrawn: true })
    await runAt(tenant, search, 2)
    expect(summarize(await listChanges(tenant, search.id))).toEqual([`gone ${cheapest.id} LISTING_WITHDRAWN`])
    await patch({ settings: { notifications: null } })
    await changeListing(tenant, second.id, { withdrawn: true })
    expect(await runAt(tenant, search, 3)).toMatchObject({ incremental: true })
    await patch({ settings: { notifications: {} } })
    expect(await runAt(tenant, search, 4)).toMatchObject({ incremental: false })
    await patch({ segmentation: { filters: await toFilters(tenant, { town: 'sevilla' }) } })
    expect(await runAt(tenant, search, 5)).toMatchObject({ incremental: false, status: 'completed' })
    expect(await listChanges(tenant, search.id)).toHaveLength(1)
  })
})

test('a deleted lead takes its changes along, and is not new again', async () => {
  const [first] = findOffices('granada') as [SimulatedListing]
  const search = await startSearch(tenant)
  await waitForRuns(tenant, search.id, 1)
  await changeListing(tenant, first.id, { price: first.price - 1 })
  await runAt(tenant, search, 1)
  const [change] = await listChanges(tenant, search.id)
  await tenant.call('DELETE', `/leads/${change!.leadId}`)
  expect(await listChanges(tenant, search.id)).toEqual([])
  expect(await runAt(tenant, search, 2)).toMatchObject({ leadsCreated: 1 })
  expect(await listChanges(tenant, search.id)).toEqual([])
})

test('a campaign without a search is refused notifications', async () => {
  const post = (platform: string, notifications: object) =>
    tenant.call<{ errors: { path: string; code: string }[] }>('POST', '/campaigns', {
      body: { name: 'n', platform, settings: { notifications } },
    })
  const refused = await post('csv_import', {})
  expect([refused.status, refused.body.errors]).toMatchObject([
    400,
    [{ path: '/settings/notifications', code: 'NOT_ALLOWED' }],
  ])
  const emails = ['ana@agency.example', 'ANA@agency.example']
  expect(
    (await post('portal_a', { emails, changes: [], digest: { at: '24:00' } })).body.errors,
  ).toMatchObject([
    { path: '/settings/notifications/changes', code: 'TOO_FEW' },
    { path: '/settings/notifications/digest/at', code: 'WRONG_FORMAT' },
    { path: '/settings/notifications/emails/1', code: 'DUPLICATE' },
  ])
})
