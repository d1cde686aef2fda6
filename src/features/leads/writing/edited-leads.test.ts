/** Edited leads: a listing does not overwrite edited values, and still updates the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings as store, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

interface ListedLead {
  tenant: TestTenant
  id: string
}

async function storeListing(overrides: Partial<Listing> = {}): Promise<ListedLead> {
  const tenant = await makeTenant(app)
  const [stored] = await store(tenant, { a1: overrides })
  return { tenant, id: stored!.leadId! }
}

const read = async ({ tenant, id }: ListedLead) => (await tenant.call<Lead>('GET', `/leads/${id}`)).body
async function patch({ tenant, id }: ListedLead, body: object): Promise<Lead> {
  const reply = await tenant.call<Lead>('PATCH', `/leads/${id}`, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const listEvents = async ({ tenant }: ListedLead, type: string) => {
  const events = await tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('tenant_id', '=', tenant.tenantId)
      .where('type', '=', type)
      .orderBy('id')
      .execute(),
  )
  return events.map(({ data }) => data)
}
const prices = ({ priceHistory }: Lead) => priceHistory.map(({ price }) => price)

describe('an edited value', () => {
  test('is kept if the listing is seen again without changes, and nothing is emitted', async () => {
    const one = await storeListing({ price: 300_000 })
    const edited = await patch(one, {
      contact: { name: 'Marta Soler i Puig', phone: '699112233' },
      property: { price: 290_000, floor: 4, title: null, features: [] },
    })
    expect(edited.property).toMatchObject({ price: 290_000, floor: 4, title: null, features: [] })
    expect((await store(one.tenant, { a1: { price: 300_000 } }))[0]).toMatchObject({ result: 'unchanged' })
    expect({ ...(await read(one)), sources: [] }).toEqual({ ...edited, sources: [] })
    expect(await listEvents(one, 'lead.price_changed')).toEqual([])
  })

  test('is kept, and the other values are updated by the listing', async () => {
    const one = await storeListing()
    await patch(one, { property: { latitude: 41.5 }, contact: { email: 'm@x.es' } })
    const changed = { title: 'Rebajado', floor: 5, latitude: 41.4, longitude: 2.2 }
    await store(one.tenant, {
      a1: { ...changed, contact: { ...makeListing().contact, email: 'other@x.es' } },
    })
    const { property, contact } = await read(one)
    // The coordinates are one value: both count as edited.
    expect(property).toMatchObject({ title: 'Rebajado', floor: 5, latitude: 41.5, longitude: 2.1611 })
    expect(contact.email).toBe('m@x.es')
  })

  test('is not filled by another listing of the property', async () => {
    const one = await storeListing({ bathrooms: 2 })
    await patch(one, { property: { bathrooms: null } })
    const [joined] = await store(one.tenant, { b1: { bathrooms: 2 } }, { platform: 'portal_b' })
    expect(joined!.leadId).toBe(one.id)
    expect((await read(one)).property.bathrooms).toBeNull()
  })

  test('can be edited again', async () => {
    const one = await storeListing()
    await patch(one, { property: { floor: 4 } })
    await patch(one, { property: { floor: 6 }, status: 'won' })
    await store(one.tenant, { a1: { floor: 3, title: 'x' } })
    expect((await read(one)).property).toMatchObject({ floor: 6, title: 'x' })
  })

  test('is also each value of a lead that was created by hand', async () => {
    const tenant = await makeTenant(app)
    const { contact, title: _title, publishedAt: _at, images: _images, ...property } = makeListing()
    const written = { property: { ...property, price: 305_000 }, contact: { phone: contact.phone } }
    const { body } = await tenant.call<Lead>('POST', '/leads', { body: written })
    const [stored] = await store(tenant, { a1: {} })
    expect(stored!.leadId).toBe(body.id)
    const lead = await read({ tenant, id: body.id })
    expect(lead.property).toMatchObject({ price: 305_000, title: makeListing().title })
    expect(lead.contact.name).toBe('Marta Soler')
  })
})

test('an edited value that was taken over in a merge counts as edited until the undo', async () => {
  const one = await storeListing({ floor: null })
  const written = { contact: { name: 'Eva' }, property: { floor: 7, title: 'Otro' } }
  const other = await one.tenant.call<Lead>('POST', '/leads', { body: written })
  const path = `/leads/${one.id}/merge`
  const { body } = await one.tenant.call<{ mergeId: string }>('POST', path, {
    body: { leadId: other.body.id },
  })
  await store(one.tenant, { a1: { floor: 3, title: 'Rebajado' } })
  expect((await read(one)).property).toMatchObject({ floor: 7, title: 'Rebajado' })
  const undo = await one.tenant.call('POST', `/leads/${one.id}/merges/${body.mergeId}/undo`)
  expect(undo.status, undo.text).toBe(200)
  await store(one.tenant, { a1: { floor: 3, title: 'Rebajado' } })
  expect((await read(one)).property).toMatchObject({ floor: 3, floorText: '3' })
})

test('with an edited price, the history records the prices in the listing, and each change is emitted once', async () => {
  const one = await storeListing({ price: 300_000 })
  expect(prices(await patch(one, { property: { price: 250_000, currency: 'USD' } }))).toEqual([300_000])
  for (const price of [300_000, 280_000, 280_000, 250_000]) await store(one.tenant, { a1: { price } })
  const lead = await read(one)
  expect(lead.property).toMatchObject({ price: 250_000, currency: 'USD' })
  expect(prices(lead)).toEqual([300_000, 280_000, 250_000])
  expect(await listEvents(one, 'lead.price_changed')).toMatchObject([
    { previousPrice: 300_000, price: 280_000, currency: 'EUR' },
    { previousPrice: 280_000, price: 250_000, currency: 'EUR' },
  ])
})

describe('another phone or e-mail address in the listing', () => {
  const contact = (phone: string, email: string | null = null) => ({
    contact: { ...makeListing().contact, phone, phoneRaw: phone, email },
  })

  test('is added to the former identifiers', async () => {
    const one = await storeListing(contact('+34612000001', 'ana@x.es'))
    await store(one.tenant, { a1: contact('+34612000002', 'eva@x.es') })
    expect((await read(one)).contact).toMatchObject({
      phone: '+34612000002',
      email: 'eva@x.es',
      identifiers: ['+34612000001', 'ana@x.es'],
    })
    await store(one.tenant, { a1: contact('+34612000001') })
    expect((await read(one)).contact).toMatchObject({
      phone: '+34612000001',
      email: 'eva@x.es',
      identifiers: ['ana@x.es', '+34612000002'],
    })
  })

  test('does not undo an opt-out', async () => {
    const one = await storeListing(contact('+34612000001'))
    const optOut = { identifiers: [{ kind: 'phone', value: '612000001' }] }
    expect((await one.tenant.call('POST', '/suppressions', { body: optOut })).status).toBeLessThan(300)
    await store(one.tenant, { a1: contact('+34612000002') })
    const basis = { kind: 'legitimate_interest', proof: 'balanced' }
    await one.tenant.call('PUT', `/leads/${one.id}/lawful-basis`, { body: basis })
    expect((await read(one)).contactability).toMatchObject({ allowed: false, reason: 'SUPPRESSED' })
  })

  test('does not hide the person from an erasure', async () => {
    const one = await storeListing(contact('+34612000001'))
    await store(one.tenant, { a1: contact('+34612000002') })
    await one.tenant.call('DELETE', `/leads/${one.id}?erase=true`)
    const again = await store(one.tenant, { b9: contact('+34612000001') }, { platform: 'portal_b' })
    expect(again).toMatchObject([{ result: 'suppressed' }])
  })
})

test('an edited text is checked again for a wish not to be called by agencies', async () => {
  const tenant = await makeTenant(app)
  const body = { contact: { phone: '612000001' }, property: { description: 'Piso luminoso.' } }
  const one = { tenant, id: (await tenant.call<Lead>('POST', '/leads', { body })).body.id }
  const readNoAgencies = (lead: Lead) => lead.contactability.noAgencies
  expect(readNoAgencies(await read(one))).toBe(false)
  expect(readNoAgencies(await patch(one, { property: { description: 'Abstenerse agencias.' } }))).toBe(true)
  expect(readNoAgencies(await patch(one, { status: 'contacted' }))).toBe(true)
  expect(readNoAgencies(await patch(one, { property: { description: null } }))).toBe(false)
  expect(readNoAgencies(await patch(one, { property: { title: 'NO AGENCIAS' } }))).toBe(true)
})
