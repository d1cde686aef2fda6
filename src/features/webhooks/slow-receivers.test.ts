/** Slow receivers: attempts end at the timeout, `Retry-After` is respected, and nothing is lost. */
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

/** Replaces the default of 15 s, which `attempt.test.ts` checks. */
const receiverTimeoutMs = 3000

let app: TestApp
let slow: Awaited<ReturnType<typeof startSlowReceivers>>
beforeAll(async () => {
  app = await startTestApp({ receiverTimeoutMs })
  // All three are slow at the same time; the tests check one after another.
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

/** Starts a receiver with a subscription in a new tenant, and emits events to it. */
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
  const [hanging, dripping, pausing] = await Promise.all([
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
    pausing,
    async stop() {
      for (const drip of drips) clearInterval(drip)
      await Promise.all([hanging, dripping, pausing].map(({ receiver }) => receiver.stop()))
    },
  }
}

describe('a slow receiver', () => {
  // Four requests run at once: the fifth starts when one of them has ended.
  const waitForFifthArrival = (arrivedMs: number[]) =>
    eventually(
      async () => arrivedMs.length,
      count => count >= 5,
      25_000,
    )

  test('that does not reply before the timeout has failed, and the next message is sent', async () => {
    const { tenant, subscription, arrivedMs } = slow.hanging
    await waitForFifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(receiverTimeoutMs - 500)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(receiverTimeoutMs + 10_000)
    // The next request may arrive before the first attempt is recorded.
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

  test('that sends its 200 byte by byte has received the message; the connection ends at the timeout', async () => {
    const { receiver, tenant, subscription, eventIds, arrivedMs } = slow.dripping
    await waitForFifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(receiverTimeoutMs + 10_000)
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

  test('that sends Retry-After: 2 gets the next request after 2 s', async () => {
    const { receiver, tenant, subscription, eventIds, arrivedMs } = slow.pausing
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
    // Four requests were under way at once.
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(2000)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeLessThan(20_000)
    expect(arrivedMs[10]! - arrivedMs[0]!).toBeGreaterThan(4400)
  })
})
