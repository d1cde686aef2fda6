/** Failed deliveries: retries, the final failure, and the effects on the subscription. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeDeliveriesDue, waitUntilIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  emitImported,
  getNewestDelivery,
  hasValidSignature,
  startReceiver,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Me } from '../identity/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

async function getStatus(caller: TestTenant, id: string) {
  const { body } = await caller.call<{ status: string; disabledReason: string | null }>(
    'GET',
    `/webhooks/${id}`,
  )
  return [body.status, body.disabledReason]
}

describe('a failed delivery', () => {
  test('is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with the same id, then fails', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const subscription = await subscribe(tenant, receiver)
    await emitImported(tenant)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 7; attempt++) {
      await waitForDeliveries(receiver, attempt)
      await waitUntilIdle(app.database, tenant.tenantId)
      waits.push(...(await makeDeliveriesDue(app.database, tenant.tenantId)))
    }
    await waitForDeliveries(receiver, 8)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await makeDeliveriesDue(app.database, tenant.tenantId)).toEqual([])
    for (const [index, seconds] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(waits[index]).toBeGreaterThan(seconds * 0.9 - 3)
      expect(waits[index]).toBeLessThan(seconds * 1.1)
    }
    expect(waits).toHaveLength(7)
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.deliveries.every(delivery => hasValidSignature(subscription.secret, delivery))).toBe(true)
    const delivery = await getNewestDelivery(tenant, subscription.id)
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: 8, nextAttemptAt: null })
    expect(delivery.attempts.map(({ responseStatus }) => responseStatus)).toEqual(Array(8).fill(500))
  })

  test('that succeeds on a retry is delivered, and not sent again', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({
      status: receiver.deliveries.length === 1 ? 503 : 200,
    }))
    const subscription = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getNewestDelivery(tenant, subscription.id)).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      deliveredAt: null,
      attempts: [{ responseStatus: 503, error: 'the receiver answered 503' }],
    })
    await makeDeliveriesDue(app.database, tenant.tenantId)
    await waitForDeliveries(receiver, 2)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await makeDeliveriesDue(app.database, tenant.tenantId)).toEqual([])
    expect(await getNewestDelivery(tenant, subscription.id)).toMatchObject({
      status: 'delivered',
      attemptCount: 2,
      nextAttemptAt: null,
      attempts: [{ responseStatus: 503 }, { responseStatus: 200, error: null }],
    })
  })

  test('is one whose receiver redirects: the redirect is not followed', async () => {
    tenant = await makeTenant(app)
    const target = await startReceiverForTest()
    const receiver = await startReceiverForTest(() => ({ status: 307, headers: { location: target.url } }))
    const subscription = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(target.deliveries).toEqual([])
    expect(await getNewestDelivery(tenant, subscription.id)).toMatchObject({
      status: 'pending',
      attempts: [{ responseStatus: 307 }],
    })
  })

  test('is one whose receiver does not listen', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiver()
    const subscription = await subscribe(tenant, receiver)
    await receiver.stop()
    await emitImported(tenant)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getNewestDelivery(tenant, subscription.id)).toMatchObject({
      status: 'pending',
      attempts: [{ responseStatus: null, responseBody: null, error: expect.stringMatching(/ECONNREFUSED/) }],
    })
  })

  test('is one whose host name now resolves to the private network: nothing is sent', async () => {
    let address = '93.184.216.34'
    const guarded = await startTestApp({
      env: { ALLOWED_PRIVATE_RANGES: '' },
      resolve: async () => [{ address, family: 4 }],
    })
    onTestFinished(() => guarded.stop())
    tenant = await makeTenant(guarded)
    const receiver = await startReceiverForTest()
    const url = receiver.url.replace('127.0.0.1', 'crm.example')
    const subscription = await subscribe(tenant, { ...receiver, url })
    address = '127.0.0.1'
    await emitImported(tenant)
    await waitUntilIdle(guarded.database, tenant.tenantId)
    const { attempts } = await getNewestDelivery(tenant, subscription.id)
    expect(attempts[0]!.error).toMatch(/^crm\.example is inside a private network/)
    expect(receiver.deliveries).toEqual([])
  })
})

describe('a subscription', () => {
  test('whose receiver replies 410 is disabled at once, with an event, and receives nothing more', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 410 }))
    const { id } = await subscribe(tenant, receiver)
    const other = await startReceiverForTest()
    await subscribe(tenant, other, ['webhook.disabled'])
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['disabled', 'The receiver answered 410 Gone.'])
    const { event } = (await waitForDeliveries(other))[0]!
    expect(event.data).toMatchObject({ subscriptionId: id, cause: 'gone', failingSince: null })
    await emitImported(tenant)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await makeDeliveriesDue(app.database, tenant.tenantId)).toEqual([])
    expect(receiver.deliveries).toHaveLength(1)
  })

  test('that has failed for five days, not less, is disabled, with an event and a notice', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    const other = await startReceiverForTest()
    await subscribe(tenant, other, ['webhook.disabled'])
    const setFailingFor = (interval: string) =>
      tenant.inTenant(tx =>
        sql`update webhook_subscriptions set failing_since = now() - ${interval}::interval, last_failed_at = now()`.execute(
          tx,
        ),
      )
    await setFailingFor('4 days 23 hours 59 minutes')
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['enabled', null])
    await setFailingFor('5 days')
    await emitImported(tenant)
    await waitForDeliveries(receiver, 2)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['disabled', 'Deliveries have failed for 5 days.'])
    const {
      failingSince,
      subscription: _subscription,
      objectOmitted: _omitted,
      ...eventData
    } = (await waitForDeliveries(other))[0]!.event.data
    expect(eventData).toEqual({ subscriptionId: id, cause: 'failures' })
    expect(Date.parse(failingSince as string)).toBeLessThan(Date.now() - 5 * 86_400_000)
    const listNotices = async () => (await tenant.call<Me>('GET', '/me')).body.notices
    expect(await listNotices()).toMatchObject([
      { code: 'WEBHOOK_DISABLED', objectId: id, message: expect.stringContaining('failed for 5 days') },
    ])
    await tenant.call('PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } })
    expect(await listNotices()).toEqual([])
  })

  test('that failed six days ago and fails again counts its failures from now', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 502 }))
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set failing_since = now() - interval '6 days', last_failed_at = now() - interval '25 hours'`.execute(
        tx,
      ),
    )
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['enabled', null])
    expect(await getNewestDelivery(tenant, id)).toMatchObject({ status: 'pending', attemptCount: 1 })
  })

  test('that changes its URL resets the failure history', async () => {
    tenant = await makeTenant(app)
    const release = Promise.withResolvers<Answer>()
    const [old, next] = [await startReceiverForTest(() => release.promise), await startReceiverForTest()]
    const { id } = await subscribe(tenant, old)
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set failing_since = now() - interval '2 days', paused_until = now() + interval '1 ms'`.execute(
        tx,
      ),
    )
    await emitImported(tenant)
    await waitForDeliveries(old)
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set paused_until = now() + interval '1 day'`.execute(tx),
    )
    const { body } = await tenant.call('PATCH', `/webhooks/${id}`, { body: { url: next.url } })
    expect(body).toMatchObject({ failingSince: null, pausedUntil: null })
    release.resolve({ status: 410, headers: { 'retry-after': '3600' } })
    await emitImported(tenant, 2)
    await waitForDeliveries(next)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['enabled', null])
  })

  test('that delivers once during five days of failures starts to count again', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({
      status: receiver.deliveries.length === 1 ? 200 : 500,
    }))
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set failing_since = now() - interval '9 days', last_failed_at = now()`.execute(
        tx,
      ),
    )
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    await emitImported(tenant)
    await waitForDeliveries(receiver, 2)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await getStatus(tenant, id)).toEqual(['enabled', null])
  })

  test('that is deleted loses its pending deliveries', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect((await tenant.call('DELETE', `/webhooks/${id}`)).status).toBe(204)
    expect(await makeDeliveriesDue(app.database, tenant.tenantId)).toEqual([])
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries).toHaveLength(1)
  })
})
