/** Erasure: which leads are deleted, which are kept, and what is not stored again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { makeListing } from '../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import type { Lead } from '../leads/schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

let made = 0
/** A listing of a distinct property with this phone. */
function makeListingWithPhone(phone: string | null, contact: Partial<Lead['contact']> = {}) {
  const at = ++made
  const { identifiers: _none, ...rest } = contact
  return {
    contact: { ...makeListing().contact, phone, phoneRaw: phone, ...rest },
    address: `Carrer ${at}`,
    price: 100_000 + 40_000 * at,
    latitude: 41 + at / 100,
  }
}

/** Stores listings by name and returns the ids of their leads by name. */
async function store(tenant: TestTenant, listings: Parameters<typeof seedListings>[1]) {
  const stored = await seedListings(tenant, listings)
  return Object.fromEntries(stored.map(({ listingId, leadId }) => [listingId, leadId]))
}

const erase = async (tenant: TestTenant, id: string | null | undefined) =>
  (await tenant.call('DELETE', `/leads/${id}?erase=true`)).status

const listNames = async (tenant: TestTenant) =>
  (await tenant.listAllLeads()).map(({ sources }) => sources[0]!.listingId).sort()

const marta = '+34612345678'
const agency = '+34934000000'
const byAgency = { advertiserType: 'agency' as const }

test('deletes all leads of a private person, also those with another common identifier, and no others', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, {
    one: makeListingWithPhone(marta),
    two: makeListingWithPhone(marta, { email: 'marta@example.com' }),
    three: makeListingWithPhone('+34622222222', { email: 'marta@example.com' }),
    other: makeListingWithPhone('+34633333333'),
  })
  expect(await erase(tenant, ids.one)).toBe(204)
  expect(await listNames(tenant)).toEqual(['other'])
  expect(await erase(tenant, ids.two)).toBe(404)
  const again = await seedListings(tenant, {
    new: makeListingWithPhone('+34622222222'),
    other: makeListingWithPhone('+34633333333'),
  })
  expect(again.map(({ result }) => result)).toEqual(['suppressed', 'updated'])
  const deleted = await tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('tenant_id', '=', tenant.tenantId)
      .where('type', '=', 'lead.deleted')
      .execute(),
  )
  expect(deleted.map(({ data }) => (data as { leadId: string }).leadId).sort()).toEqual(
    [ids.one, ids.two, ids.three].sort(),
  )
})

test('deletes only one lead of an agency; its phone may bring others, but its listing is not stored again', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, {
    one: makeListingWithPhone(agency, byAgency),
    two: makeListingWithPhone(agency, byAgency),
  })
  expect(await erase(tenant, ids.one)).toBe(204)
  expect(await listNames(tenant)).toEqual(['two'])
  const again = await seedListings(tenant, {
    one: makeListingWithPhone(agency, byAgency),
    three: makeListingWithPhone(agency, byAgency),
  })
  expect(again.map(({ result }) => result)).toEqual(['suppressed', 'created'])
})

test('stores the next lead of an agency after its last one was erased', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, { one: makeListingWithPhone(agency, byAgency) })
  await erase(tenant, ids.one)
  const again = { one: makeListingWithPhone(agency, byAgency), two: makeListingWithPhone(agency, byAgency) }
  expect((await seedListings(tenant, again)).map(({ result }) => result)).toEqual(['suppressed', 'created'])
})

const makeListings = (phone: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`of ${phone} ${at}`, makeListingWithPhone(phone)]),
  )

test('an identifier on more than twenty leads belongs to a professional, whatever the listings state', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, { ...makeListings(marta, 20), ...makeListings(agency, 21) })
  const eraseOne = async (phone: string) => {
    expect(await erase(tenant, ids[`of ${phone} 0`])).toBe(204)
    return (await listNames(tenant)).filter(name => name.includes(phone)).length
  }
  expect(await eraseOne(marta)).toBe(0)
  expect(await eraseOne(agency)).toBe(20)
  const again = await seedListings(tenant, {
    a: makeListingWithPhone(marta),
    b: makeListingWithPhone(agency),
  })
  expect(again.map(({ result }) => result)).toEqual(['suppressed', 'created'])
})

test('erases many leads of a professional in batches; others are kept, and the phone is not suppressed', async () => {
  const tenant = await makeTenant(app)
  const all = Object.values(await store(tenant, makeListings(agency, 115)))
  const ids = all.slice(0, 110)
  const { body } = await tenant.call<{ id: string; status: string }>('DELETE', '/leads', {
    body: { ids, erase: true },
  })
  expect(body.status).toBe('QUEUED')
  await waitUntilIdle(app.database, tenant.tenantId)
  expect((await tenant.call('GET', `/leads/operations/${body.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    progress: { matched: 110, processed: 110, changed: 110, percent: 100 },
  })
  expect((await tenant.listAllLeads()).map(({ id }) => id).sort()).toEqual(all.slice(110).sort())
  expect(await seedListings(tenant, { new: makeListingWithPhone(agency) })).toMatchObject([
    { result: 'created' },
  ])
})

test('the phone of an agency does not lead from a private owner to other leads', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, {
    own: makeListingWithPhone(agency, { email: 'marta@example.com' }),
    theirs: makeListingWithPhone(agency, byAgency),
    also: makeListingWithPhone(null, { email: 'marta@example.com' }),
  })
  await erase(tenant, ids.own)
  expect(await listNames(tenant)).toEqual(['theirs'])
  const again = await seedListings(tenant, {
    more: makeListingWithPhone(agency, byAgency),
    hers: makeListingWithPhone(null, { email: 'Marta@example.com' }),
  })
  expect(again.map(({ result }) => result)).toEqual(['created', 'suppressed'])
})

test('a listing without phone and e-mail address is not stored again either', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, { mute: makeListingWithPhone(null) })
  await erase(tenant, ids.mute)
  expect(await seedListings(tenant, { mute: makeListingWithPhone(null) })).toMatchObject([
    { result: 'suppressed' },
  ])
  expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(1)
})

test('opt-outs and exclusion lists forbid contact, not storage', async () => {
  const tenant = await makeTenant(app)
  const identifiers = [{ kind: 'phone', value: marta }]
  await tenant.call('POST', '/suppressions', { body: { identifiers, kind: 'opt_out' } })
  await tenant.call('POST', '/suppressions/imports', { body: { identifiers, listName: 'R' } })
  expect(await seedListings(tenant, { hers: makeListingWithPhone(marta) })).toMatchObject([
    { result: 'created' },
  ])
})

test('after a plain deletion, the lead may be stored again', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, { hers: makeListingWithPhone(marta) })
  expect((await tenant.call('DELETE', `/leads/${ids.hers}`)).status).toBe(204)
  expect(await seedListings(tenant, { hers: makeListingWithPhone(marta) })).toMatchObject([
    { result: 'created' },
  ])
})

test('erases several people in one request', async () => {
  const tenant = await makeTenant(app)
  const ids = await store(tenant, {
    a: makeListingWithPhone(marta),
    b: makeListingWithPhone('+34622222222'),
    c: makeListingWithPhone(marta),
  })
  const body = { ids: [ids.a, ids.b], erase: true }
  expect((await tenant.call('DELETE', '/leads', { body })).status).toBeLessThan(300)
  expect(await listNames(tenant)).toEqual([])
  expect(await seedListings(tenant, { d: makeListingWithPhone('+34622222222') })).toMatchObject([
    { result: 'suppressed' },
  ])
})

test('the search that selected people for an erasure is deleted', async () => {
  const tenant = await makeTenant(app)
  await store(tenant, { hers: makeListingWithPhone(marta) })
  await tenant.call('DELETE', '/leads', { body: { filter: { q: marta }, erase: true } })
  expect(await listNames(tenant)).toEqual([])
  const operations = await tenant.inTenant(tx =>
    tx
      .selectFrom('lead_operations')
      .select(['status', 'selection'])
      .where('tenant_id', '=', tenant.tenantId)
      .execute(),
  )
  expect(operations).toEqual([{ status: 'COMPLETED', selection: {} }])
})

test('other workspaces keep their leads', async () => {
  const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
  const ids = await store(tenant, { hers: makeListingWithPhone(marta) })
  await store(other, { hers: makeListingWithPhone(marta) })
  await erase(tenant, ids.hers)
  expect(await listNames(other)).toEqual(['hers'])
  expect(await seedListings(other, { hers: makeListingWithPhone(marta) })).toMatchObject([
    { result: 'updated' },
  ])
})

test('a request with a repeated Idempotency-Key is processed again if its reply was about an erased person', async () => {
  const tenant = await makeTenant(app)
  const post = (key: string, phone: string) =>
    tenant.call<{ code?: string }>('POST', '/leads', {
      body: { contact: { phone } },
      headers: { 'idempotency-key': key },
    })
  await post('hers', marta)
  await post('another', '+34622222222')
  const [lead] = (await tenant.listAllLeads()).filter(({ contact }) => contact.phone === marta)
  await erase(tenant, lead!.id)
  expect((await post('hers', marta)).body.code).toBe('PERSON_ERASED')
  expect((await post('another', '+34622222222')).headers.get('idempotent-replayed')).toBe('true')
})

test('an unknown lead is 404', async () => {
  expect(await erase(await makeTenant(app), newId())).toBe(404)
})
