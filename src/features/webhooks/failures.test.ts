/** Deliveries that fail: tried again, given up, and what becomes of the subscription. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { bringForward, whenIdle } from '../../../test/jobs.ts'
import { arrival, isGenuine, startReceiver, startReceiverForTest, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { emit } from '../../kit/event.ts'
import { leadsImported } from '../leads/events.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Emits an event that says `number`, so that it can be told from others. */
const emitImported = (of: TestTenant, number = 0) =>
  of.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, created: number }))

const findDelivery = (of: TestTenant) =>
  of.inTenant(tx => tx.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow())

async function statusOf(of: TestTenant, id: string) {
  const { body } = await of.call<{ status: string; disabledReason: string | null }>('GET', `/webhooks/${id}`)
  return [body.status, body.disabledReason]
}

describe('a failed delivery', () => {
  test('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with one id, then given up', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { secret } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt++) {
      await arrival(receiver, attempt)
      await whenIdle(app.database, tenant.tenantId)
      waits.push(...(await bringForward(app.database, tenant.tenantId)))
    }
    await arrival(receiver, 8)
    await whenIdle(app.database, tenant.tenantId)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    for (const [at, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(waits[at]).toBeGreaterThan(seconds * 0.9 - 3)
      expect(waits[at]).toBeLessThan(seconds * 1.1)
    }
    expect(waits).toHaveLength(7)
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.deliveries.every(delivery => isGenuine(secret, delivery))).toBe(true)
    const failed = { status: 'failed', attempts: 8, response_status: 500, next_attempt_at: null }
    expect(await findDelivery(tenant)).toMatchObject(failed)
  })

  test('that succeeds later is delivered, and not sent again', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({
      status: receiver.deliveries.length === 1 ? 503 : 200,
    }))
    await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    expect(await findDelivery(tenant)).toMatchObject({ status: 'pending', attempts: 1, response_status: 503 })
    await bringForward(app.database, tenant.tenantId)
    await arrival(receiver, 2)
    await whenIdle(app.database, tenant.tenantId)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    expect(await findDelivery(tenant)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      response_status: 200,
    })
  })

  test('is one when the receiver redirects: nothing follows', async () => {
    tenant = await makeTenant(app)
    const target = await startReceiverForTest()
    const receiver = await startReceiverForTest(() => ({ status: 307, headers: { location: target.url } }))
    await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    expect(target.deliveries).toEqual([])
    expect(await findDelivery(tenant)).toMatchObject({ status: 'pending', response_status: 307 })
  })

  test('is one when nobody listens', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiver()
    await subscribe(tenant, receiver)
    await receiver.stop()
    await emitImported(tenant)
    await whenIdle(app.database, tenant.tenantId)
    const delivery = await eventually(
      () => findDelivery(tenant),
      ({ attempts }) => attempts === 1,
    )
    expect(delivery).toMatchObject({ status: 'pending', response_status: null })
    expect(delivery.error).toMatch(/ECONNREFUSED/)
  })

  test('to a name inside the private network never leaves, whatever its address looked like', async () => {
    const guarded = await startTestApp({ env: { ALLOWED_PRIVATE_RANGES: '' } })
    onTestFinished(() => guarded.stop())
    tenant = await makeTenant(guarded)
    const receiver = await startReceiverForTest()
    await subscribe(tenant, { ...receiver, url: receiver.url.replace('127.0.0.1', 'localhost') })
    await emitImported(tenant)
    const delivery = await eventually(
      () => tenant.inTenant(tx => tx.selectFrom('webhook_deliveries').selectAll().executeTakeFirst()),
      row => row?.attempts === 1,
    )
    expect(delivery!.error).toMatch(/private network/)
    expect(receiver.deliveries).toEqual([])
  })
})

describe('a subscription', () => {
  test('that answers 410 is disabled at once, says so, and hears no more', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 410 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    expect(await statusOf(tenant, id)).toEqual(['disabled', 'The receiver answered 410 Gone.'])
    await emitImported(tenant)
    await whenIdle(app.database, tenant.tenantId)
    expect(await bringForward(app.database, tenant.tenantId)).toEqual([])
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('that has failed for five days is disabled and says so; a day less, and it is not', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    const failingFor = (interval: string) =>
      tenant.inTenant(tx =>
        sql`update webhooks set failing_since = now() - ${interval}::interval`.execute(tx),
      )
    await failingFor('4 days 23 hours 59 minutes')
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    expect(await statusOf(tenant, id)).toEqual(['enabled', null])
    await failingFor('5 days')
    await emitImported(tenant)
    await arrival(receiver, 2)
    await whenIdle(app.database, tenant.tenantId)
    expect(await statusOf(tenant, id)).toEqual(['disabled', 'Deliveries have failed for 5 days.'])
  })

  test('that delivers once in five days of failures begins to count anew', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({
      status: receiver.deliveries.length === 1 ? 200 : 500,
    }))
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      sql`update webhooks set failing_since = now() - interval '9 days'`.execute(tx),
    )
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    await emitImported(tenant)
    await arrival(receiver, 2)
    await whenIdle(app.database, tenant.tenantId)
    expect(await statusOf(tenant, id)).toEqual(['enabled', null])
  })

  test('that is deleted takes what was still to be delivered with it', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await arrival(receiver)
    await whenIdle(app.database, tenant.tenantId)
    expect((await tenant.call('DELETE', `/webhooks/${id}`)).status).toBe(204)
    expect(await bringForward(app.database, tenant.tenantId)).toHaveLength(1)
    await whenIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries).toHaveLength(1)
  })
})
