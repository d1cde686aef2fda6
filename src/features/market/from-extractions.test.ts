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

const readProperties = () => app.database.owner.selectFrom('market_properties').selectAll().execute()
const readListings = () => app.database.owner.selectFrom('market_listings').selectAll().execute()
const readPrices = () => app.database.owner.selectFrom('market_prices').selectAll().execute()

test('an extraction stores each listing with its facts; another one only records that it was seen again', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults })
  const leads = await tenant.listAllLeads()
  const before = await readProperties()
  expect(await readListings()).toHaveLength(maxResults)
  expect(before.length).toBeGreaterThan(maxResults * 0.9)
  for (const { operation, property_type, price_basis, environment } of before)
    expect([operation, property_type, price_basis, environment]).toEqual(['sale', 'homes', 'asking', 'test'])
  const stated = leads.map(
    ({ property }) => `${property.price} ${property.squareMeters} ${property.latitude}`,
  )
  for (const { price, square_meters, latitude } of before)
    expect(stated).toContain(`${price} ${square_meters} ${latitude}`)

  await extract(tenant, search, { maxResults })
  const after = await readProperties()
  const toIds = (rows: typeof before) => rows.map(({ id }) => id).sort()
  expect(toIds(after)).toEqual(toIds(before))
  expect(await readPrices()).toHaveLength(before.length)
  const [first, last] = [before, after].map(rows => Math.min(...rows.map(row => row.last_seen_at.getTime())))
  expect(last).toBeGreaterThan(first!)
})

test('an incremental run, which reads no page again, records the listings that it sees', async () => {
  const tenant = await makeTenant(app)
  const options = { incremental: true }
  await extract(tenant, search, { maxResults, options })
  const before = await readListings()
  const { progress } = await extract(tenant, search, { maxResults, options })
  expect(progress.duplicates).toBeGreaterThan(0)
  const later = (await readListings()).filter(row => {
    const previous = before.find(other => other.listing_key.equals(row.listing_key))
    return previous && row.last_seen_at > previous.last_seen_at
  })
  expect(later.length).toBe(progress.duplicates)
})

test('a listing that two workspaces read is stored once', async () => {
  for (const tenant of [await makeTenant(app), await makeTenant(app)])
    await extract(tenant, search, { maxResults })
  expect(await readListings()).toHaveLength(maxResults)
})

test('no person, address, id or URL of a listing is stored', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults })
  const stored = JSON.stringify([await readProperties(), await readListings(), await readPrices()])
  const leads = await tenant.listAllLeads()
  expect(leads).toHaveLength(maxResults)
  for (const { contact, property, sources } of leads)
    for (const value of [
      contact.name,
      contact.phone,
      contact.phoneRaw,
      property.title,
      property.url,
      property.address,
    ])
      for (const needle of [value, sources[0]!.listingId]) if (needle) expect(stored).not.toContain(needle)
})

test('the listing of an erased person is not stored again', async () => {
  const tenant = await makeTenant(app)
  await extract(tenant, search, { maxResults: 20 })
  const lead = (await tenant.listAllLeads()).find(({ contact }) => contact.advertiserType === 'private')!
  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  await sql`truncate market_properties cascade`.execute(app.database.owner)
  const { skippedByReason } = await extract(tenant, search, { maxResults: 20 })
  expect(skippedByReason.erased).toBeGreaterThan(0)
  const { latitude, longitude, price } = lead.property
  const found = (await readProperties()).filter(
    row => row.latitude === latitude && row.longitude === longitude && Number(row.price) === price,
  )
  expect(found).toEqual([])
})
