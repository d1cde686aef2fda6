/** Updating, deleting and erasing many leads: few in the request itself, more by a job. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeLeads, makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import { insertOperation, runBatch } from './bulk.ts'
import type { LeadOperation } from './bulk-schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const change = (tenant: TestTenant, body: object) =>
  tenant.call<LeadOperation & { code: string }>('PATCH', '/leads', { body })
const remove = (tenant: TestTenant, body: object) => tenant.call<LeadOperation>('DELETE', '/leads', { body })
const makeAll = (tenant: TestTenant, all: object[]) => makeLeads(app.database, tenant.tenantId, all)
const countEvents = async (tenant: TestTenant, type: string) =>
  (
    await tenant.inTenant(tx =>
      tx
        .selectFrom('events')
        .select('id')
        .where('tenant_id', '=', tenant.tenantId)
        .where('type', '=', type)
        .execute(),
    )
  ).length

test('updates the leads with these ids, ignores unknown ids, and emits each change', async () => {
  const tenant = await makeTenant(app)
  const [one, two, three] = await makeAll(tenant, [{}, {}, {}])
  await tenant.call('PATCH', `/leads/${two}`, { body: { tags: ['kept', 'removed'] } })
  const { status, body } = await change(tenant, {
    ids: [one, two, newId()],
    changes: { status: 'contacted', addTags: ['autumn'], removeTags: ['removed'], customFields: { wave: 2 } },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'update',
    status: 'COMPLETED',
    requested: 3,
    progress: { matched: 2, processed: 2, changed: 2, percent: 100 },
  })
  const leads = new Map((await tenant.listAllLeads()).map(lead => [lead.id, lead]))
  expect(leads.get(one!)).toMatchObject({ status: 'contacted', tags: ['autumn'], customFields: { wave: 2 } })
  expect(leads.get(two!)).toMatchObject({ status: 'contacted', tags: ['kept', 'autumn'] })
  expect(leads.get(three!)).toMatchObject({ status: 'new', tags: [] })
  expect(await countEvents(tenant, 'lead.updated')).toBe(3)
  expect((await tenant.call('GET', `/leads/operations/${body.id}`)).body).toEqual(body)
})

test('a filter selects the same leads as the list, even if the change affects the filter', async () => {
  const tenant = await makeTenant(app)
  await makeAll(tenant, [{ price: 100 }, { price: 200 }, { price: 300, title: 'Ático' }])
  const { body } = await change(tenant, {
    filter: { status: 'new', minPrice: 150 },
    changes: { status: 'lost' },
  })
  expect(body).toMatchObject({ status: 'COMPLETED', progress: { matched: 2, changed: 2 } })
  expect((await tenant.listLeads({ status: 'lost' })).data.map(lead => lead.property.price).sort()).toEqual([
    200, 300,
  ])
  expect((await remove(tenant, { filter: { q: 'atico' } })).body).toMatchObject({
    kind: 'delete',
    progress: { changed: 1 },
  })
  expect(await tenant.listAllLeads()).toHaveLength(2)
  expect(await countEvents(tenant, 'lead.deleted')).toBe(1)
})

test('records a lawful basis on each lead; the timeline keeps the former one', async () => {
  const tenant = await makeTenant(app)
  const ids = await makeAll(tenant, [{}, {}])
  const before = { kind: 'legitimate_interest', proof: 'weighed' }
  await tenant.call('PUT', `/leads/${ids[0]}/lawful-basis`, { body: before })
  const lawfulBasis = {
    kind: 'consent',
    proof: 'Form of the autumn campaign.',
    recordedAt: '2026-10-01T00:00:00Z',
  }
  const { body } = await change(tenant, { ids, changes: { lawfulBasis } })
  expect(body).toMatchObject({ status: 'COMPLETED', progress: { changed: 2 } })
  for (const id of ids)
    expect((await tenant.call('GET', `/leads/${id}/lawful-basis`)).body).toMatchObject({
      ...lawfulBasis,
      recordedAt: '2026-10-01T00:00:00.000Z',
    })
  const timeline = await tenant.call<{ data: { data: object }[] }>('GET', `/leads/${ids[0]}/timeline`)
  expect(timeline.body.data[0]!.data).toMatchObject({
    keyId: expect.any(String),
    changes: expect.arrayContaining([
      { field: 'lawfulBasis', before: before.kind, after: lawfulBasis.kind },
      { field: 'lawfulBasisProof', before: before.proof, after: lawfulBasis.proof },
    ]),
  })
})

test('changes no lead if one would have too many tags', async () => {
  const tenant = await makeTenant(app)
  const ids = await makeAll(tenant, [{}, {}])
  const makeTags = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at}`)
  await tenant.call('PATCH', `/leads/${ids[1]}`, { body: { tags: makeTags(60, 'own') } })
  const { status, body } = await change(tenant, { ids, changes: { addTags: makeTags(41, 'more') } })
  expect([status, body]).toMatchObject([400, { errors: [{ path: '/changes/addTags' }] }])
  expect((await tenant.listAllLeads()).map(lead => lead.tags.length).sort()).toEqual([0, 60])
  expect(
    (await change(tenant, { ids, changes: { addTags: makeTags(40, 'more') } })).body.progress.changed,
  ).toBe(2)
})

test('counts a lead without changes but does not update it', async () => {
  const tenant = await makeTenant(app)
  const ids = await makeAll(tenant, [{}, {}])
  const { body } = await change(tenant, { ids, changes: { status: 'new' } })
  expect(body).toMatchObject({ progress: { matched: 2, processed: 2, changed: 0 } })
  expect(await countEvents(tenant, 'lead.updated')).toBe(0)
})

test('more than a thousand leads are processed by a job, each once, without later ones', async () => {
  const tenant = await makeTenant(app)
  await makeAll(
    tenant,
    Array.from({ length: 1200 }, () => ({})),
  )
  const { body } = await change(tenant, { filter: { platform: 'portal_a' }, changes: { addTags: ['all'] } })
  expect(body).toMatchObject({ status: 'QUEUED', progress: { processed: 0 }, finishedAt: null })
  const [laterId] = await makeAll(tenant, [{}])
  const done = await eventually(
    async () => (await tenant.call<LeadOperation>('GET', `/leads/operations/${body.id}`)).body,
    ({ finishedAt }) => finishedAt !== null,
  )
  expect(done).toMatchObject({
    status: 'COMPLETED',
    progress: { matched: 1200, processed: 1200, changed: 1200 },
  })
  const untagged = (await tenant.listAllLeads()).filter(lead => !lead.tags.includes('all'))
  expect(untagged.map(lead => lead.id)).toEqual([laterId])
  expect(await countEvents(tenant, 'lead.updated')).toBe(1200)
})

test('an erasure keeps the identifiers of professionals over all its batches', async () => {
  const tenant = await makeTenant(app)
  const agencyPhone = '+34934000000'
  const withPhones = (phones: string[]) =>
    phones.map((phone, at) => ({
      contact: { ...makeListing().contact, phone, phoneRaw: phone },
      price: 1000 * at,
    }))
  // The second batch has no lead of the agency; the third one has its last six.
  const privatePhones = Array.from({ length: 110 }, (_, at) => `+346${10_000_000 + at}`)
  const ids = [
    ...(await makeAll(tenant, withPhones(Array(95).fill(agencyPhone)))),
    ...(await makeAll(tenant, withPhones(privatePhones))),
    ...(await makeAll(tenant, withPhones(Array(6).fill(agencyPhone)))),
  ].sort()
  const { body } = await remove(tenant, { ids: ids.slice(0, -1), erase: true })
  expect(body.status).toBe('QUEUED')
  const done = await eventually(
    async () => (await tenant.call<LeadOperation>('GET', `/leads/operations/${body.id}`)).body,
    ({ finishedAt }) => finishedAt !== null,
  )
  expect(done).toMatchObject({
    status: 'COMPLETED',
    progress: { matched: 210, processed: 210, changed: 210 },
  })
  expect((await tenant.listAllLeads()).map(({ id }) => id)).toEqual(ids.slice(-1))
  const [contact] = withPhones([agencyPhone])
  expect(await seedListings(tenant, { new: contact! })).toMatchObject([{ result: 'created' }])
})

test('a cancelled operation stops, and an ended one can not be cancelled', async () => {
  const tenant = await makeTenant(app)
  const ids = await makeAll(
    tenant,
    Array.from({ length: 1100 }, () => ({})),
  )
  const { id } = await tenant.inTenant(tx =>
    insertOperation(tx, { kind: 'delete', selection: { ids }, changes: null, keyId: null, userId: null }),
  )
  const cancel = () => tenant.call<LeadOperation>('POST', `/leads/operations/${id}/cancel`)
  expect((await cancel()).body).toMatchObject({ status: 'CANCELLED', progress: { processed: 0 } })
  expect(await tenant.inTenant(tx => runBatch(tx, id))).toBe(false)
  expect(await tenant.listAllLeads()).toHaveLength(1100)
  expect((await cancel()).status).toBe(409)
})

test.each<[what: string, body: object, path: string]>([
  ['neither ids nor a filter', { changes: { status: 'won' } }, '/ids'],
  ['both', { ids: [newId()], filter: { status: 'new' }, changes: { status: 'won' } }, '/ids'],
  ['an empty filter', { filter: {}, changes: { status: 'won' } }, '/filter'],
  ['a mistyped filter', { filter: { statsu: 'new' }, changes: { status: 'won' } }, '/filter/statsu'],
  ['no change', { ids: [newId()], changes: {} }, '/changes'],
  [
    'a basis in the future',
    { ids: [newId()], changes: { lawfulBasis: { kind: 'contract', recordedAt: '2999-01-01T00:00:00Z' } } },
    '/changes/lawfulBasis/recordedAt',
  ],
  ['an unknown user', { ids: [newId()], changes: { ownerUserId: newId() } }, '/changes/ownerUserId'],
])('%s is refused', async (_what, body, path) => {
  const tenant = await makeTenant(app)
  const { status, body: refusal } = await tenant.call<{ errors: { path: string }[] }>('PATCH', '/leads', {
    body,
  })
  expect(status).toBe(400)
  expect(refusal.errors.map(error => error.path)).toContain(path)
})
