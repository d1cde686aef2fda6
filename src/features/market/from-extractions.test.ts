/** Extractions add their listings to the market: only facts, in their environment, and none of erased people. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { extract, type Search } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'

const search: Search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' }
const maxResults = 60

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(() => sql`truncate market_properties cascade`.execute(app.database.owner))

const properties = () => app.database.owner.selectFrom('market_properties').selectAll().execute()
const listings = () => app.database.owner.selectFrom('market_listings').selectAll().execute()
const prices = () => app.database.owner.selectFrom('market_prices').selectAll().execute()

test('an extraction stores each listing with its facts; another one only records that it was seen again', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults })
  const leads = await tenant.allLeads()
  const before = await properties()
  expect(await listings()).toHaveLength(maxResults)
  expect(before.length).toBeGreaterThan(maxResults * 0.9)
  for (const { operation, property_type, price_basis, environment } of before)
    expect([operation, property_type, price_basis, environment]).toEqual(['sale', 'homes', 'asking', 'test'])
  const stated = leads.map(
    ({ property }) => `${property.price} ${property.squareMeters} ${property.latitude}`,
  )
  for (const { price, square_meters, latitude } of before)
    expect(stated).toContain(`${price} ${square_meters} ${latitude}`)

  await extract(tenant, search, { maxResults })
  const after = await properties()
  const withoutTime = (rows: typeof before) => rows.map(({ last_seen_at: _, ...row }) => row.id).sort()
  expect(withoutTime(after)).toEqual(withoutTime(before))
  expect(await prices()).toHaveLength(before.length)
  const [first, last] = [before, after].map(rows => Math.min(...rows.map(row => row.last_seen_at.getTime())))
  expect(last).toBeGreaterThan(first!)
})

test('an incremental run, which reads no page again, records the listings that it sees', async () => {
  const tenant = await makeTenant(app)
  const options = { incremental: true }
  await extract(tenant, search, { maxResults, options })
  const before = await listings()
  const { progress } = await extract(tenant, search, { maxResults, options })
  expect(progress.duplicates).toBeGreaterThan(0)
  const later = (await listings()).filter(row => {
    const previous = before.find(other => other.listing_key.equals(row.listing_key))
    return previous && row.last_seen_at > previous.last_seen_at
  })
  expect(later.length).toBe(progress.duplicates)
})

test('a listing that two workspaces read is stored once', async () => {
  for (const tenant of [await makeTenant(app), await makeTenant(app)])
    await extract(tenant, search, { maxResults })
  expect(await listings()).toHaveLength(maxResults)
})

test('no person, address, id or URL of a listing is stored', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults })
  const stored = JSON.stringify([await properties(), await listings(), await prices()])
  const leads = await tenant.allLeads()
  expect(leads).toHaveLength(maxResults)
  for (const { contact, property, sources } of leads)
    for (const facts of [
      contact.name,
      contact.phone,
      contact.phoneRaw,
      property.title,
      property.url,
      property.address,
    ])
      for (const needle of [facts, sources[0]!.listingId]) if (needle) expect(stored).not.toContain(needle)
})

test('the listing of an erased person is not stored again', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults: 20 })
  const lead = (await tenant.allLeads()).find(({ contact }) => contact.advertiserType === 'private')!
  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  await sql`truncate market_properties cascade`.execute(app.database.owner)
  const { skippedByReason } = await extract(tenant, search, { maxResults: 20 })
  expect(skippedByReason.erased).toBeGreaterThan(0)
  const { latitude, longitude, price } = lead.property
  const found = (await properties()).filter(
    row => row.latitude === latitude && row.longitude === longitude && Number(row.price) === price,
  )
  expect(found).toEqual([])
})
