/** Receivers and databases that fail in every way there is: nothing is lost, and nobody else waits. */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { bringDeliveriesForward, whenIdle } from '../../../test/jobs.ts'
import {
  type Answer,
  arrival,
  emitWithdrawals,
  type Receiver,
  startReceiver,
  startReceiverForTest,
  subscribe,
  tally,
} from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { openDatabase } from '../../kit/db/index.ts'
import { migrate } from '../../kit/db/migrate.ts'
import { openEmbeddedPostgres } from '../../kit/embedded-postgres.ts'
import type { Static } from '../../kit/schema.ts'
import type { Delivery as DeliverySchema } from './schemas.ts'
import { listDueSubscriptions } from './sending/queries.ts'

type Delivery = Static<typeof DeliverySchema>

let app: TestApp
let slow: Awaited<ReturnType<typeof startSlowReceivers>>
beforeAll(async () => {
  app = await startTestApp()
  // Seen at the end: meanwhile the others have all that they need.
  slow = await startSlowReceivers()
})
afterAll(async () => {
  await slow.stop()
  await app.stop()
})

function reset(socket: Socket | null): null {
  socket!.resetAndDestroy()
  return null
}

function say(socket: Socket | null, text: string): null {
  socket!.end(text)
  return null
}

/** Newest events first. */
async function deliveriesOf(tenant: TestTenant, { id }: { id: string }): Promise<Delivery[]> {
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
  const webhook = await subscribe(tenant, receiver)
  const eventIds = await emitWithdrawals(tenant, count)
  return { receiver, tenant, webhook, eventIds, arrivedMs }
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
    ...{ hanging, dripping, resting },
    async stop() {
      for (const drip of drips) clearInterval(drip)
      await Promise.all([hanging, dripping, resting].map(({ receiver }) => receiver.stop()))
    },
  }
}

describe('a receiver', () => {
  test('that hangs holds up no other, even if there are thirty of them', async () => {
    const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
    const hanging = await startReceiverForTest(() => new Promise(() => {}))
    const [quick, stranger] = [await startReceiverForTest(), await startReceiverForTest()]
    await Promise.all(Array.from({ length: 30 }, () => subscribe(tenant, hanging)))
    await emitWithdrawals(tenant, 10)
    await arrival(hanging, 30)
    await subscribe(tenant, quick)
    await subscribe(other, stranger)
    const startedMs = performance.now()
    const [own, theirs] = [await emitWithdrawals(tenant, 20), await emitWithdrawals(other, 20)]
    await Promise.all([arrival(quick, 20), arrival(stranger, 20)])
    expect(performance.now() - startedMs).toBeLessThan(3000)
    expect(tally(own, quick)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    expect(tally(theirs, stranger)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    // Four for each subscription, and no more until they answer.
    expect(hanging.deliveries).toHaveLength(30 * 4)
  })

  test.each<[string, Receiver['answer'], string]>([
    ['resets the connection', (_delivery, { socket }) => reset(socket), 'ECONNRESET'],
    [
      'resets it in the middle of the head of its reply',
      (_delivery, { socket }) => {
        socket!.write('HTTP/1.1 200 OK\r\ncontent-le', () => reset(socket))
        return null
      },
      'ECONNRESET',
    ],
    ['closes it without a word', (_delivery, { socket }) => say(socket, ''), 'other side closed'],
    [
      'answers what is not HTTP',
      (_delivery, { socket }) => say(socket, '220 smtp.example ESMTP\r\n'),
      'does not match the HTTP/1.1 protocol',
    ],
    ['answers 500', () => ({ status: 500 }), 'the receiver answered 500'],
    ['answers 404', () => ({ status: 404 }), 'the receiver answered 404'],
  ])('that %s has received nothing, and gets everything once it is well', async (_what, answer, error) => {
    const tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(answer)
    const webhook = await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 20)
    await whenIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries).toHaveLength(20)
    for (const delivery of await deliveriesOf(tenant, webhook))
      expect(delivery).toMatchObject({
        status: 'pending',
        lastAttempt: { error: expect.stringContaining(error) },
      })

    receiver.deliveries.length = 0
    receiver.answer = () => ({ status: 204 })
    await bringDeliveriesForward(app.database, tenant.tenantId)
    await whenIdle(app.database, tenant.tenantId)
    expect(tally(eventIds, receiver)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
  })

  test('that answers 301, 302, 303, 307 or 308 is not followed', async () => {
    const tenant = await makeTenant(app)
    const target = await startReceiverForTest()
    const statuses = [301, 302, 303, 307, 308]
    const receiver = await startReceiverForTest(() => ({
      status: statuses[receiver.deliveries.length - 1]!,
      headers: { location: target.url },
    }))
    const webhook = await subscribe(tenant, receiver)
    await emitWithdrawals(tenant, 5)
    await whenIdle(app.database, tenant.tenantId)
    const deliveries = await deliveriesOf(tenant, webhook)
    expect(deliveries.map(({ lastAttempt }) => lastAttempt!.responseStatus).sort()).toEqual(statuses)
    expect(deliveries.map(({ status }) => status)).toEqual(statuses.map(() => 'pending'))
    expect([target.deliveries, receiver.deliveries.length]).toEqual([[], 5])
  })

  test('that resets in the middle of the body of its 200 has received', async () => {
    const tenant = await makeTenant(app)
    const receiver = await startReceiverForTest((_delivery, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => reset(response.socket))
      return null
    })
    const webhook = await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 20)
    await whenIdle(app.database, tenant.tenantId)
    expect(await bringDeliveriesForward(app.database, tenant.tenantId)).toEqual([])
    expect(tally(eventIds, receiver)).toEqual({ sent: 20, received: 20, lost: 0, repeated: 0 })
    const [delivery] = await deliveriesOf(tenant, webhook)
    expect(delivery).toMatchObject({ status: 'delivered', lastAttempt: { responseStatus: 200, error: null } })
  })

  test('that answers 200 with 10 MB has received, and keeps most of them', async () => {
    const tenant = await makeTenant(app)
    const chunk = Buffer.alloc(65_536, 'x')
    let taken = 0
    const receiver = await startReceiverForTest((_delivery, response) => {
      response.writeHead(200)
      const write = () => {
        if (taken === 160) return response.end()
        response.write(chunk, error => {
          if (error) return
          taken++
          write()
        })
      }
      write()
      return null
    })
    const webhook = await subscribe(tenant, receiver)
    await emitWithdrawals(tenant, 1)
    await whenIdle(app.database, tenant.tenantId)
    const [delivery] = await deliveriesOf(tenant, webhook)
    expect(delivery).toMatchObject({ status: 'delivered', lastAttempt: { responseStatus: 200, error: null } })
    expect(delivery!.lastAttempt!.responseBody).toBe('x'.repeat(4096))
    // The network between them has taken some as well.
    expect(taken * chunk.length).toBeLessThan(8_000_000)
  })

  test('that answers 429 with Retry-After rests as a whole while others go on; then everything arrives', async () => {
    const tenant = await makeTenant(app)
    const receiver = await startReceiverForTest(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    const quick = await startReceiverForTest()
    await subscribe(tenant, receiver)
    await subscribe(tenant, quick)
    const eventIds = await emitWithdrawals(tenant, 30)
    await whenIdle(app.database, tenant.tenantId)
    // Those that were under way when the first was answered.
    expect(receiver.deliveries.length).toBeLessThanOrEqual(4)
    const asked = receiver.deliveries.length
    eventIds.push(...(await emitWithdrawals(tenant, 5)))
    await whenIdle(app.database, tenant.tenantId)
    expect(tally(eventIds, quick)).toEqual({ sent: 35, received: 35, lost: 0, repeated: 0 })
    expect(receiver.deliveries).toHaveLength(asked)

    receiver.deliveries.length = 0
    receiver.answer = () => ({ status: 204 })
    await bringDeliveriesForward(app.database, tenant.tenantId)
    await whenIdle(app.database, tenant.tenantId)
    expect(tally(eventIds, receiver)).toEqual({ sent: 35, received: 35, lost: 0, repeated: 0 })
  })

  test('that answers 429 with Retry-After rests, though it takes others that were under way', async () => {
    const tenant = await makeTenant(app)
    const answers: PromiseWithResolvers<Answer>[] = []
    const receiver = await startReceiverForTest(() => {
      const answer = Promise.withResolvers<Answer>()
      answers.push(answer)
      return answer.promise
    })
    await subscribe(tenant, receiver)
    const eventIds = await emitWithdrawals(tenant, 100)
    await arrival(receiver, 4)
    receiver.answer = () => ({ status: 204 })
    // The first is being noted when the others end, and those are noted together.
    for (const [at, { resolve }] of answers.entries())
      resolve(at === 1 ? { status: 429, headers: { 'retry-after': '3600' } } : { status: 204 })
    await whenIdle(app.database, tenant.tenantId)
    expect(receiver.deliveries.length).toBeLessThanOrEqual(4 + 16)

    // All but the one that was refused.
    receiver.deliveries.splice(1, 1)
    await bringDeliveriesForward(app.database, tenant.tenantId)
    await whenIdle(app.database, tenant.tenantId)
    expect(tally(eventIds, receiver)).toEqual({ sent: 100, received: 100, lost: 0, repeated: 0 })
  })
})

test('10,000 events of a day through which the receiver is down all arrive once, when it is back', {
  timeout: 120_000,
}, async () => {
  const tenant = await makeTenant(app)
  const receiver = await startReceiverForTest()
  await subscribe(tenant, receiver)
  await receiver.stop()
  const eventIds: string[] = []
  const countDue = async () =>
    (await listDueSubscriptions(app.database, tenant.tenantId)).filter(({ dueAt }) => dueAt <= new Date())
      .length
  const untilAllTried = () => eventually(countDue, due => due === 0, 60_000)
  // They come evenly; time goes from one attempt at the first of them to the next, and then to the end of the day.
  const stretches = [5, 300, 1800, 7200, 18_000, 36_000, 23_095]
  let waitedSeconds = 0
  for (const seconds of stretches) {
    const count = Math.ceil((10_000 * seconds) / 86_400)
    eventIds.push(...(await emitWithdrawals(tenant, Math.min(count, 10_000 - eventIds.length))))
    await untilAllTried()
    if (seconds === stretches.at(-1)) await receiver.start()
    const waits = await bringDeliveriesForward(app.database, tenant.tenantId)
    expect(waits).toHaveLength(eventIds.length)
    waitedSeconds += waits.at(-1)!
  }
  expect(waitedSeconds).toBeGreaterThan(86_400)
  await arrival(receiver, 10_000, 60_000)
  await whenIdle(app.database, tenant.tenantId)
  expect(tally(eventIds, receiver)).toEqual({ sent: 10_000, received: 10_000, lost: 0, repeated: 0 })
})

describe('a database', () => {
  const restart = async (own: TestApp) => {
    const { rows } = await own.database.ownerPool.query<{ pid: number }>('select pg_backend_pid() as pid')
    // One of its processes killed, the server ends all of them and starts anew.
    process.kill(rows[0]!.pid, 'SIGKILL')
  }
  const breakOff = (own: TestApp) =>
    own.database.ownerPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )

  test.each<[string, (own: TestApp) => Promise<unknown>]>([
    ['that breaks off every connection', breakOff],
    ['that is restarted', restart],
  ])(
    '%s while events are sent and replies are awaited, three times: each arrives, and once',
    async (_what, strike) => {
      const dataDir = join(inject('runDir'), `database-${Math.random()}`)
      const server = await openEmbeddedPostgres({
        ...{ dataDir, mode: 'own', log: () => {} },
        passwords: { superuser: 'test', owner: 'test' },
        settings: { fsync: 'off' },
      })
      onTestFinished(() => server.stop())
      const database = openDatabase(server.databaseUrl, { onError: () => {} })
      await migrate(database.ownerPool)
      await database.close()

      const own = await startTestApp({ databaseUrl: server.databaseUrl })
      onTestFinished(async () => {
        await own.app.stop()
        await own.database.close()
      })
      const tenant = await makeTenant(own)
      let gate = Promise.resolve()
      const receiver = await startReceiverForTest(async () => {
        await gate
        return { status: 204 }
      })
      await subscribe(tenant, receiver)
      const eventIds = await emitWithdrawals(tenant, 500)
      for (const count of [50, 200, 350]) {
        await arrival(receiver, count)
        const opened = Promise.withResolvers<void>()
        gate = opened.promise
        await arrival(receiver, receiver.deliveries.length + 1)
        await strike(own)
        opened.resolve()
      }
      await arrival(receiver, 500)
      await whenIdle(own.database, tenant.tenantId)
      expect(tally(eventIds, receiver)).toEqual({ sent: 500, received: 500, lost: 0, repeated: 0 })
    },
  )
})

describe('a receiver that takes its time', { timeout: 30_000 }, () => {
  // Four are under way at once: the fifth comes when one of them has ended.
  const fifthArrival = (arrivedMs: number[]) =>
    eventually(
      async () => arrivedMs.length,
      count => count >= 5,
      25_000,
    )

  test('has 15 s: without a reply an attempt has failed then, and the next one comes', async () => {
    const { tenant, webhook, arrivedMs } = slow.hanging
    await fifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(14_900)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(17_000)
    const tried = (await deliveriesOf(tenant, webhook)).filter(({ attemptCount }) => attemptCount > 0)
    expect(tried).not.toEqual([])
    for (const { status, lastAttempt } of tried) {
      expect([status, lastAttempt!.error]).toEqual(['pending', 'no whole reply within 15000 ms'])
      expect(lastAttempt!.durationMs).toBeGreaterThan(14_900)
    }
  })

  test('with the body of its 200, a byte a second, has received, and is heard no longer than 15 s', async () => {
    const { receiver, tenant, webhook, eventIds, arrivedMs } = slow.dripping
    await fifthArrival(arrivedMs)
    expect(arrivedMs[4]! - arrivedMs[3]!).toBeLessThan(17_000)
    const delivered = (await deliveriesOf(tenant, webhook)).filter(({ status }) => status === 'delivered')
    expect(delivered.length).toBeGreaterThanOrEqual(4)
    for (const { attemptCount, lastAttempt } of delivered) {
      expect(attemptCount).toBe(1)
      expect(lastAttempt).toMatchObject({
        ...{ responseStatus: 200, error: null },
        durationMs: expect.closeTo(15_000, -3),
      })
    }
    expect(tally(eventIds, receiver)).toEqual({ sent: 5, received: 5, lost: 0, repeated: 0 })
  })

  test('for its Retry-After of 2 s, is asked again by then, and not before', async () => {
    const { receiver, tenant, webhook, eventIds, arrivedMs } = slow.resting
    await whenIdle(app.database, tenant.tenantId)
    const refused = (await deliveriesOf(tenant, webhook)).filter(({ attemptCount }) => attemptCount > 1)
    expect(refused).toHaveLength(1)
    expect(tally(eventIds, receiver)).toEqual({ sent: 10, received: 10, lost: 0, repeated: 1 })
    // Four were under way at once.
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeGreaterThan(2000)
    expect(arrivedMs[4]! - arrivedMs[0]!).toBeLessThan(4000)
    expect(arrivedMs[10]! - arrivedMs[0]!).toBeGreaterThan(4400)
  })
})
