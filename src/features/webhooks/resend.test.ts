/** Sending once more: a single delivery, or all that a subscription missed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { whenIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  arrival,
  emitWithdrawals,
  type Receiver,
  startReceiverForTest,
  subscribe,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import type { Static } from '../../kit/schema.ts'
import { extractionFailed } from '../extractions/events.ts'
import { leadsImported } from '../leads/events.ts'
import type { DeliveryWithEvent } from './schemas.ts'

type Shown = Static<typeof DeliveryWithEvent>

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Emits an event that says `number`, so that it can be told from others. */
const emitImported = (number = 0) =>
  tenant.inTenant(tx => emit(tx, leadsImported, { ...leadsImported.example, created: number }))

const idle = () => whenIdle(app.database, tenant.tenantId)
const numbers = ({ deliveries }: Receiver) => deliveries.map(({ event }) => event.data.created)
const setStatus = (id: string, status: 'enabled' | 'disabled') =>
  tenant.call('PATCH', `/webhooks/${id}`, { body: { status } })

/** The delivery of the newest event. */
async function newest(id: string): Promise<Shown> {
  const { body } = await tenant.call<{ data: Shown[] }>('GET', `/webhooks/${id}/deliveries?limit=1`)
  return (await tenant.call<Shown>('GET', `/webhooks/${id}/deliveries/${body.data[0]!.id}`)).body
}

const resend = (id: string, deliveryId: string) =>
  tenant.call<Shown & { code: string }>('POST', `/webhooks/${id}/deliveries/${deliveryId}/resend`, {
    body: {},
  })

describe('a delivery that is sent once more', () => {
  test('arrives again with its id although it had arrived, and keeps its story', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver)
    const eventId = await emitImported(7)
    await arrival(receiver)
    await idle()
    const before = await newest(id)
    expect(before).toMatchObject({ status: 'delivered', attemptCount: 1 })
    const reply = await resend(id, before.id)
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({ id: before.id, status: 'pending', attemptCount: 0, deliveredAt: null })
    const path = `/webhooks/${id}/deliveries/${before.id}?waitSeconds=20`
    const shown = await tenant.call<Shown>('GET', path)
    expect(shown.body).toMatchObject({ status: 'delivered', attemptCount: 1 })
    const [first, second] = await arrival(receiver, 2)
    expect([second!.headers['webhook-id'], second!.body]).toEqual([eventId, first!.body])
    await idle()
    const after = await newest(id)
    expect(after).toMatchObject({ status: 'delivered', attemptCount: 1 })
    expect(after.attempts).toHaveLength(2)
    expect(after.attempts[0]).toEqual(before.attempts[0])
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('arrives although it was given up, and if it fails again is tried again', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported()
    await arrival(receiver)
    await idle()
    await setStatus(id, 'disabled')
    await setStatus(id, 'enabled')
    const { id: deliveryId, status } = await newest(id)
    expect(status).toBe('failed')
    await resend(id, deliveryId)
    await arrival(receiver, 2)
    await idle()
    expect(await newest(id)).toMatchObject({ status: 'pending', attemptCount: 1 })
    receiver.answer = () => ({ status: 200 })
    await resend(id, deliveryId)
    await arrival(receiver, 3)
    await idle()
    expect(await newest(id)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test('while an attempt is under way loses nothing of it', async () => {
    tenant = await makeTenant(app)
    const answers: PromiseWithResolvers<Answer>[] = []
    const receiver = await startReceiverForTest(() => {
      answers.push(Promise.withResolvers())
      return answers.at(-1)!.promise
    })
    const { id } = await subscribe(tenant, receiver)
    await emitImported()
    await arrival(receiver)
    answers[0]!.resolve({ status: 500 })
    await idle()
    const delivery = await newest(id)
    await resend(id, delivery.id)
    await arrival(receiver, 2)
    await resend(id, delivery.id)
    answers[1]!.resolve({ status: 200, body: 'second' })
    await idle()
    expect(await newest(id)).toMatchObject({
      ...{ status: 'delivered', attemptCount: 1 },
      attempts: [{ responseStatus: 500 }, { responseStatus: 200, responseBody: 'second' }],
    })
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('comes now although the receiver asked to be left alone for hours', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 503, headers: { 'retry-after': '7200' } }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported()
    await arrival(receiver)
    await idle()
    const { id: deliveryId, nextAttemptAt } = await newest(id)
    expect(Date.parse(nextAttemptAt!)).toBeGreaterThan(Date.now() + 7_100_000)
    receiver.answer = () => ({ status: 200 })
    await resend(id, deliveryId)
    await arrival(receiver, 2)
    await idle()
    expect(await newest(id)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  test("is refused of a disabled subscription, and is none of another's or a stranger's", async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const [{ id }, other] = [
      await subscribe(tenant, receiver),
      await subscribe(tenant, receiver, ['lead.created']),
    ]
    await emitImported()
    await arrival(receiver)
    await idle()
    const before = await newest(id)
    expect((await resend(other.id, before.id)).status).toBe(404)
    const stranger = await makeTenant(app)
    const path = `/webhooks/${id}/deliveries/${before.id}/resend`
    expect((await stranger.call('POST', path, { body: {} })).status).toBe(404)
    await setStatus(id, 'disabled')
    const refusal = await resend(id, before.id)
    expect([refusal.status, refusal.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    expect(await newest(id)).toEqual(before)
  })
})

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

  test('sends what was given up and what happened while disabled, and nothing twice', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    await emitImported(0)
    const { id } = await subscribe(tenant, receiver, ['leads.imported'])
    await emitImported(1)
    await arrival(receiver)
    await idle()
    receiver.answer = () => ({ status: 500 })
    await emitImported(2)
    await arrival(receiver, 2)
    await idle()
    await setStatus(id, 'disabled')
    await emitImported(3)
    await tenant.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))
    receiver.answer = () => ({ status: 200 })
    receiver.deliveries.length = 0
    await setStatus(id, 'enabled')
    await idle()
    expect(receiver.deliveries).toEqual([])

    const reply = await recover(id, hourAgo())
    expect([reply.status, reply.body]).toEqual([202, { recovered: 2, nextSince: null }])
    await arrival(receiver, 2)
    await idle()
    expect(numbers(receiver).sort()).toEqual([2, 3])
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
    await idle()
    expect(receiver.deliveries).toHaveLength(2)
  })

  test('goes back to the moment it is asked for and no further', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(1)
    await arrival(receiver)
    await idle()
    await setStatus(id, 'disabled')
    await emitImported(2)
    await sleep(20)
    const since = new Date()
    await emitImported(3)
    await setStatus(id, 'enabled')
    expect((await recover(id, since)).body).toEqual({ recovered: 1, nextSince: null })
    await arrival(receiver, 2)
    await idle()
    expect(numbers(receiver)).toEqual([1, 3])
  })

  test('brings forward what waits for its next attempt, and gives it no more attempts than it had', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported()
    await arrival(receiver)
    await idle()
    const before = await newest(id)
    expect(before).toMatchObject({ status: 'pending', attemptCount: 1 })
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 1, nextSince: null })
    await arrival(receiver, 2)
    await idle()
    expect(await newest(id)).toMatchObject({ status: 'pending', attemptCount: 2 })
  })

  test('goes back 30 days at most, and is refused of a disabled subscription', async () => {
    tenant = await makeTenant(app)
    const { id } = await subscribe(tenant, { url: 'https://crm.example/hooks' })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const tooOld = await recover(id, daysAgo(30))
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

  test('brings nothing of a kind that was not named when it happened', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver, ['extraction.failed'])
    await emitImported(1)
    await tenant.call('PATCH', `/webhooks/${id}`, { body: { events: ['*'] } })
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
  })

  test('of very many goes on where it says', { timeout: 60_000 }, async () => {
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
    // Of all that it would be sent now.
    await tenant.call('DELETE', `/webhooks/${id}`)
  })

  test('brings none of a kind that is no longer named', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 500 }))
    const { id } = await subscribe(tenant, receiver)
    await emitImported(1)
    await tenant.inTenant(tx => emit(tx, extractionFailed, extractionFailed.example))
    await arrival(receiver, 2)
    await idle()
    await setStatus(id, 'disabled')
    await tenant.call('PATCH', `/webhooks/${id}`, {
      body: { status: 'enabled', events: ['extraction.failed'] },
    })
    receiver.answer = () => ({ status: 200 })
    const { body } = await tenant.call('POST', `/webhooks/${id}/recover`, {
      body: { since: new Date(Date.now() - 60_000).toISOString() },
    })
    expect(body).toEqual({ recovered: 1, nextSince: null })
    await idle()
    expect(receiver.deliveries.slice(2).map(({ event }) => event.type)).toEqual(['extraction.failed'])
  })

  test('brings no example of another subscription', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const [{ id }, other] = [await subscribe(tenant, receiver), await subscribe(tenant, receiver)]
    await tenant.call('POST', `/webhooks/${other.id}/test`, { body: {} })
    await arrival(receiver)
    await idle()
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 0, nextSince: null })
  })

  test('comes at once although the receiver asked to be left alone', async () => {
    tenant = await makeTenant(app)
    const receiver = await startReceiverForTest()
    const { id } = await subscribe(tenant, receiver)
    await tenant.inTenant(tx => sql`update webhooks set paused_until = now() + interval '1 hour'`.execute(tx))
    await emitImported(1)
    await tenant.inTenant(tx =>
      sql`update webhook_deliveries set status = 'failed', next_attempt_at = null`.execute(tx),
    )
    expect((await recover(id, hourAgo())).body).toEqual({ recovered: 1, nextSince: null })
    await arrival(receiver)
  })
})
