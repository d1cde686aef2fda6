/** Extractions over HTTP from the simulator: they store exactly the requested listings, with correct counters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  extract,
  getExtraction,
  holdAnswers,
  mapByListingId,
  type Search,
  startExtraction,
  toComparableLead,
  toExpectedLead,
  toExtractionBody,
  waitUntilEnded,
} from '../../../test/extraction.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import type { Simulator } from '../../simulator/index.ts'

// 44 listings: a full page and a partial one.
const offices: Search = { operation: 'sale', propertyType: 'offices', city: 'cordoba' }
const homes: Search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' }

let app: TestApp
let simulator: Simulator
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
})
afterAll(() => app.stop())

const counters = { skipped: 0, failed: 0, leadsUpdated: 0, duplicates: 0 }

describe('an extraction', () => {
  test('is accepted at once as QUEUED, with the request and its defaults filled in', async () => {
    const tenant = await makeTenant(app)
    const body = toExtractionBody(offices)
    const reply = await tenant.call<Awaited<ReturnType<typeof startExtraction>>>('POST', '/extractions', {
      body,
    })
    expect(reply.status).toBe(202)
    const zeros = { pagesFetched: 0, listingsFound: 0, listingsRead: 0, leadsCreated: 0, percent: 0 }
    expect(reply.body).toMatchObject({
      status: 'QUEUED',
      platform: 'portal_a',
      maxResults: 50,
      environment: 'test',
      outcome: null,
      error: null,
      startedAt: null,
      finishedAt: null,
      campaignId: null,
      filters: body.filters,
      options: { includeDetails: true, advertiserType: 'any', updateExisting: true, tags: [] },
      progress: { ...counters, ...zeros },
    })
    await waitUntilEnded(tenant, reply.body.extractionId)
  })

  test('shows its progress page by page', async () => {
    const tenant = await makeTenant(app)
    const secondPage = '/venta/locales/barcelona/?page=2'
    const release = holdAnswers(simulator, [secondPage])
    const search: Search = { operation: 'sale', propertyType: 'premises', city: 'barcelona' }
    const { extractionId } = await startExtraction(tenant, search, { maxResults: 60 })
    const running = await eventually(
      () => getExtraction(tenant, extractionId),
      ({ progress }) => progress.pagesFetched > 0,
    )
    expect(running).toMatchObject({ status: 'RUNNING', outcome: null, finishedAt: null })
    const firstPage = { pagesFetched: 1, listingsFound: 30, listingsRead: 30, leadsCreated: 30, percent: 50 }
    expect(running.progress).toEqual({ ...counters, ...firstPage })
    expect((await tenant.listLeads()).data).toHaveLength(30)
    release(secondPage)
    const { status, progress, startedAt, finishedAt } = await waitUntilEnded(tenant, extractionId)
    expect([status, progress.leadsCreated, progress.percent]).toEqual(['COMPLETED', 60, 100])
    expect(Date.parse(finishedAt!)).toBeGreaterThan(Date.parse(startedAt!))
  })

  test('stores every listing of the search with its values on the portal', async () => {
    const tenant = await makeTenant(app)
    const listings = simulator.findListings(offices)
    const extraction = await extract(tenant, offices, { maxResults: 1000, options: { tags: ['a', 'b'] } })
    expect(extraction).toMatchObject({
      status: 'COMPLETED',
      outcome: 'full',
      capped: false,
      error: null,
      skippedByReason: {},
    })
    const all = listings.length
    const read = { pagesFetched: 2, listingsFound: all, listingsRead: all, leadsCreated: all, percent: 100 }
    expect(extraction.progress).toEqual({ ...counters, ...read })

    const leads = mapByListingId(await tenant.listAllLeads())
    expect(leads.size).toBe(all)
    for (const listing of listings) {
      const lead = leads.get(listing.id)!
      expect(toComparableLead(lead)).toEqual(toExpectedLead(listing, simulator.portalUrl('portal_a')))
      const { extractionId } = extraction
      expect(lead).toMatchObject({ status: 'new', tags: ['a', 'b'], campaignId: null })
      expect(lead.sources).toMatchObject([{ platform: 'portal_a', listingId: listing.id, extractionId }])
    }
    const listed = await tenant.listLeads({ extractionId: extraction.extractionId, limit: 200 })
    expect(listed.data).toHaveLength(all)
  })

  test('without details stores what the cards show, and requests no page of a listing', async () => {
    const tenant = await makeTenant(app)
    const search: Search = { ...offices, city: 'malaga' }
    const listings = simulator.findListings(search)
    const before = simulator.requests.portal_a.detail
    await extract(tenant, search, { maxResults: 1000, options: { includeDetails: false } })
    expect(simulator.requests.portal_a.detail).toBe(before)
    const leads = mapByListingId(await tenant.listAllLeads())
    expect(leads.size).toBe(listings.length)
    for (const { id, title, price, squareMeters, advertiser } of listings) {
      expect(leads.get(id)!.property).toMatchObject({ title, price, squareMeters, latitude: null })
      expect(leads.get(id)!.contact).toMatchObject({ phone: null, advertiserType: advertiser.type })
    }
  })

  test.each<[string, object, object]>([
    ['price', { minPrice: 100_000, maxPrice: 250_000 }, {}],
    ['rooms and features', { minRooms: 2, maxRooms: 3, features: ['lift', 'terrace'] }, {}],
    ['condition and size', { condition: 'to_renovate', minSquareMeters: 80 }, {}],
    ['advertiser', { advertiserType: 'private' }, {}],
    ['advertiser, as an option', {}, { advertiserType: 'private' }],
    ['age, as an option', {}, { publishedWithinDays: 7 }],
  ])('with filters by %s finds exactly the matching listings', async (_what, filters, options) => {
    const tenant = await makeTenant(app)
    const search: Search = { operation: 'sale', propertyType: 'homes', city: 'sevilla' }
    const listings = simulator.findListings({ ...search, ...filters, ...options })
    expect(listings.length).toBeGreaterThan(0)
    expect(listings.length).toBeLessThan(simulator.findListings(search).length)
    await extract(tenant, search, {
      filters,
      maxResults: 1000,
      options: { ...options, includeDetails: false },
    })
    const found = (await tenant.listAllLeads()).map(lead => lead.sources[0]!.listingId)
    expect(found.sort()).toEqual(listings.map(listing => listing.id).sort())
  })

  test('of a search without results is COMPLETED with no leads', async () => {
    const tenant = await makeTenant(app)
    const extraction = await extract(tenant, offices, { filters: { maxPrice: 1 } })
    expect(extraction).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    expect(extraction.progress).toMatchObject({ pagesFetched: 1, listingsFound: 0, percent: 100 })
  })

  test('of another tenant is 404, even of the same workspace in live', async () => {
    const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
    const { extractionId } = await extract(tenant, offices, { maxResults: 1 })
    expect((await other.call('GET', `/extractions/${extractionId}`)).status).toBe(404)
    const live = await app.call('GET', `/extractions/${extractionId}`, { key: app.workspace.liveKey })
    expect(live.status).toBe(404)
  })

  test('is started once by a repeated request', async () => {
    const tenant = await makeTenant(app)
    const send = () =>
      tenant.call<{ extractionId: string }>('POST', '/extractions', {
        body: toExtractionBody(offices, { maxResults: 3 }),
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body.extractionId]).toEqual([202, first.body.extractionId])
    await waitUntilEnded(tenant, first.body.extractionId)
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(1)
    const rows = await tenant.inTenant(tx => tx.selectFrom('extractions').select('id').execute())
    expect(rows).toHaveLength(1)
  })
})

describe('maxResults is a hard cap on leads', () => {
  test.each([1, 29, 30, 31, 200])('%i', async maxResults => {
    const tenant = await makeTenant(app)
    const before = { ...simulator.requests.portal_a }
    const extraction = await extract(tenant, homes, { maxResults })
    const portalTotal = simulator.findListings(homes).length
    const expected = { status: 'COMPLETED', outcome: 'partial', capped: true, portalTotal, maxResults }
    expect(extraction).toMatchObject(expected)
    const pagesFetched = Math.ceil(maxResults / 30)
    const read = {
      listingsFound: maxResults,
      listingsRead: maxResults,
      leadsCreated: maxResults,
      percent: 100,
    }
    expect(extraction.progress).toEqual({ ...counters, ...read, pagesFetched })
    // The newest listings, with no more pages than needed.
    const newest = simulator.findListings(homes).slice(0, maxResults)
    const leads = mapByListingId(await tenant.listAllLeads())
    expect([...leads.keys()].sort()).toEqual(newest.map(listing => listing.id).sort())
    const { search, detail } = simulator.requests.portal_a
    expect([search - before.search, detail - before.detail]).toEqual([pagesFetched, maxResults])
  })

  test('counts known leads as well', async () => {
    const tenant = await makeTenant(app)
    await extract(tenant, homes, { maxResults: 20 })
    const { progress } = await extract(tenant, homes, { maxResults: 35 })
    expect(progress).toMatchObject({ listingsFound: 35, leadsCreated: 15, duplicates: 20 })
    expect(await tenant.listAllLeads()).toHaveLength(35)
  })
})

describe('the same search again', () => {
  test('creates no lead twice, and counts the duplicates', async () => {
    const tenant = await makeTenant(app)
    const all = simulator.findListings(offices).length
    await extract(tenant, offices, { maxResults: 1000 })
    const before = mapByListingId(await tenant.listAllLeads())
    const again = await extract(tenant, offices, { maxResults: 1000, options: { tags: ['again'] } })
    const unchanged = {
      pagesFetched: 2,
      listingsFound: all,
      listingsRead: 0,
      duplicates: all,
      leadsCreated: 0,
    }
    expect(again).toMatchObject({ status: 'COMPLETED', outcome: 'full', progress: unchanged })
    const after = mapByListingId(await tenant.listAllLeads())
    expect([...after.values()].map(toComparableLead)).toEqual([...before.values()].map(toComparableLead))
    expect([...after.values()].some(lead => lead.tags.includes('again'))).toBe(false)
    const listed = await tenant.listLeads({ extractionId: again.extractionId, limit: 200 })
    expect(listed.data).toHaveLength(all)
  })

  test('updates the listing whose price has changed, and keeps the old price in the history', async () => {
    const tenant = await makeTenant(app)
    const search: Search = { ...offices, city: 'murcia' }
    const [first, second] = simulator.findListings(search)
    await extract(tenant, search, { maxResults: 10 })
    const oldPrices = [first!.price, second!.price]
    simulator.change(first!.id, { price: oldPrices[0]! - 5000 })
    simulator.change(second!.id, { price: oldPrices[1]! + 7000 })
    const { progress } = await extract(tenant, search, { maxResults: 10 })
    expect(progress).toMatchObject({ leadsUpdated: 2, duplicates: 8, leadsCreated: 0 })
    const leads = mapByListingId(await tenant.listAllLeads())
    const lead = leads.get(first!.id)!
    expect(lead.property.price).toBe(oldPrices[0]! - 5000)
    expect(lead.priceHistory.map(({ price }) => price)).toEqual([oldPrices[0], oldPrices[0]! - 5000])
    expect(leads.get(second!.id)!.priceHistory).toHaveLength(2)
    expect(lead.updatedAt > lead.createdAt).toBe(true)

    simulator.change(first!.id, { price: 1000 })
    const { progress: repeated } = await extract(tenant, search, {
      maxResults: 10,
      options: { updateExisting: false },
    })
    expect(repeated).toMatchObject({ leadsUpdated: 0, duplicates: 10 })
    expect(mapByListingId(await tenant.listAllLeads()).get(first!.id)!.property.price).toBe(
      oldPrices[0]! - 5000,
    )
  })

  test('does not change the lead of a withdrawn listing', async () => {
    const tenant = await makeTenant(app)
    const search: Search = { ...offices, city: 'granada' }
    await extract(tenant, search, { maxResults: 1000 })
    const before = mapByListingId(await tenant.listAllLeads())
    const [withdrawn, ...others] = simulator.findListings(search)
    simulator.withdraw(withdrawn!.id)
    const { progress } = await extract(tenant, search, { maxResults: 1000 })
    expect(progress).toMatchObject({ listingsFound: others.length, duplicates: others.length })
    expect(mapByListingId(await tenant.listAllLeads()).get(withdrawn!.id)).toEqual(before.get(withdrawn!.id))
  })
})
