/** Merges: the values of the surviving lead. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Merged {
  mergeId: string
  lead: Lead
  code: string
  message: string
}
const make = async (body: object) => (await tenant.call<Lead>('POST', '/leads', { body })).body
const read = (id: string) => tenant.call<Lead & { message: string }>('GET', `/leads/${id}`)
const merge = (id: string, leadId: string) =>
  tenant.call<Merged>('POST', `/leads/${id}/merge`, { body: { leadId } })
const note = (id: string, body: string) => tenant.call('POST', `/leads/${id}/notes`, { body: { body } })
const listChangedFields = async (id: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ field: string }>`
      select change ->> 'field' as field from events, jsonb_array_elements(data -> 'changes') change
      where tenant_id = ${tenant.tenantId} and lead_id = ${id} and data ->> 'cause' = 'merged' order by 1`.execute(
      tx,
    ),
  )
  return rows.map(({ field }) => field)
}

async function makePair(): Promise<{ one: Lead; other: Lead }> {
  const phone = () => `6${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const one = await make({
    contact: { name: 'Marta', phone: phone() },
    tags: ['a'],
    property: { price: 100, currency: 'EUR' },
    customFields: { k: 1, own: true },
  })
  const other = await make({
    contact: { name: 'M. Soler', phone: phone(), email: `${newId()}@example.com` },
    tags: ['a', 'b'],
    property: { price: 120, currency: 'USD', title: 'Piso', features: ['lift'] },
    customFields: { k: 2, theirs: 'x' },
  })
  await note(one.id, 'of one')
  await note(other.id, 'of the other')
  return { one, other }
}

describe('a merge', () => {
  test('keeps the values of the first lead, takes missing ones from the second, and keeps all phone numbers', async () => {
    const { one, other } = await makePair()
    const { status, body } = await merge(one.id, other.id)
    expect(status).toBe(200)
    expect(body.lead).toMatchObject({
      id: one.id,
      contact: {
        name: 'Marta',
        phone: one.contact.phone,
        email: other.contact.email,
        identifiers: [other.contact.phone],
      },
      property: { price: 100, currency: 'EUR', title: 'Piso', features: ['lift'] },
      tags: ['a', 'b'],
      customFields: { k: 1, own: true, theirs: 'x' },
      notesCount: 2,
    })
    expect(body.lead.sources.map(source => source.listingId).sort()).toEqual(
      [...one.sources, ...other.sources].map(source => source.listingId).sort(),
    )
    expect(body.lead.priceHistory.map(entry => entry.price)).toEqual([100, 120])
    const deleted = await read(other.id)
    expect([deleted.status, deleted.body.message]).toEqual([404, expect.stringContaining(one.id)])
    expect((await tenant.listLeads({ q: other.contact.phone! })).data.map(lead => lead.id)).toEqual([one.id])
  })

  test('takes values of two columns together, such as a price with its currency', async () => {
    const one = await make({
      property: { currency: 'USD', title: 'Piso' },
      customFields: { zone: 'a', k: 1 },
    })
    const two = await make({ property: { title: 'Ático' }, customFields: { k: 2 } })
    expect((await merge(one.id, two.id)).body.lead.property).toMatchObject({ price: null, currency: 'USD' })
    expect(await listChangedFields(one.id), 'nothing was changed').toEqual([])
    const three = await make({ property: { price: 120, currency: 'EUR' } })
    expect((await merge(one.id, three.id)).body.lead.property).toMatchObject({ price: 120, currency: 'EUR' })
    expect(await listChangedFields(one.id)).toEqual(['property.currency', 'property.price'])
  })

  test('keeps edited and cleared columns of both leads', async () => {
    const one = await make({ property: { title: 'Piso', description: 'Viejo.' } })
    await tenant.call('PATCH', `/leads/${one.id}`, { body: { property: { description: null } } })
    const [stored] = await seedListings(tenant, {
      '1': { price: 90_000, contact: { ...makeListing().contact, phone: '+34600000077' } },
    })
    await tenant.call('PATCH', `/leads/${stored!.leadId}`, { body: { property: { floorText: 'ático' } } })
    await merge(one.id, stored!.leadId!)
    await seedListings(tenant, { '1': { price: 80_000, floor: 9 } })
    expect((await read(one.id)).body.property).toMatchObject({
      title: 'Piso',
      description: null,
      floor: null,
      floorText: 'ático',
      price: 80_000,
    })
  })

  test('keeps columns that were cleared on the other lead if the first has no value', async () => {
    const contact = { ...makeListing().contact, phone: '+34600000078', email: 'z@example.com' }
    const overrides: Partial<Listing> = { contact, features: ['lift'], floor: 2 }
    const [stored] = await seedListings(tenant, { '2': { ...overrides, address: 'Calle 78' } })
    await tenant.call('PATCH', `/leads/${stored!.leadId}`, {
      body: { contact: { email: null }, property: { features: [], floor: null } },
    })
    const one = await make({ contact: { name: 'Otra' }, property: { floor: 7 } })
    await merge(one.id, stored!.leadId!)
    await seedListings(tenant, { '2': { ...overrides, price: 70_000 } })
    expect((await read(one.id)).body).toMatchObject({
      contact: { name: 'Otra', email: null },
      property: { features: [], floor: 7, price: 70_000 },
    })
  })

  const consent = (recordedAt?: string) => ({
    kind: 'consent',
    proof: 'signed',
    ...(recordedAt ? { recordedAt } : {}),
  })
  test.each<[what: string, recordedAt: string | undefined, isWithdrawn: boolean, consentAt: unknown]>([
    ['keeps a consent', '2026-01-01T00:00:00.000Z', false, '2026-01-01T00:00:00.000Z'],
    [
      'removes a consent if one was withdrawn later on the other lead',
      '2026-01-01T00:00:00.000Z',
      true,
      null,
    ],
    ['keeps a consent if one was withdrawn earlier on the other lead', undefined, true, expect.any(String)],
  ])('%s', async (_what, recordedAt, isWithdrawn, consentAt) => {
    const [one, other] = [await make({ tags: ['a'] }), await make({ tags: ['b'] })]
    if (isWithdrawn) {
      await tenant.call('PUT', `/leads/${other.id}/lawful-basis`, {
        body: consent('2025-01-01T00:00:00Z'),
      })
      await tenant.call('DELETE', `/leads/${other.id}/lawful-basis`)
    }
    await tenant.call('PUT', `/leads/${one.id}/lawful-basis`, { body: consent(recordedAt) })
    expect((await merge(one.id, other.id)).body.lead.contactability.consentAt).toEqual(consentAt)
  })

  type Person = { phone?: string; email?: string; identifiers?: string[] }
  test.each<[what: string, one: Person, other: Person, whose: 'one' | 'other', channels: string[]]>([
    ['the number of another person', { phone: '+34600000001' }, { phone: '+34600000002' }, 'other', []],
    [
      'a common number',
      { email: 'a@x.es' },
      { phone: '+34600000003', email: 'a@x.es' },
      'other',
      ['phone', 'email'],
    ],
    ['the only number', {}, { phone: '+34600000004' }, 'other', ['phone']],
    [
      'the e-mail address of another person',
      { phone: '+34600000005' },
      { email: 'b@x.es' },
      'one',
      ['phone'],
    ],
  ])('takes over a consent only for the same person: %s', async (_what, first, second, whose, channels) => {
    const own = await makeTenant(app)
    const write = async (contact: Person, address: string) =>
      (await own.call<Lead>('POST', '/leads', { body: { contact, property: { address } } })).body.id
    const ids = { one: await write(first, 'Calle 1'), other: await write(second, 'Calle 2') }
    await own.call('PUT', `/leads/${ids[whose]}/lawful-basis`, {
      body: { ...consent(), channels: ['phone', 'email'], noticeSentAt: '2026-01-01T00:00:00.000Z' },
    })
    const { body } = await own.call<{ lead: Lead }>('POST', `/leads/${ids.one}/merge`, {
      body: { leadId: ids.other },
    })
    const { channels: byChannel, noticeSentAt } = body.lead.contactability
    expect((['phone', 'email'] as const).filter(channel => byChannel[channel].allowed)).toEqual(channels)
    expect(noticeSentAt !== null).toBe(channels.length > 0)
  })

  test('is deleted with the lead', async () => {
    const { one, other } = await makePair()
    await merge(one.id, other.id)
    await tenant.call('DELETE', `/leads/${one.id}`)
    const rows = await tenant.inTenant(tx =>
      tx
        .selectFrom('lead_merges')
        .select('id')
        .where('tenant_id', '=', tenant.tenantId)
        .where('lead_id', '=', one.id)
        .execute(),
    )
    expect(rows).toEqual([])
    expect((await read(other.id)).body.message).not.toContain(one.id)
  })

  test('needs two different, existing leads of one workspace', async () => {
    const { one } = await makePair()
    const stranger = await makeTenant(app)
    const [theirs] = await seedListings(stranger, { '1': {} })
    for (const id of [one.id, newId(), theirs!.leadId!]) expect((await merge(one.id, id)).status).toBe(400)
    expect((await merge(newId(), one.id)).status).toBe(404)
  })
})
