/** Leads by external id, one at a time and concurrently. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile } from '../../../../test/imports.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Refusal {
  code: string
  message: string
  existingLeadId?: string
  mergedIntoLeadId?: string
}

const toPath = (externalId: string) => `/leads/by-external-id/${encodeURIComponent(externalId)}`
const put = (externalId: string, body: object, options: object = {}, owner = tenant) =>
  owner.call<Lead & Refusal>('PUT', toPath(externalId), { body, ...options })
const get = (externalId: string, owner = tenant) => owner.call<Lead & Refusal>('GET', toPath(externalId))
let phones = 0
const person = (name = 'Marta Soler') => ({
  contact: { name, phone: `6123${String(phones++).padStart(5, '0')}` },
})
const listEvents = (leadId: string) =>
  tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('type')
      .where('tenant_id', '=', tenant.tenantId)
      .where('lead_id', '=', leadId)
      .orderBy('id')
      .execute(),
  )

describe('by an external id', () => {
  test('creates, updates, reads and deletes a lead, with any characters in the id', async () => {
    const externalId = 'CRM/7 ñ%2F?#ü'
    const created = await put(externalId, { ...person(), tags: ['vip'] })
    expect(created.status, created.text).toBe(201)
    expect(created.body).toMatchObject({ externalId, contact: { name: 'Marta Soler' }, tags: ['vip'] })
    const changed = await put(externalId, { status: 'contacted' })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ id: created.body.id, status: 'contacted', tags: ['vip'] })
    expect((await put(externalId, { status: 'contacted' })).headers.get('etag')).toBe(
      changed.headers.get('etag'),
    )
    expect((await get(externalId)).body).toEqual(changed.body)
    const listed = await tenant.listLeads({ externalId })
    expect(listed.data.map(({ id }) => id)).toEqual([created.body.id])
    expect(await listEvents(created.body.id)).toEqual([{ type: 'lead.created' }, { type: 'lead.updated' }])
    expect((await tenant.call('DELETE', toPath(externalId))).status).toBe(204)
    expect((await get(externalId)).status).toBe(404)
    expect((await put(externalId, person())).status).toBe(201)
  })

  test('another workspace can use the same id', async () => {
    const own = await makeTenant(app)
    const theirs = (await put('shared', person())).body
    expect((await get('shared', own)).status).toBe(404)
    const created = await put('shared', { status: 'won' }, {}, own)
    expect([created.status, created.body.contact.name]).toEqual([201, null])
    expect((await get('shared')).body).toEqual(theirs)
    expect((await own.call('DELETE', toPath('shared'))).status).toBe(204)
    expect((await get('shared')).status).toBe(200)
  })

  test('concurrent requests create one lead', async () => {
    const body = person()
    const replies = await Promise.all(Array.from({ length: 6 }, () => put('race', body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  })

  test('a lead of the same person and property gets the id; two ids are two leads', async () => {
    const own = await makeTenant(app)
    const contact = { name: 'Marta Soler', phone: '+34612345678' }
    const [stored] = await seedListings(own, { a1: {} })
    const { title, squareMeters, price, address, municipality, operation } = makeListing()
    const property = { title, squareMeters, price, address, municipality, operation }
    const adopted = await put('mine', { contact, property }, {}, own)
    expect(adopted.status, adopted.text).toBe(200)
    expect(adopted.body).toMatchObject({ id: stored!.leadId, externalId: 'mine' })
    expect(adopted.body.sources.map(({ platform }) => platform)).toEqual(['portal_a'])
    const other = await put('other', { contact, property }, {}, own)
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(stored!.leadId)
  })

  test('the id of a lead as an external id does not change that lead', async () => {
    const known = (await put('crm-1', person())).body
    const own = await put(known.id, person())
    expect([own.status, own.body.code, own.body.existingLeadId]).toEqual([409, 'LEAD_EXISTS', known.id])
    expect((await get('crm-1')).body).toEqual(known)
    const bare = (await tenant.call<Lead>('POST', '/leads', { body: person() })).body
    expect((await put(bare.id, { status: 'won' })).body).toMatchObject({ id: bare.id, externalId: bare.id })
  })

  test('If-Match requires an existing lead with this version', async () => {
    const created = await put('guarded', person())
    const headers = { 'if-match': created.headers.get('etag')! }
    expect((await put('guarded', { status: 'won' }, { headers })).status).toBe(200)
    expect((await put('guarded', { status: 'lost' }, { headers })).status).toBe(412)
    expect((await put('unknown', person(), { headers: { 'if-match': '*' } })).status).toBe(412)
    expect((await get('unknown')).status).toBe(404)
    expect((await tenant.call('DELETE', toPath('guarded'), { headers })).status).toBe(412)
  })

  test.each([
    ['blank', '%20'],
    ['invisible', '%E2%80%8B'],
    ['too long', 'x'.repeat(256)],
    ['with a control character', 'a%00b'],
  ])('an id is refused if it is %s', async (_what, id) => {
    const reply = await tenant.call<Refusal>('PUT', `/leads/by-external-id/${id}`, { body: person() })
    expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_INPUT'])
  })

  test('an id may have 255 characters of any language', async () => {
    expect((await put('ñ'.repeat(255), person())).status).toBe(201)
  })

  test('the id of another lead is refused with the id of that lead; a removed id is free', async () => {
    const [one, two] = [await put('one', person()), await put('two', person())]
    const change = (id: string, externalId: string | null) =>
      tenant.call<Lead & Refusal>('PATCH', `/leads/${id}`, { body: { externalId } })
    const refused = await change(two.body.id, 'one')
    expect([refused.status, refused.body.code, refused.body.existingLeadId]).toEqual([
      409,
      'LEAD_EXISTS',
      one.body.id,
    ])
    const posted = await tenant.call<Refusal>('POST', '/leads', { body: { ...person(), externalId: 'one' } })
    expect([posted.status, posted.body.existingLeadId]).toEqual([409, one.body.id])
    expect((await change(one.body.id, null)).body.externalId).toBeNull()
    expect((await change(two.body.id, 'one')).body.externalId).toBe('one')
    expect((await put('one', {}, { body: { status: 'won' } })).body.id).toBe(two.body.id)
  })

  test('a person who was erased is not stored', async () => {
    const own = await makeTenant(app)
    const body = person()
    const { id } = (await put('erased', body, {}, own)).body
    await own.call('DELETE', `/leads/${id}?erase=true`)
    const again = await put('erased', body, {}, own)
    expect([again.status, again.body.code]).toEqual([409, 'PERSON_ERASED'])
  })

  test('in a merge, the survivor keeps its own id or takes the other one; after the undo, each has its own', async () => {
    const own = await makeTenant(app)
    const make = async (externalId: string | null) =>
      (await own.call<Lead>('POST', '/leads', { body: { externalId, ...person(newId()) } })).body
    const [a, b, bare] = [await make('a'), await make('b'), await make(null)]
    const merge = async (id: string, leadId: string) =>
      (await own.call<{ mergeId: string; lead: Lead }>('POST', `/leads/${id}/merge`, { body: { leadId } }))
        .body
    const first = await merge(a.id, b.id)
    expect(first.lead.externalId).toBe('a')
    for (const reply of [await get('b', own), await own.call<Refusal>('DELETE', toPath('b'))])
      expect([reply.status, reply.body.mergedIntoLeadId]).toEqual([404, a.id])
    const refused = await put('b', person(), {}, own)
    const posted = await own.call<Refusal>('POST', '/leads', { body: { externalId: 'b', ...person() } })
    for (const { status, body } of [refused, posted])
      expect([status, body.code, body.existingLeadId]).toEqual([409, 'LEAD_EXISTS', a.id])
    await own.call('POST', `/leads/${a.id}/merges/${first.mergeId}/undo`)
    expect((await get('b', own)).body.id).toBe(b.id)
    const second = await merge(bare.id, b.id)
    expect(second.lead.externalId).toBe('b')
    expect((await get('b', own)).body.id).toBe(bare.id)
    const undone = await own.call('POST', `/leads/${bare.id}/merges/${second.mergeId}/undo`)
    expect(undone.status, undone.text).toBe(200)
    expect((await get('b', own)).body.id).toBe(b.id)
    expect((await own.call<Lead>('GET', `/leads/${bare.id}`)).body.externalId).toBeNull()
  })

  test('the undo of a merge returns an external id that was set on the survivor by hand', async () => {
    const [a, b] = [(await put('survivor', person())).body, (await put('absorbed', person())).body]
    const merged = await tenant.call<{ mergeId: string }>('POST', `/leads/${a.id}/merge`, {
      body: { leadId: b.id },
    })
    await tenant.call('PATCH', `/leads/${a.id}`, { body: { externalId: 'absorbed' } })
    const undone = await tenant.call('POST', `/leads/${a.id}/merges/${merged.body.mergeId}/undo`)
    expect(undone.status, undone.text).toBe(200)
    expect((await get('absorbed')).body.id).toBe(b.id)
    expect((await tenant.call<Lead>('GET', `/leads/${a.id}`)).body.externalId).toBeNull()
  })

  test('an import sets it on leads that have none, and never removes it', async () => {
    const own = await makeTenant(app)
    await put('7', { contact: { name: 'Eva', phone: '699000001' } }, {}, own)
    const file = 'Referencia CRM;Nombre;Teléfono\n7;Eva;699000001\n8;Pere;699000002\n7;Otra;699000003'
    expect((await importFile(own, file)).progress).toMatchObject({ created: 2 })
    const leads = await own.listAllLeads()
    expect(Object.fromEntries(leads.map(({ contact, externalId }) => [contact.name, externalId]))).toEqual({
      Eva: '7',
      Pere: '8',
      Otra: null,
    })
  })
})

test.each([
  ['POST', '/leads', { contact: { phone: 1 } }],
  ['PATCH', '/leads/01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f', { status: 'nwe' }],
  ['PUT', '/leads/by-external-id/any', { property: { price: 'much' } }],
])('%s %s: unknown features are reported together with other errors', async (method, path, wrong: object) => {
  const own = await makeTenant(app)
  const features = ['jacuzzi', 'lift', 'acensor']
  const body = { ...wrong, property: { ...(wrong as { property?: object }).property, features } }
  const reply = await own.call<{ errors: { path: string; message: string }[] }>(method, path, { body })
  expect(reply.status).toBe(400)
  const [first, ...others] = reply.body.errors
  expect(first!.path).toMatch(/^\/(contact\/phone|status|property\/price)$/)
  expect(others.map(({ path }) => path)).toEqual(['/property/features/0', '/property/features/2'])
  expect(others[1]!.message).toMatch(/lift/)
})

test('every route returns the id of the lead that the requested one was merged into', async () => {
  const own = await makeTenant(app)
  const [one, two] = [
    (await put('x', person('X'), {}, own)).body,
    (await put('y', person('Y'), {}, own)).body,
  ]
  await own.call('POST', `/leads/${one.id}/merge`, { body: { leadId: two.id } })
  const paths: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PATCH', '', { status: 'won' }],
    ['DELETE', ''],
    ['DELETE', '?erase=true'],
    ['GET', '/timeline'],
    ['GET', '/notes'],
    ['POST', '/notes', { body: 'x' }],
    ['GET', '/data'],
    ['GET', '/duplicates'],
    ['PUT', '/lawful-basis', { kind: 'contract', proof: 'Mandate' }],
    ['POST', '/merge', { leadId: one.id }],
  ]
  for (const [method, path, body] of paths) {
    const reply = await own.call<Refusal>(method, `/leads/${two.id}${path}`, body ? { body } : {})
    expect([method, path, reply.status, reply.body.mergedIntoLeadId]).toEqual([method, path, 404, one.id])
  }
})
