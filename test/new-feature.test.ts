/**
 * A new feature needs only its folder, `app.ts` and a migration. All that the feature of viewings declares is served,
 * documented, limited, delivered, moved with the clock, merged, exported and erased, without changes elsewhere.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTenantId } from '../src/kit/db/context.ts'
import { sql } from '../src/kit/db/index.ts'
import { eventually, startTestApp, type TestApp } from './harness.ts'
import { makeKey } from './make.ts'
import { startReceiverForTest, subscribe } from './receiver.ts'
import { makeTenant, type TestTenant } from './tenant.ts'
import { migration, quota, type viewing, viewings } from './viewings-feature.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ extraFeatures: [viewings] })
  await app.database.ownerPool.query(migration)
  tenant = await makeTenant(app)
})
afterAll(async () => {
  await app.stop()
})

type Shown = typeof viewing & { code: string; viewingId: string; message: string }
const toHoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const makeLead = async (phone: string) =>
  (await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })).body.id
const requestBooking = (leadId: string, startsAt: string, more = {}) =>
  tenant.call<Shown>('POST', '/viewings', { body: { leadId, startsAt, visitor: 'Eva Mas' }, ...more })
const readViewing = async (viewingId: string) =>
  (await tenant.call<Shown>('GET', `/viewings/${viewingId}`)).body

test('it is served by its scopes, counted by its quota, and refuses with its error code and field', async () => {
  const workspace = app.workspace.slug
  const reader = await makeKey(app.database, { workspace, scopes: ['viewings:read'] })
  expect(await app.call('POST', '/viewings', { key: reader, body: {} })).toMatchObject({
    status: 403,
    body: { code: 'INSUFFICIENT_SCOPE', message: expect.stringContaining('viewings:write') },
  })
  const leadId = await makeLead('611000001')
  const startsAt = toHoursFromNow(50)
  const booked = await requestBooking(leadId, startsAt)
  expect(booked).toMatchObject({ status: 201, body: { leadId, startsAt, host: null } })
  expect(await tenant.readQuotaUsage(quota.name)).toBe(1)
  expect(await requestBooking(leadId, startsAt)).toMatchObject({
    status: 409,
    body: { code: 'VIEWING_TAKEN', viewingId: booked.body.id },
  })
  await tenant.limitQuota(quota.name, 1)
  expect(await requestBooking(leadId, toHoursFromNow(51))).toMatchObject({
    status: 429,
    body: { code: 'QUOTA_EXCEEDED' },
  })
  await tenant.inTenant(tx => sql`delete from quota_limits where tenant_id = ${getTenantId(tx)}`.execute(tx))
})

test('it is in the documentation, with its events', () => {
  const { tags, paths, webhooks, components } = JSON.parse(app.app.openapi)
  expect(tags).toContainEqual({ name: 'Viewings', description: 'Who sees a property, and when.' })
  expect(paths).toHaveProperty(['/public/v1/viewings/{id}', 'get', 'operationId'], 'getViewing')
  expect(Object.keys(webhooks)).toEqual(expect.arrayContaining(['viewing.booked', 'viewing.due']))
  expect(JSON.stringify(components.securitySchemes)).toContain('viewings:read, viewings:write')
})

test('its events reach its handler and subscribed receivers; its job runs when the clock reaches its time', async () => {
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  const { body } = await requestBooking(await makeLead('611000002'), toHoursFromNow(30))
  await eventually(
    () => readViewing(body.id),
    ({ host }) => host === 'Ana',
  )
  const moved = await tenant.call('POST', '/sandbox/clock', { body: { now: toHoursFromNow(31) } })
  expect(moved.status, moved.text).toBe(200)
  const { remindedAt } = await readViewing(body.id)
  expect(Math.abs(Date.parse(remindedAt!) - Date.parse(body.startsAt))).toBeLessThan(120_000)
  const types = await eventually(
    async () =>
      receiver.deliveries
        .filter(({ event }) => event.data.viewingId === body.id)
        .map(({ event }) => event.type),
    list => list.length === 2,
  )
  expect(types).toEqual(['viewing.booked', 'viewing.due'])
})

test('it moves with merged leads, is part of access requests, and is erased with the person', async () => {
  const [leadId, other] = [await makeLead('611000003'), await makeLead('611000004')]
  const { body } = await requestBooking(other, toHoursFromNow(60))
  const headers = { 'idempotency-key': 'a viewing' }
  const { id: viewingId } = (await requestBooking(leadId, toHoursFromNow(61), { headers })).body
  expect((await tenant.call('POST', `/leads/${leadId}/merge`, { body: { leadId: other } })).status).toBe(200)
  expect(await readViewing(body.id)).toMatchObject({ leadId })
  const held = await tenant.call<{ viewings: Shown[] }>('GET', `/leads/${leadId}/data`)
  expect(held.body.viewings.map(({ id }) => id).toSorted()).toEqual([body.id, viewingId].toSorted())
  const countReplies = async () => {
    const { rows } = await tenant.inTenant(tx =>
      sql`select from idempotency_references
        where tenant_id = ${getTenantId(tx)} and referenced_id = ${viewingId}`.execute(tx),
    )
    return rows.length
  }
  expect(await countReplies()).toBe(1)
  expect((await tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
  expect(await readViewing(viewingId)).toMatchObject({ leadId: null, visitor: null })
  expect(await countReplies()).toBe(0)
})
