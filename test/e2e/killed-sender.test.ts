/**
 * Processes that are killed while they send webhooks, and processes that share the work: no event is lost, few are
 * repeated.
 */
import { expect, type TestContext, test } from 'vitest'
import { eventually, startTestApp } from '../harness.ts'
import { waitUntilIdle } from '../jobs.ts'
import {
  type Answer,
  countDeliveries,
  emitWithdrawals,
  hasValidSignature,
  type Receiver,
  startReceiver,
  subscribe,
  waitForDeliveries,
} from '../receiver.ts'
import { makeTenant } from '../tenant.ts'
import { createWorkers, type WorkerProcess } from './worker.ts'

/** Per subscription: the maximum of unanswered deliveries, and of sent deliveries that are not yet recorded. */
const inFlightMax = 16
const unrecordedMax = 128

async function answerQuickly(): Promise<Answer> {
  await new Promise(resolve => setTimeout(resolve, 5))
  return { status: 204 }
}

/** A deployment per test, so that the tests can wait for their processes concurrently. */
async function makeDeployment({ onTestFinished }: TestContext) {
  const app = await startTestApp({ env: { ROLE: 'api' } })
  onTestFinished(() => app.stop())
  const workers = createWorkers(app)
  onTestFinished(() => workers.stop())
  return {
    app,
    startSurvivor: workers.startSurvivor,

    /** Starts a sending process, which is stopped when the test ends. */
    startSender(): WorkerProcess {
      const sender = workers.start()
      onTestFinished(async () => void (await sender.end('SIGKILL')))
      return sender
    },

    /** Answers take 5 ms, so that a process is killed in the middle. */
    async startReceiver(): Promise<Receiver> {
      const receiver = await startReceiver(answerQuickly)
      onTestFinished(() => receiver.stop())
      return receiver
    },

    /** Makes a subscription in a new tenant. */
    async makeSubscription() {
      const tenant = await makeTenant(app)
      const receiver = await this.startReceiver()
      const { secret } = await subscribe(tenant, receiver)
      return { tenant, receiver, secret }
    },

    /** Waits until `count` processes have live workers, and so receive notifications of deliveries. */
    async waitForListeners(count: number): Promise<void> {
      const countListeners = async () => {
        const { rows } = await app.database.ownerPool.query(
          `select distinct pid from pg_locks l join pg_stat_activity a using (pid)
           where datname = current_database() and locktype = 'advisory' and granted`,
        )
        return rows.length
      }
      await eventually(countListeners, number => number === count)
    },
  }
}

test.concurrent('killed twice between commit and sending: every event arrives', async context => {
  const deployment = await makeDeployment(context)
  const { tenant, receiver, secret } = await deployment.makeSubscription()
  const eventIds = await emitWithdrawals(tenant, 560)
  for (let kill = 0; kill < 2; kill++) {
    const sender = deployment.startSender()
    await waitForDeliveries(receiver, receiver.deliveries.length + 1 + Math.floor(Math.random() * 60))
    eventIds.push(...(await emitWithdrawals(tenant, 20)))
    await sender.end('SIGKILL')
  }
  expect(receiver.deliveries.length).toBeLessThan(600)

  await deployment.startSurvivor()
  await waitForDeliveries(receiver, 600)
  await waitUntilIdle(deployment.app.database, tenant.tenantId)
  const { repeated, ...rest } = countDeliveries(eventIds, receiver)
  expect(rest).toEqual({ sent: 600, received: 600, lost: 0 })
  expect(repeated).toBeLessThanOrEqual(2 * unrecordedMax)
  expect(receiver.deliveries.every(delivery => hasValidSignature(secret, delivery))).toBe(true)
})

test.concurrent('killed between sending and recording: another process takes over, and unrecorded deliveries are repeated', async context => {
  const deployment = await makeDeployment(context)
  const { tenant, receiver, secret } = await deployment.makeSubscription()
  const unansweredIds: string[] = []
  receiver.answer = ({ event }) => {
    if (receiver.deliveries.length <= 50) return answerQuickly()
    unansweredIds.push(event.id)
    return new Promise(() => {})
  }
  const first = deployment.startSender()
  const eventIds = await emitWithdrawals(tenant, 200)
  await eventually(
    async () => unansweredIds.length,
    count => count === inFlightMax,
  )
  await deployment.startSurvivor()
  await deployment.waitForListeners(2)
  await first.end('SIGKILL')
  receiver.answer = answerQuickly
  const before = receiver.deliveries.length
  await waitForDeliveries(receiver, before + 1)

  await waitForDeliveries(receiver, 200 + unansweredIds.length)
  await waitUntilIdle(deployment.app.database, tenant.tenantId)
  expect(countDeliveries(eventIds, receiver)).toEqual({
    sent: 200,
    received: 200,
    lost: 0,
    repeated: inFlightMax,
  })
  const again = receiver.deliveries.slice(before).map(({ headers }) => headers['webhook-id'])
  expect(again).toEqual(expect.arrayContaining(unansweredIds))
  expect(receiver.deliveries.every(delivery => hasValidSignature(secret, delivery))).toBe(true)
})

test.concurrent('stopped by SIGTERM in the middle: another process continues, and no delivery is repeated', async context => {
  const deployment = await makeDeployment(context)
  const { tenant, receiver } = await deployment.makeSubscription()
  const first = deployment.startSender()
  const eventIds = await emitWithdrawals(tenant, 300)
  await waitForDeliveries(receiver, 50)
  expect(await first.end('SIGTERM'), first.output()).toBe(0)
  expect(receiver.deliveries.length).toBeLessThan(300)

  await deployment.startSurvivor()
  await waitForDeliveries(receiver, 300)
  await waitUntilIdle(deployment.app.database, tenant.tenantId)
  expect(countDeliveries(eventIds, receiver)).toEqual({
    sent: 300,
    received: 300,
    lost: 0,
    repeated: 0,
  })
})

test.concurrent('two processes at once: each receiver gets each of 500 events once', async context => {
  const deployment = await makeDeployment(context)
  const tenant = await makeTenant(deployment.app)
  const receivers = await Promise.all(Array.from({ length: 4 }, deployment.startReceiver))
  for (const receiver of receivers) await subscribe(tenant, receiver)
  deployment.startSender()
  await deployment.startSurvivor()
  await deployment.waitForListeners(2)
  const eventIds: string[] = []
  for (let batch = 0; batch < 10; batch++) eventIds.push(...(await emitWithdrawals(tenant, 50)))
  await Promise.all(receivers.map(receiver => waitForDeliveries(receiver, 500)))
  await waitUntilIdle(deployment.app.database, tenant.tenantId)
  for (const receiver of receivers)
    expect(countDeliveries(eventIds, receiver)).toEqual({ sent: 500, received: 500, lost: 0, repeated: 0 })
})
