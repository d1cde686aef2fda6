/** Incremental runs: they request only new and changed listings, and mark missing ones as withdrawn only when it is certain. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitUntilEnded } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Operation, PropertyType } from '../../simulator/listing.ts'
import type { PortalId } from '../../simulator/portals.ts'
import type { Extraction, ExtractionOptions } from './schemas.ts'

let app: TestApp
let simulator: Simulator
beforeAll(async () => {
  // Portals date changes by the real clock, so the simulated world must lie in the past.
  app = await startTestApp({ simulator: { asOf: '2025-01-01T00:00:00Z', listings: 5000 } })
  simulator = await app.app.getSimulator()
})
afterEach(() => simulator.faults.clear())
afterAll(() => app.stop())

interface Search {
  platform: PortalId
  town: string
  operation?: Operation
  propertyType?: PropertyType
}

async function run(
  tenant: TestTenant,
  search: Search,
  { maxResults = 1000, ...options }: Partial<ExtractionOptions> & { maxResults?: number } = {},
) {
  const { platform, town, operation = 'rent', propertyType = 'offices' } = search
  const path = `/platforms/${platform}/locations?q=${town}&limit=5`
  const { body: found } = await tenant.call<{ data: { id: string; label: string; type: string }[] }>(
    'GET',
    path,
  )
  const { id, label } = found.data.find(({ type }) => type === 'municipality')!
  const filters = { operation, propertyType, location: { id, label } }
  const body = { platform, filters, maxResults, options: { incremental: true, ...options } }
  const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
  expect(reply.status, reply.text).toBe(202)
  return waitUntilEnded(tenant, reply.body.extractionId)
}

const findListings = ({ town, operation = 'rent', propertyType = 'offices' }: Search) =>
  simulator.findListings({ operation, propertyType, city: town })

const countRequests = (platform: PortalId) => {
  const { search, detail, contact } = simulator.requests[platform]
  return { search, detail, contact }
}

async function listEvents(tenant: TestTenant, type: string) {
  const rows = await tenant.inTenant(tx =>
    tx.selectFrom('events').select('data').where('type', '=', type).orderBy('id').execute(),
  )
  return rows.map(({ data }) => data as Record<string, unknown>)
}

const everyKind: Search[] = [
  { platform: 'portal_a', town: 'sevilla' },
  { platform: 'portal_b', town: 'bilbao' },
  { platform: 'portal_c', town: 'vigo' },
  { platform: 'portal_d', town: 'braga' },
  { platform: 'portal_e', town: 'granada' },
  { platform: 'portal_f', town: 'torino' },
  { platform: 'portal_g', town: 'cordoba' },
]

describe('without details', () => {
  const search: Search = { platform: 'portal_a', town: 'malaga' }

  test('values from detail pages stay, although cards show fewer; a later run with details reads the pages again', async () => {
    const tenant = await makeTenant(app)
    const count = findListings(search).length
    const listProperties = async () =>
      new Map((await tenant.listAllLeads()).map(({ id, property }) => [id, property]))
    const fromCards = await run(tenant, search, { includeDetails: false })
    expect(fromCards.progress.leadsCreated).toBe(count)
    const little = await listProperties()
    const read = await run(tenant, search)
    expect(read.progress).toMatchObject({ listingsRead: count, leadsUpdated: count })
    const whole = await listProperties()
    expect(whole).not.toEqual(little)

    const again = await run(tenant, search, { includeDetails: false, incremental: false })
    expect(again.progress).toMatchObject({ leadsUpdated: 0, failed: 0 })
    expect(await listProperties()).toEqual(whole)
    expect((await run(tenant, search)).progress).toMatchObject({ listingsRead: 0, leadsUpdated: 0 })
  })
})

describe.each(everyKind)('on $platform', search => {
  const { platform } = search

  test('a second run requests no listing again; a third one finds the changed and the withdrawn one', async () => {
    const tenant = await makeTenant(app)
    const [first, second] = findListings(search)
    const before = await run(tenant, search)
    expect(before).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    expect(before.progress.leadsCreated).toBe(findListings(search).length)

    const requestsBefore = countRequests(platform)
    const again = await run(tenant, search)
    expect(again).toMatchObject({
      status: 'COMPLETED',
      outcome: 'full',
      progress: { leadsCreated: 0, leadsUpdated: 0, listingsRead: 0, failed: 0 },
    })
    expect(countRequests(platform)).toMatchObject({
      detail: requestsBefore.detail,
      contact: requestsBefore.contact,
    })

    simulator.change(first!.id, { price: first!.price + 50 })
    simulator.withdraw(second!.id)
    const third = await run(tenant, search)
    expect(third).toMatchObject({ status: 'COMPLETED', progress: { leadsCreated: 0, leadsUpdated: 1 } })
    // At most the changed listing and the missing one are requested.
    expect(countRequests(platform).detail - requestsBefore.detail).toBeLessThanOrEqual(2)

    const leads = await tenant.listAllLeads()
    const changed = leads.filter(({ priceHistory }) => priceHistory.length > 1)
    expect(changed.map(({ priceHistory }) => priceHistory.map(({ price }) => price))).toEqual([
      [first!.price, first!.price + 50],
    ])
    expect(await listEvents(tenant, 'lead.price_changed')).toMatchObject([
      {
        leadId: changed[0]!.id,
        platform,
        previousPrice: first!.price,
        price: first!.price + 50,
        currency: 'EUR',
      },
    ])
    const withdrawn = leads.filter(({ sources }) => sources.every(source => source.withdrawnAt !== null))
    expect(withdrawn.map(({ property }) => property.price)).toEqual([second!.price])
    expect(await listEvents(tenant, 'lead.withdrawn')).toMatchObject([{ leadId: withdrawn[0]!.id, platform }])
  })
})

describe('a listing missing from the search', () => {
  const search: Search = { platform: 'portal_a', town: 'madrid', propertyType: 'premises' }

  test('that still exists is requested, and stays', async () => {
    const tenant = await makeTenant(app)
    const listings = findListings(search)
    const dearest = listings.toSorted((a, b) => b.price - a.price)[0]!
    const filters = { maxPrice: dearest.price }
    const runBelow = async () => {
      const location = { id: search.town, label: search.town }
      const body = {
        platform: 'portal_a',
        filters: { operation: 'rent', propertyType: 'premises', location, ...filters },
        maxResults: 1000,
        options: { incremental: true },
      }
      const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
      return waitUntilEnded(tenant, reply.body.extractionId)
    }
    expect((await runBelow()).progress.leadsCreated).toBe(listings.length)
    simulator.change(dearest.id, { price: dearest.price + 500 })
    expect(await runBelow()).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    expect((await tenant.listAllLeads()).filter(({ sources }) => sources[0]!.withdrawnAt)).toEqual([])
    // The new value that moved it out of the search is stored.
    expect(await listEvents(tenant, 'lead.price_changed')).toMatchObject([{ price: dearest.price + 500 }])
    simulator.change(dearest.id, { price: dearest.price })
  })

  test.each([
    ['whose second page was empty', { kind: 'empty' as const, match: /page=2/ }, {}],
    ['whose search repeated its pages', { kind: 'loop' as const, match: /madrid/ }, {}],
    ['that was not incremental', {}, { incremental: false }],
  ])('is not withdrawn after a run %s', async (_what, fault, options) => {
    const tenant = await makeTenant(app)
    expect(findListings(search).length).toBeGreaterThan(30)
    await run(tenant, search)
    const last = findListings(search).at(-1)!
    simulator.withdraw(last.id)
    if ('kind' in fault) simulator.faults.add(fault)
    await run(tenant, search, options)
    expect(await listEvents(tenant, 'lead.withdrawn')).toEqual([])
    simulator.faults.clear()
    await run(tenant, search)
    expect(await listEvents(tenant, 'lead.withdrawn')).toHaveLength(1)
  })

  test('is not withdrawn after a run that stopped at maxResults', async () => {
    const tenant = await makeTenant(app)
    await run(tenant, search)
    const listings = findListings(search)
    for (const { id, price } of listings.slice(0, 5)) simulator.change(id, { price: price + 50 })
    simulator.withdraw(listings.at(-1)!.id)
    expect((await run(tenant, search, { maxResults: 3 })).progress.leadsUpdated).toBe(3)
    expect(await listEvents(tenant, 'lead.withdrawn')).toEqual([])
    expect((await run(tenant, search)).progress.leadsUpdated).toBe(2)
    expect(await listEvents(tenant, 'lead.withdrawn')).toHaveLength(1)
  })

  test('that comes back is listed again', async () => {
    const tenant = await makeTenant(app)
    await run(tenant, search)
    const [lead] = await tenant.listAllLeads()
    await tenant.inTenant(tx =>
      tx
        .updateTable('lead_sources')
        .set({ withdrawn_at: new Date() })
        .where('lead_id', '=', lead!.id)
        .execute(),
    )
    await run(tenant, search)
    expect((await tenant.listAllLeads()).filter(({ sources }) => sources[0]!.withdrawnAt)).toEqual([])
  })
})

/** As if the portal had no card hashes and no validators: then every listing must be read to detect a change. */
function clearSourceStates(tenant: TestTenant) {
  const noState = { card_hash: null, etag: null, last_modified: null }
  return tenant.inTenant(tx => tx.updateTable('lead_sources').set(noState).execute())
}

test('listings that turn out to be unchanged do not count towards maxResults', async () => {
  const tenant = await makeTenant(app)
  const search: Search = { platform: 'portal_a', town: 'zaragoza' }
  const { leadsCreated } = (await run(tenant, search)).progress
  await clearSourceStates(tenant)
  const last = findListings(search).at(-1)!
  simulator.change(last.id, { price: last.price + 50 })
  const again = await run(tenant, search, { maxResults: 3 })
  expect(again).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
  expect(again.progress).toMatchObject({ listingsFound: leadsCreated, leadsUpdated: 1, leadsCreated: 0 })
})

test('a change is found although the clock of the portal is behind ours', async () => {
  const tenant = await makeTenant(app)
  const search: Search = { platform: 'portal_g', town: 'malaga' }
  const { extractionId } = await run(tenant, search)
  await tenant.inTenant(tx =>
    tx
      .updateTable('extractions')
      .set({ search_started_at: new Date(Date.now() + 5 * 60_000) })
      .where('id', '=', extractionId)
      .execute(),
  )
  const [first] = findListings(search)
  simulator.change(first!.id, { price: first!.price + 50 })
  expect((await run(tenant, search)).progress).toMatchObject({ leadsUpdated: 1, leadsCreated: 0 })
})

test('the page of an unchanged listing is not sent again', async () => {
  const tenant = await makeTenant(app)
  const search: Search = { platform: 'portal_a', town: 'palma' }
  const first = await run(tenant, search, { incremental: false })
  const again = await run(tenant, search, { incremental: false })
  expect(again.progress).toMatchObject({
    listingsFound: first.progress.leadsCreated,
    duplicates: first.progress.leadsCreated,
    listingsRead: 0,
    leadsCreated: 0,
    leadsUpdated: 0,
  })
})
