/** Deliveries that are sent again on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  emitImported,
  getNewestDelivery,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Static } from '../../kit/schema.ts'
import type { DeliveryWithEvent } from './schemas.ts'

type Shown = Static<typeof DeliveryWithEvent>

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const waitForIdle = () => waitUntilIdle(app.database, tenant.tenantId)
const setStatus = (id: string, status: 'enabled' | 'disabled') =>
  tenant.call('PATCH', `/webhooks/${id}`, { body: { status } })

const readNewest = (id: string) => getNewestDelivery(tenant, id)
const resend = (id: string, deliveryId: string) =>
  tenant.call<Shown & { code: string }>('POST', `/webhooks/${id}/deliveries/${deliveryId}/resend`, {
    body: {},
  })

describe('a resent delivery', () => {
  test('arrives again with the same id after a success, and keeps its attempts', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver)
    const eventId = await emitImported(tenant, 7)
    await waitForDeliveries(receiver)
    await waitForIdle()
    const before = await readNewest(id)
    expect(before).toMatchObject({ status: 'delivered', attemptCount: 1 })
    const reply = await resend(id, before.id)
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({ id: before.id, status: 'pending', attemptCount: 0, deliveredAt: null })
    const path = `/webhooks/${id}/deliveries/${before.id}?waitSeconds=20`
    const shown = await tenant.call<Shown>('GET', path)
    expect(shown.body).toMatchObject({ status: 'delivered', attemptCount: 1 })
    const [first, second] = await waitForDeliveries(receiver, 2)
    expect([second!.headers['webhook-id'], second!.body]).toEqual([eventId, first!.body])
    await waitForIdle()
    const after = await readNewest(id)
    expect(after).toMatchObject({ status: 'delivered', attemptCount: 1 })
    expect(after.attempts).toHaveLength(2)
    expect(after.attempts[0]).toEqual(before.attempts[0])
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('arrives after the final failure, and is retried if it fails again', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitForIdle()
    await setStatus(id, 'disabled')
    await setStatus(id, 'enabled')
    const { id: deliveryId, status } = await readNewest(id)
    expect(status).toBe('failed')
    await resend(id, deliveryId)
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    expect(await readNewest(id)).toMatchObject({ status: 'pending', attemptCount: 1 })
    receiver.answer = () => ({ status: 200 })
    await resend(id, deliveryId)
    await waitForDeliveries(receiver, 3)
    await waitForIdle()
    expect(await readNewest(id)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('keeps the result of an attempt that is under way', async () => {
    tenant = await makeTenant(app)
    const answers: PromiseWithResolvers<Answer>[] = []
    const receiver = await startReceiverForTest(() => {
      answers.push(Promise.withResolvers())
      return answers.at(-1)!.promise
    })
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    answers[0]!.resolve({ status: 500 })
    await waitForIdle()
    const delivery = await readNewest(id)
    await resend(id, delivery.id)
    await waitForDeliveries(receiver, 2)
    await resend(id, delivery.id)
    answers[1]!.resolve({ status: 200, body: 'second' })
    await waitForIdle()
    expect(await readNewest(id)).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      attempts: [{ responseStatus: 500 }, { responseStatus: 200, responseBody: 'second' }],
    })
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('is sent now even if the receiver requested a pause of hours', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 503, headers: { 'retry-after': '7200' } }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitForIdle()
    const { id: deliveryId, nextAttemptAt } = await readNewest(id)
    expect(Date.parse(nextAttemptAt!)).toBeGreaterThan(Date.now() + 7_100_000)
    receiver.answer = () => ({ status: 200 })
    await resend(id, deliveryId)
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    expect(await readNewest(id)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('is refused for a disabled subscription; 404 for another subscription or workspace', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const [{ id }, other] = [
      await subscribe(tenant, receiver),
      await subscribe(tenant, receiver, ['lead.created']),
    ]
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitForIdle()
    const before = await readNewest(id)
    expect((await resend(other.id, before.id)).status).toBe(404)
    const stranger = await makeTenant(app)
    const path = `/webhooks/${id}/deliveries/${before.id}/resend`
    expect((await stranger.call('POST', path, { body: {} })).status).toBe(404)
    await setStatus(id, 'disabled')
    const refusal = await resend(id, before.id)
    expect([refusal.status, refusal.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    expect(await readNewest(id)).toEqual(before)
  })
})
