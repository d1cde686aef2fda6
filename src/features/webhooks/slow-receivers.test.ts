import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import {
  countDeliveries,
  emitWithdrawals,
  type Receiver,
  startReceiver,
  subscribe,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Static } from '../../kit/schema.ts'
import type { Delivery as DeliverySchema } from './schemas.ts'

type Delivery = Static<typeof DeliverySchema>

/** In place of 15 s, which `attempt.test.ts` looks at. */
const receiverTimeoutMs = 3000

let app: TestApp
let slow: Awaited<ReturnType<typeof startSlowReceivers>>
beforeAll(async () => {
  app = await startTestApp({ receiverTimeoutMs })
  // Seen at the end: meanwhile the others have all that they need.
  slow = await startSlowReceivers()
})
afterAll(async () => {
  await slow.stop()
  await app.stop()
})

/** Newest events first. */
async function listDeliveries(tenant: TestTenant, { id }: { id: string }): Promise<Delivery[]> {
  const { body } = await tenant.call<{ data: Delivery[] }>('GET', `/webhooks/${id}/deliveries?limit=200`)
  return body.data
}

type NumberedAnswer = (
  ...args: [...Parameters<Receiver['answer']>, number: number]
) => ReturnType<Receiver['answer']>

/** A receiver, to be stopped, a tenant of its own that subscribes it, and events to it. */
async function startSlow(answer: NumberedAnswer, count: number) {
  const arrivedMs: number[] = []
  const receiver = await startReceiver((delivery, response) =>
    answer(delivery, response, arrivedMs.push(performance.now()) - 1),
  )
  const tenant = await makeTenant(app)
  const subscription = await subscribe(tenant, receiver)
  const eventIds = await emitWithdrawals(tenant, count)
  return { receiver, tenant, subscription, eventIds, arrivedMs }
}

async function startSlowReceivers() {
  const drips = new Set<NodeJS.Timeout>()
  const [hanging, dripping, resting] = await Promise.all([
    startSlow(() => new Promise(() => {}), 5),
    startSlow((_delivery, response) => {
      response.writeHead(200).write('x')
      const drip = setInterval(() => response.write('x'), 1000)
      drips.add(drip)
      response.on('close', () => clearInterval(drip))
      return null
    }, 5),
    startSlow((_delivery, _response, number) => {
      if (number === 0) return { status: 429, headers: { 'retry-after': '2' } }
      return { status: 204 }
    }, 10),
  ])
  return {
    hanging,
    dripping,
    resting,
    async stop() {
      for (const drip of drips) clearInterval(drip)
      await Promise.all([hanging, dripping, resting].map(({ receiver }) => receiver.stop()))
    },
  }
}

describe('a receiver that takes its time', { timeout: 30_000 }, () => {
  // Four are under way at once: the fifth comes when one of them has ended.
  const fifthArrival = (arrivedMs: number[]) =>
    eventually(
      async () => arrivedMs.length,
      count => count >= 5,
      25_000,
    )

  test('has so long: without a reply an attempt has failed then, and the next one comes', async () => {
    const { tenant, subscription, arrivedMs } = slow.hanging
    await fifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(receiverTimeoutMs - 500)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(receiverTimeoutMs + 2000)
    // The next one may come before it is written how the first went.
    const tried = await eventually(
      async () => (await listDeliveries(tenant, subscription)).filter(({ attemptCount }) => attemptCount > 0),
      ({ length }) => length > 0,
    )
    for (const { status, lastAttempt } of tried) {
      expect([status, lastAttempt!.error]).toEqual([
        'pending',
        `no complete reply within ${receiverTimeoutMs} ms`,
      ])
      expect(lastAttempt!.durationMs).toBeGreaterThan(receiverTimeoutMs - 500)
    }
  })

  test('with the body of its 200, a byte a second, has received, and is heard no longer than that', async () => {
    const { receiver, tenant, subscription, eventIds, arrivedMs } = slow.dripping
    await fifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(receiverTimeoutMs + 2000)
    const delivered = await eventually(
      async () => (await listDeliveries(tenant, subscription)).filter(({ status }) => status === 'delivered'),
      ({ length }) => length >= 4,
    )
    for (const { attemptCount, lastAttempt } of delivered) {
      expect(attemptCount).toBe(1)
      expect(lastAttempt).toMatchObject({
        responseStatus: 200,
        error: null,
        durationMs: expect.closeTo(receiverTimeoutMs, -3),
      })
    }
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 5, received: 5, lost: 0, repeated: 0 })
  })

  test('for its Retry-After of 2 s, is asked again by then, and not before', async () => {
    const { receiver, tenant, subscription, eventIds, arrivedMs } = slow.resting
    await eventually(
      async () => arrivedMs.length,
      count => count >= 11,
    )
    await waitUntilIdle(app.database, tenant.tenantId)
    const refused = (await listDeliveries(tenant, subscription)).filter(
      ({ attemptCount }) => attemptCount > 1,
    )
    expect(refused).toHaveLength(1)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 10, received: 10, lost: 0, repeated: 1 })
    // Four were under way at once.
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(2000)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeLessThan(4000)
    expect(arrivedMs[10]! - arrivedMs[0]!).toBeGreaterThan(4400)
  })
})
