/** Listings of the simulated portals, changed over HTTP: only extractions of the same environment see the change. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extract, type Search } from '../../../test/extraction.ts'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import { changedListingsMax } from './queries.ts'

let app: TestApp
let tenant: TestTenant
const search: Search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' }
/** A search with so few results that one run reads all of them. */
let filters: { maxPrice: number }
let listings: SimulatedListing[]
beforeAll(async () => {
  app = await shareTestApp()
  const simulator = await app.app.getSimulator()
  const byPrice = simulator.findListings(search).toSorted((a, b) => a.price - b.price)
  filters = { maxPrice: byPrice[5]!.price }
  listings = simulator.findListings({ ...search, ...filters })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Changed {
  listingId: string
  price: number
  withdrawn: boolean
  code?: string
}
const changeListing = (listingId: string, body: object, caller = tenant) =>
  caller.call<Changed>('POST', `/sandbox/listings/${listingId}`, { body })
const readLeadsByListingId = async (caller = tenant) =>
  new Map((await caller.listAllLeads()).map(lead => [lead.sources[0]!.listingId, lead]))

test('the next extraction finds the new price of a changed listing, and misses a withdrawn one', async () => {
  const otherTenant = await makeTenant(app)
  const [cheaper, withdrawnId, same] = listings.map(({ id }) => id) as [string, string, string]
  expect(await extract(tenant, search, { filters, options: { incremental: true } })).toMatchObject({
    status: 'COMPLETED',
    outcome: 'full',
  })
  const before = await readLeadsByListingId()
  expect(before.size).toBe(listings.length)

  expect(await changeListing(cheaper, { price: 1234 })).toMatchObject({
    status: 200,
    body: { listingId: cheaper, price: 1234, withdrawn: false },
  })
  expect(await changeListing(withdrawnId, { withdrawn: true })).toMatchObject({
    status: 200,
    body: { withdrawn: true },
  })
  expect(await extract(tenant, search, { filters, options: { incremental: true } })).toMatchObject({
    status: 'COMPLETED',
    outcome: 'full',
  })
  const after = await readLeadsByListingId()
  expect(after.get(cheaper)!.property.price).toBe(1234)
  expect(after.get(cheaper)!.priceHistory.map(({ price }) => price)).toEqual([
    before.get(cheaper)!.property.price,
    1234,
  ])
  expect(after.get(same)).toEqual({ ...before.get(same)!, sources: after.get(same)!.sources })
  const { data: withdrawn } = await tenant.listLeads({ withdrawn: true })
  expect(withdrawn.map(({ sources }) => sources[0]!.listingId)).toEqual([withdrawnId])

  await extract(otherTenant, search, { filters })
  const otherLeads = await readLeadsByListingId(otherTenant)
  expect(otherLeads.get(cheaper)!.property.price).toBe(before.get(cheaper)!.property.price)
  expect(otherLeads.has(withdrawnId)).toBe(true)

  expect(await changeListing(withdrawnId, { withdrawn: false })).toMatchObject({ body: { withdrawn: false } })
  await extract(tenant, search, { filters, options: { incremental: true } })
  expect((await tenant.listLeads({ withdrawn: true })).data).toEqual([])
})

test('a new price moves a listing from one search to another', async () => {
  const own = await makeTenant(app)
  const { id } = listings[0]!
  await changeListing(id, { price: filters.maxPrice + 1 }, own)
  await extract(own, search, { filters })
  const found = await readLeadsByListingId(own)
  expect([found.size, found.has(id)]).toEqual([listings.length - 1, false])
  const { body } = await own.call<{ expectedResults: number }>('POST', '/platforms/portal_a/validate', {
    body: {
      operation: 'sale',
      propertyType: 'homes',
      location: { id: 'barcelona', label: 'Barcelona' },
      ...filters,
    },
  })
  expect(body.expectedResults).toBe(listings.length - 1)
})

test.each([
  ['no change', {}],
  ['a price of zero', { price: 0 }],
  ['a price that is text', { price: 'cheap' }],
  ['an unknown field', { title: 'Palace' }],
])('%s is 400', async (_, body) => {
  expect((await changeListing(listings[0]!.id, body)).status).toBe(400)
})

test('an unknown listing is 404; with a live key it is 403', async () => {
  expect((await changeListing('nobody', { price: 1 })).status).toBe(404)
  const live = await makeTenant(app, 'live')
  expect(await changeListing(listings[0]!.id, { price: 1 }, live)).toMatchObject({
    status: 403,
    body: { code: 'TEST_ONLY' },
  })
})

test('an environment changes at most a thousand listings, but can change the same ones again', async () => {
  const own = await makeTenant(app)
  const simulator = await app.app.getSimulator()
  const ids = [...simulator.listings].slice(0, changedListingsMax + 1).map(({ id }) => id)
  await own.inTenant(tx =>
    tx
      .insertInto('sandbox_listings')
      .values(
        ids.slice(1).map((id, index) => ({
          tenant_id: own.tenantId,
          listing_id: id,
          is_withdrawn: false,
          sequence: index + 1,
        })),
      )
      .execute(),
  )
  expect(await changeListing(ids[0]!, { price: 1 }, own)).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_LISTINGS' },
  })
  expect((await changeListing(ids[1]!, { price: 1 }, own)).status).toBe(200)
})
