/** Receivers with faults: nothing is lost, and no other receiver waits. */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeDeliveriesDue, waitUntilIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  countDeliveries,
  emitWithdrawals,
  type Receiver,
  startReceiverForTest,
  subscribe,
  waitForDeliveries,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Static } from '../../kit/schema.ts'
import type { Delivery as DeliverySchema } from './schemas.ts'
import { listDueSubscriptions } from './sending/queries.ts'

type Delivery = Static<typeof DeliverySchema>

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

function reset(socket: Socket | null): null {
  socket!.resetAndDestroy()
  return null
}

function replyRaw(socket: Socket | null, text: string): null {
  socket!.end(text)
  return null
}

/** Newest events first. */
async function listDeliveries(tenant: TestTenant, { id }: { id: string }): Promise<Delivery[]> {
  const { body } = await tenant.call<{ data: Delivery[] }>('GET', `/webhooks/${id}/deliveries?limit=200`)
  return body.data
}

describe('a receiver', () => {
  test('that hangs does not delay others, even if thirty do', async () => {
    const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
    const hanging = await startReceiverForTest(() => new Promise(() => {}))
    const [quick, foreign] = [await startReceiverForTest(), await startReceiverForTest()]
    await Promise.all(Array.from({ length: 30 }, () => subscribe(tenant, hanging)))
    await emitWithdrawals(tenant, 10)
    await waitForDeliveries(hanging, 30)
    await subscribe(tenant, quick)
    await subscribe(other, foreign)
    const startedMs = performance.now()
    const [own, theirs] = [await emitWithdrawals(tenant, 20), await emitWithdrawals(other, 20)]
    await Promise.all([waitForDeliveries(quick, 20), waitForDeliveries(foreign, 20)])
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect(countDeliveries(own, quick)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    expect(countDeliveries(theirs, foreign)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    // Four requests per subscription, and no more until they end.
    expect(hanging.deliveries).toHaveLength(30 * 4)
  })

  test.each<[string, Receiver['answer'], string]>([
    ['resets the connection', (_delivery, { socket }) => reset(socket), 'ECONNRESET'],
    [
      'resets the connection in the middle of the header of its reply',
      (_delivery, { socket }) => {
        socket!.write('HTTP/1.1 200 OK\r\ncontent-le', () => reset(socket))
        return null
      },
      'ECONNRESET',
    ],
    [
      'closes the connection without a reply',
      (_delivery, { socket }) => replyRaw(socket, ''),
      'other side closed',
    ],
    [
      'replies with something other than HTTP',
      (_delivery, { socket }) => replyRaw(socket, '220 smtp.example ESMTP\r\n'),
      'does not match the HTTP/1.1 protocol',
    ],
    ['replies 500', () => ({ status: 500 }), 'the receiver answered 500'],
    ['replies 404', () => ({ status: 404 }), 'the receiver answered 404'],
  ])(
    'that %s: its deliveries stay pending, and all arrive once it works again',
    async (_what, answer, error) => {
      const tenant = await makeTenant(app)
      const receiver = await startReceiverForTest(answer)
      const subscription = await subscribe(tenant, receiver)
      const eventIds = await emitWithdrawals(tenant, 20)
      await waitUntilIdle(app.database, tenant.tenantId)
      // On a busy machine the second attempts have begun by now.
      expect(countDeliveries(eventIds, receiver)).toMatchObject({ received: 20, lost: 0 })
      for (const delivery of await listDeliveries(tenant, subscription))
        expect(delivery).toMatchObject({
          status: 'pending',
          lastAttempt: { error: expect.stringContaining(error) },
        })

      receiver.deliveries.length = 0
      receiver.answer = () => ({ status: 204 })
      await makeDeliveriesDue(app.database, tenant.tenantId)
      await waitUntilIdle(app.database, tenant.tenantId)
      expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    },
  )

  test('that redirects with 301, 302, 303, 307 or 308 is not followed', async () => {
    const tenant = await makeTenant(app)
    const target = await startReceiverForTest()
    const statuses = [301, 302, 303, 307, 308]
    const receiver = await startReceiverForTest(() => ({
      status: statuses[receiver.deliveries.length - 1]!,
      headers: { location: target.url },
    }))
    const subscription = await subscribe(tenant, receiver)
    await emitWithdrawals(tenant, 5)
    await waitUntilIdle(app.database, tenant.tenantId)
    const deliveries = await listDeliveries(tenant, subscription)
    expect(deliveries.map(({ lastAttempt }) => lastAttempt!.responseStatus).sort()).toEqual(statuses)
    expect(deliveries.map(({ status }) => status)).toEqual(statuses.map(() => 'pending'))
    expect([target.deliveries, receiver.deliveries.length]).toEqual([[], 5])
  })

  test('that resets the connection in the middle of the body of its 200 has received the message', async () => {
    const tenant = await makeTenant(app)
    const receiver = await startReceiverForTest((_delivery, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => reset(response.socket))
      return null
    })
    const subscription = await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 20)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(await makeDeliveriesDue(app.database, tenant.tenantId)).toEqual([])
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    const [delivery] = await listDeliveries(tenant, subscription)
    expect(delivery).toMatchObject({ status: 'delivered', lastAttempt: { responseStatus: 200, error: null } })
  })

  test('that replies 200 with 10 MB has received the message, and most of the reply is not read', async () => {
    const tenant = await makeTenant(app)
    const chunk = Buffer.alloc(65_536, 'x')
    let sentChunks = 0
    const receiver = await startReceiverForTest((_delivery, response) => {
      response.writeHead(200)
      const write = () => {
        if (sentChunks === 160) return response.end()
        response.write(chunk, error => {
          if (error) return
          sentChunks++
          write()
        })
      }
      write()
      return null
    })
    const subscription = await subscribe(tenant, receiver)
    await emitWithdrawals(tenant, 1)
    await waitUntilIdle(app.database, tenant.tenantId)
    const [delivery] = await listDeliveries(tenant, subscription)
    expect(delivery).toMatchObject({ status: 'delivered', lastAttempt: { responseStatus: 200, error: null } })
    expect(delivery!.lastAttempt!.responseBody).toBe('x'.repeat(4096))
    // Network buffers have taken some of it as well.
    expect(sentChunks * chunk.length).toBeLessThan(8_000_000)
  })

  test('that replies 429 with Retry-After is paused while others continue; then everything arrives', async () => {
    const tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    const quick = await startReceiverForTest()
    await subscribe(tenant, receiver)
    await subscribe(tenant, quick)
    const eventIds = await emitWithdrawals(tenant, 30)
    await waitUntilIdle(app.database, tenant.tenantId)
    // Only the requests that were under way when the first reply came.
    expect(receiver.deliveries.length).toBeLessThanOrEqual(4)
    const requests = receiver.deliveries.length
    eventIds.push(...(await emitWithdrawals(tenant, 5)))
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(countDeliveries(eventIds, quick)).toEqual({ sent: 35, received: 35, lost: 0, repeated: 0 })
    expect(receiver.deliveries).toHaveLength(requests)

    receiver.deliveries.length = 0
    receiver.answer = () => ({ status: 204 })
    await makeDeliveriesDue(app.database, tenant.tenantId)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 35, received: 35, lost: 0, repeated: 0 })
  })

  test('that replies 429 with Retry-After is paused, even if requests under way succeed', async () => {
    const tenant = await makeTenant(app)
    const answers: PromiseWithResolvers<Answer>[] = []
    const receiver = await startReceiverForTest(() => {
      const answer = Promise.withResolvers<Answer>()
      answers.push(answer)
      return answer.promise
    })
    await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 100)
    await waitForDeliveries(receiver, 4)
    receiver.answer = () => ({ status: 204 })
    // The first is being recorded when the others end; those are recorded together.
    for (const [index, { resolve }] of answers.entries())
      resolve(index === 1 ? { status: 429, headers: { 'retry-after': '3600' } } : { status: 204 })
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries.length).toBeLessThanOrEqual(4 + 16)

    // All except the refused one.
    receiver.deliveries.splice(1, 1)
    await makeDeliveriesDue(app.database, tenant.tenantId)
    await waitUntilIdle(app.database, tenant.tenantId)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 100, received: 100, lost: 0, repeated: 0 })
  })
})

/** Events that are emitted during a day of outage and are retried, and events just before the receiver is back. */
const events = { duringOutage: 200, last: 800 }

test('a thousand events of a day of outage all arrive once, after the receiver is back', async () => {
  const tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  await receiver.stop()
  const eventIds: string[] = []
  const countDue = async () =>
    (await listDueSubscriptions(app.database.owner, tenant.tenantId)).filter(
      ({ dueAt }) => dueAt <= new Date(),
    ).length
  const waitUntilAllTried = () => eventually(countDue, due => due === 0)
  // Seconds between the attempts to send the first event, and until the end of the day. The events are spread evenly.
  const intervals = [5, 300, 1800, 7200, 18_000, 36_000, 23_095]
  let waitedSeconds = 0
  for (const seconds of intervals) {
    const count = Math.ceil((events.duringOutage * seconds) / 86_400)
    eventIds.push(...(await emitWithdrawals(tenant, Math.min(count, events.duringOutage - eventIds.length))))
    await waitUntilAllTried()
    if (seconds === intervals.at(-1)) break
    const waits = await makeDeliveriesDue(app.database, tenant.tenantId)
    expect(waits).toHaveLength(eventIds.length)
    waitedSeconds += waits.at(-1)!
  }
  eventIds.push(...(await emitWithdrawals(tenant, events.last)))
  await receiver.start()
  waitedSeconds += (await makeDeliveriesDue(app.database, tenant.tenantId)).at(-1)!
  expect(waitedSeconds).toBeGreaterThan(86_400)
  await waitForDeliveries(receiver, eventIds.length)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 1000, received: 1000, lost: 0, repeated: 0 })
})
