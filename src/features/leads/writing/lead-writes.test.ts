/** Creating and updating leads over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeLeads } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'
import { createdLeadExample, newLeadExample } from './examples.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Refusal {
  code: string
  message: string
  errors?: { path: string; code: string }[]
}

async function create(body: object, owner = tenant): Promise<Lead> {
  const reply = await owner.call<Lead>('POST', '/leads', { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const createRefused = async (body: object, owner = tenant) => {
  const { status, body: refusal } = await owner.call<Refusal>('POST', '/leads', { body })
  return { status, ...refusal }
}
const patch = (leadId: string, body: object) =>
  tenant.call<Lead & Refusal>('PATCH', `/leads/${leadId}`, { body })
const listEvents = (leadId: string) =>
  tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select(['type', 'data'])
      .where('tenant_id', '=', tenant.tenantId)
      .where('lead_id', '=', leadId)
      .orderBy('id')
      .execute(),
  )

const person = (phone: string) => ({ contact: { name: 'Marta Soler', phone } })

test('the example of a request creates the example of its reply', async () => {
  const created = await create(newLeadExample, await makeTenant(app))
  const { id, createdAt, updatedAt, priceHistory, sources, ...example } = createdLeadExample
  expect(created).toMatchObject(example)
  expect(created.sources).toMatchObject(
    sources.map(({ firstSeenAt: _first, lastSeenAt: _last, ...source }) => source),
  )
  expect(Object.keys(created).sort()).toEqual(Object.keys(createdLeadExample).sort())
})

describe('a new lead', () => {
  test('is stored with normalised phones and its source, but without a lawful basis', async () => {
    const written = await create({
      externalId: 'crm-1',
      contact: {
        name: 'Núria Peña',
        phone: '93 412 34 56',
        email: ' Nuria@Example.COM ',
        identifiers: ['612 34 56 78', 'whatsapp:34699111222'],
        advertiserType: 'private',
      },
      property: {
        operation: 'sale',
        price: 374_000.5,
        currency: 'EUR',
        features: ['lift'],
        address: 'Carrer de Mallorca, 214',
      },
      status: 'qualified',
      tags: ['vip', 'vip'],
      customFields: { keys: 3, porter: true, note: 'x' },
    })
    expect(written).toMatchObject({
      status: 'qualified',
      contact: {
        name: 'Núria Peña',
        phone: '+34934123456',
        phoneRaw: '93 412 34 56',
        email: 'nuria@example.com',
        identifiers: ['+34612345678', '+34699111222', 'whatsapp:34699111222'],
      },
      property: { operation: 'sale', price: 374_000.5, currency: 'EUR', features: ['lift'], title: null },
      priceHistory: [{ price: 374_000.5, at: written.createdAt }],
      sources: [{ platform: 'api', listingId: 'crm-1', url: null, extractionId: null, importId: null }],
      tags: ['vip'],
      customFields: { keys: 3, porter: true, note: 'x' },
      contactability: { allowed: false, reason: 'NO_LAWFUL_BASIS' },
    })
    expect((await tenant.call('GET', `/leads/${written.id}`)).body).toEqual(written)
    expect(await listEvents(written.id)).toEqual([
      {
        type: 'lead.created',
        data: { leadId: written.id, platform: 'api', keyId: expect.any(String), userId: null },
      },
    ])
  })

  test('is refused if it exists: by its external id, or by person and property', async () => {
    const own = await makeTenant(app)
    const flat = {
      ...person('612 00 00 01'),
      property: {
        operation: 'sale',
        squareMeters: 86,
        price: 374_000,
        bedrooms: 3,
        address: 'Carrer de Mallorca, 214',
        municipality: 'Barcelona',
      },
    }
    const { id } = await create({ ...flat, externalId: 'a' }, own)
    for (const body of [
      { externalId: 'a' },
      { externalId: id },
      flat,
      { ...person('0034612000001'), property: { ...flat.property, price: 370_000 } },
      person('+34 612000001'),
    ])
      expect(await createRefused(body, own)).toMatchObject({
        status: 409,
        code: 'LEAD_EXISTS',
        message: expect.stringContaining(id),
      })
    await create(
      {
        ...flat,
        property: { ...flat.property, address: 'Carrer de Pau, 3', squareMeters: 40, price: 90_000 },
      },
      own,
    )
    expect(await own.listAllLeads()).toHaveLength(2)
  })

  test('has its price in the currency of the workspace, unless another is stated', async () => {
    const createWithProperty = (property: object) => create({ contact: { name: newId() }, property })
    expect((await createWithProperty({ price: 5 })).property.currency).toBe('EUR')
    expect((await createWithProperty({ price: 5, currency: 'USD' })).property.currency).toBe('USD')
    expect((await createWithProperty({ title: 'x' })).property.currency).toBeNull()
  })

  test('keeps a price without a currency until the price changes', async () => {
    const { id, property } = await create({
      contact: { name: newId() },
      property: { price: 5, currency: null },
    })
    expect(property).toMatchObject({ price: 5, currency: null })
    const change = async (body: object) =>
      (await tenant.call<Lead>('PATCH', `/leads/${id}`, { body })).body.property.currency
    expect(await change({ status: 'contacted' })).toBeNull()
    expect(await change({ property: { price: 5, title: 'x' } })).toBeNull()
    expect(await change({ property: { price: 6 } })).toBe('EUR')
  })

  test('counts towards the quota, and is refused beyond it', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxLeadsPerMonth', 1)
    await create(person('612000002'), own)
    expect(await createRefused(person('612000003'), own)).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
    })
    expect(await own.readQuotaUsage('maxLeadsPerMonth')).toBe(1)
  })

  test('is created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() }
    const own = await makeTenant(app)
    const first = await own.call('POST', '/leads', { body: person('612000004'), headers })
    const second = await own.call('POST', '/leads', { body: person('612000004'), headers })
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect(await own.listAllLeads()).toHaveLength(1)
  })

  test.each<[what: string, body: object, path: string]>([
    ['nothing', {}, ''],
    ['an invalid phone', { contact: { phone: '12' } }, '/contact/phone'],
    ['an invalid e-mail address', { contact: { email: 'marta@' } }, '/contact/email'],
    ['an invalid chat', { contact: { identifiers: ['612345678', 'hello'] } }, '/contact/identifiers/1'],
    ['an unknown field', { contact: { nmae: 'x' } }, '/contact/nmae'],
    ['an unknown status', { status: 'sold' }, '/status'],
    ['an unknown feature', { property: { features: ['lift', 'unicorn'] } }, '/property/features/1'],
    ['a floor in words', { property: { floor: '3ª' } }, '/property/floor'],
    ['a negative price', { property: { price: -1 } }, '/property/price'],
    ['a 61st second', { property: { publishedAt: '2016-12-31T23:59:60Z' } }, '/property/publishedAt'],
    ['a latitude beyond 90°', { property: { latitude: 91 } }, '/property/latitude'],
    ['an unknown user', { ownerUserId: newId() }, '/ownerUserId'],
    ['a custom field that holds an object', { customFields: { a: { b: 1 } } }, '/customFields/a'],
    ['a blank tag', { tags: [' '] }, '/tags/0'],
  ])('is refused if it has %s', async (_what, body, path) => {
    const refusal = await createRefused(body)
    expect(refusal).toMatchObject({ status: 400 })
    expect(refusal.errors?.map(error => error.path)).toContain(path)
  })
})

describe('an updated lead', () => {
  test('keeps omitted fields, loses null fields, and emits who changed what', async () => {
    const { id, ...before } = await create({
      ...person('612000010'),
      tags: ['a'],
      customFields: { keys: 3, porter: true },
    })
    const changes = {
      status: 'contacted',
      contact: { email: 'm@example.com', name: null },
      property: { price: 100, title: 'Piso' },
      customFields: { porter: null, pets: 'no' },
    }
    const { status, body } = await patch(id, changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'contacted',
      contact: { ...before.contact, name: null, email: 'm@example.com' },
      property: { ...before.property, price: 100, currency: 'EUR', title: 'Piso' },
      tags: ['a'],
      customFields: { keys: 3, pets: 'no' },
    })
    expect(body.priceHistory).toMatchObject([{ price: 100 }])
    expect(body.updatedAt > before.updatedAt).toBe(true)
    const event = (await listEvents(id)).at(-1)!
    expect(event.type).toBe('lead.updated')
    expect(event.data).toMatchObject({ cause: 'edited', keyId: expect.any(String), userId: null })
    expect((event.data as { changes: object[] }).changes).toEqual(
      expect.arrayContaining([
        { field: 'status', before: 'new', after: 'contacted' },
        { field: 'contact.name', before: 'Marta Soler', after: null },
        { field: 'property.price', before: null, after: 100 },
        { field: 'customFields', before: { keys: 3, porter: true }, after: { keys: 3, pets: 'no' } },
      ]),
    )
  })

  test('does not change and emits nothing if the values are the same', async () => {
    const lead = await create(person('612000011'))
    const { body } = await patch(lead.id, { status: 'new', contact: { phone: '612 00 00 11' } })
    expect(body.contact.phoneRaw).toBe('612 00 00 11')
    const again = await patch(lead.id, { status: 'new', contact: { phone: '612 00 00 11' } })
    expect(again.body).toEqual(body)
    expect(await listEvents(lead.id)).toHaveLength(2)
  })

  test('keeps its other identifiers, each once', async () => {
    const contact = { phone: '612000013', identifiers: ['telegram:marta', '934 00 00 13'] }
    const { id } = await create({ contact })
    const patchContact = async (change: object) => {
      const { phone, email, identifiers } = (await patch(id, { contact: change })).body.contact
      return [phone, email, ...identifiers]
    }
    const first = ['+34612000013', null, 'telegram:marta', '+34934000013']
    expect(await patchContact({ email: null, name: 'Marta' })).toEqual(first)
    // Two numbers in one text: the second becomes an identifier.
    const second = ['+34934000013', null, 'telegram:marta', '+34612000014']
    expect(await patchContact({ phone: '934000013 / 612000014' })).toEqual(second)
    expect(await patchContact({ email: 'm@x.es' })).toEqual(second.with(1, 'm@x.es'))
    expect(await patchContact({ identifiers: ['whatsapp:34934000013', 'm@x.es'] })).toEqual([
      '+34934000013',
      'm@x.es',
      'whatsapp:34934000013',
    ])
  })

  test('is found by its new values, and no longer by the former ones', async () => {
    const { id } = await create({ ...person('612000012'), tags: ['before'] })
    await patch(id, { contact: { name: 'Zoraida Quintanilla', phone: '699 12 34 99' }, tags: ['after'] })
    const find = async (query: object) => (await tenant.listLeads({ ...query })).data.map(lead => lead.id)
    for (const query of [{ q: 'quintan' }, { q: '69912349' }, { tag: 'after' }])
      expect(await find(query)).toContain(id)
    for (const query of [{ q: '612000012' }, { tag: 'before' }]) expect(await find(query)).not.toContain(id)
  })

  test('is 404 in another workspace, like an unknown one', async () => {
    const other = await makeTenant(app)
    const [theirs] = await makeLeads(app.database, other.tenantId, [{}])
    for (const id of [theirs!, newId()]) expect((await patch(id, { status: 'won' })).status).toBe(404)
  })
})

test.each<[sent: string, json: string, expected: object]>([
  ['half a surrogate pair', '{"contact":{"name":"a\\ud800"}}', { contact: { name: 'a\ufffd' } }],
  [
    'U+0000',
    '{"contact":{"name":"a\\u0000b"},"tags":["\\u0000c"]}',
    { contact: { name: 'ab' }, tags: ['c'] },
  ],
  ['half a surrogate pair in a name', '{"customFields":{"k\\uD800":1}}', { customFields: { 'k\ufffd': 1 } }],
])('accepts %s in POST and PATCH', async (_what, json, expected) => {
  const own = await makeTenant(app)
  const written = await own.call<Lead>('POST', '/leads', { rawBody: json })
  expect(written.body).toMatchObject(expected)
  const blank = await own.call<Lead>('POST', '/leads', { body: { contact: { name: 'x' } } })
  const changed = await own.call<Lead>('PATCH', `/leads/${blank.body.id}`, { rawBody: json })
  expect([written.status, changed.status, changed.body]).toMatchObject([201, 200, expected])
})
