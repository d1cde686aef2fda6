/** Recovery: sending everything that a subscription missed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  createPendingDeliveries,
  emitImported,
  emitWithdrawals,
  getNewestDelivery,
  type Receiver,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { extractionFailed } from '../extractions/events.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const waitForIdle = () => waitUntilIdle(app.database, tenant.tenantId)
const numbers = ({ deliveries }: Receiver) => deliveries.map(({ event }) => event.data.created)
const setStatus = (id: string, status: 'enabled' | 'disabled') =>
  tenant.call('PATCH', `/webhooks/${id}`, { body: { status } })

const readNewest = (id: string) => getNewestDelivery(tenant, id)

describe('a recovery', () => {
  const recover = (id: string, since: Date) =>
    tenant.call<{ recovered: number; nextSince: string | null; code: string; errors: object[] }>(
      'POST',
      `/webhooks/${id}/recover`,
      {
        body: { since: since.toISOString() },
      },
    )
  const hourAgo = () => new Date(Date.now() - 3_600_000)

  test('sends failed deliveries and events from while it was disabled, and nothing twice', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    await emitImported(tenant, 0)
    const { id } = await subscribe(tenant, receiver, ['leads.imported'])
    await emitImported(tenant, 1)
    await waitForDeliveries(receiver)
    await waitForIdle()
    receiver.answer = () => ({ status: 500 })
    await emitImported(tenant, 2)
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    await setStatus(id, 'disabled')
    await emitImported(tenant, 3)
    await tenant.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))
    receiver.answer = () => ({ status: 200 })
    receiver.deliveries.length = 0
    await setStatus(id, 'enabled')
    await waitForIdle()
    expect(receiver.deliveries).toEqual([])

    const reply = await recover(id, hourAgo())
    expect([reply.status, reply.body]).toEqual([202, { recovered: 2, nextSince: null }])
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    expect(numbers(receiver).sort()).toEqual([2, 3])
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
    await waitForIdle()
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('goes back to `since` and no further', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant, 1)
    await waitForDeliveries(receiver)
    await waitForIdle()
    await setStatus(id, 'disabled')
    await emitImported(tenant, 2)
    await sleep(20)
    const since = new Date()
    await emitImported(tenant, 3)
    await setStatus(id, 'enabled')
    expect((await recover(id, since)).body).toEqual({ recovered: 1, nextSince: null })
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    expect(numbers(receiver)).toEqual([1, 3])
  })

  test('makes waiting retries due at once, without additional attempts', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant)
    await waitForDeliveries(receiver)
    await waitForIdle()
    const before = await readNewest(id)
    expect(before).toMatchObject({ status: 'pending', attemptCount: 1 })
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 1, nextSince: null })
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    expect(await readNewest(id)).toMatchObject({ status: 'pending', attemptCount: 2 })
  })

  test('goes back at most 30 days, and is refused for a disabled subscription', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'https://crm.example/hooks' })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const tooOld = await recover(id, daysAgo(30.01))
    expect(tooOld.status).toBe(400)
    expect(tooOld.body.errors).toMatchObject([{ path: '/since', code: 'TOO_OLD' }])
    expect((await recover(id, daysAgo(29.99))).status).toBe(202)
    await setStatus(id, 'disabled')
    const refusal = await recover(id, hourAgo())
    expect([refusal.status, refusal.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    const stranger = await makeTenant(app)
    const body = { since: hourAgo().toISOString() }
    expect((await stranger.call('POST', `/webhooks/${id}/recover`, { body })).status).toBe(404)
  })

  test('sends no event whose type was not subscribed when it happened', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver, ['extraction.failed'])
    await emitImported(tenant, 1)
    await tenant.call('PATCH', `/webhooks/${id}`, { body: { events: ['*'] } })
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
  })

  test('of very many events continues from `nextSince`', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver)
    await setStatus(id, 'disabled')
    await emitWithdrawals(tenant, 10_500)
    await setStatus(id, 'enabled')
    const first = (await recover(id, hourAgo())).body
    expect(first).toMatchObject({ recovered: 10_000, nextSince: expect.any(String) })
    const { body } = await recover(id, new Date(first.nextSince!))
    expect(body).toEqual({ recovered: 500, nextSince: null })
    // Otherwise its 10,500 deliveries would be sent during the next tests.
    await tenant.call('DELETE', `/webhooks/${id}`)
  })

  test('sends no event whose type is no longer subscribed', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(tenant, 1)
    await tenant.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))
    await waitForDeliveries(receiver, 2)
    await waitForIdle()
    await setStatus(id, 'disabled')
    await tenant.call('PATCH', `/webhooks/${id}`, {
      body: { status: 'enabled', events: ['extraction.failed'] },
    })
    receiver.answer = () => ({ status: 200 })
    const { body } = await tenant.call('POST', `/webhooks/${id}/recover`, {
      body: { since: new Date(Date.now() - 60_000).toISOString() },
    })
    expect(body).toEqual({ recovered: 1, nextSince: null })
    await waitForIdle()
    expect(receiver.deliveries.slice(2).map(({ event }) => event.type)).toEqual(['extraction.failed'])
  })

  test('sends no test event of another subscription', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const [{ id }, other] = [await subscribe(tenant, receiver), await subscribe(tenant, receiver)]
    await tenant.call('POST', `/webhooks/${other.id}/test`, { body: {} })
    await waitForDeliveries(receiver)
    await waitForIdle()
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
  })

  test('ends a pause that the receiver requested', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx =>
      sql`update webhook_subscriptions set paused_until = now() + interval '1 hour'`.execute(tx),
    )
    await emitImported(tenant, 1)
    await createPendingDeliveries(tenant, id)
    await tenant.inTenant(tx =>
      sql`update webhook_deliveries set status = 'failed', next_attempt_at = null`.execute(tx),
    )
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 1, nextSince: null })
    await waitForDeliveries(receiver)
  })
})
