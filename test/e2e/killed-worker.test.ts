/** Workers that are killed in the middle of a job: another worker continues it, with the same result. */
import { expect, type TestContext, test } from 'vitest'
import { startSimulator } from '../../src/simulator/index.ts'
import {
  getExtraction,
  readExtractionResult,
  type Search,
  startExtraction,
  waitUntilEnded,
} from '../extraction.ts'
import { eventually, startTestApp } from '../harness.ts'
import { waitUntilIdle } from '../jobs.ts'
import { hasValidSignature, type Receiver, startReceiver, subscribe, waitForDeliveries } from '../receiver.ts'
import { makeTenant } from '../tenant.ts'
import { createWorkers } from './worker.ts'

const homes: Search = { operation: 'sale', propertyType: 'homes', city: 'madrid' }
// Five pages; maxResults ends in the last one.
const maxResults = 140
const totalRequests = 1 + 5 + maxResults

const randomRequest = () => 2 + Math.floor(Math.random() * (totalRequests * 0.6))

/** A deployment and a portal per test, so that the tests can wait for their processes concurrently. */
async function makeDeployment({ onTestFinished }: TestContext) {
  // The portal is slow, so that workers are killed in the middle.
  const simulator = await startSimulator({ latencyMs: 40 })
  onTestFinished(() => simulator.close())
  const portal = `portal_a=${simulator.portalUrl('portal_a')}`
  const app = await startTestApp({ env: { ROLE: 'api', PORTAL_URLS: portal } })
  onTestFinished(() => app.stop())
  const workers = createWorkers(app)
  onTestFinished(() => workers.stop())
  const countRequests = () => {
    const { search, detail, robots } = simulator.requests.portal_a
    return search + detail + robots
  }
  return {
    app,
    workers,

    /** Waits for `count` more requests to the portal. */
    waitForRequests(count: number) {
      const before = countRequests()
      return eventually(
        async () => countRequests() - before,
        requestCount => requestCount >= count,
      )
    },

    async startReceiver(answer?: Receiver['answer']): Promise<Receiver> {
      const receiver = await startReceiver(answer)
      onTestFinished(() => receiver.stop())
      return receiver
    },
  }
}

test.concurrent('kill -9 during an extraction, twice: it resumes and has the result of an undisturbed run', async context => {
  const { app, workers, waitForRequests, startReceiver } = await makeDeployment(context)
  const reference = await makeTenant(app, 'live')
  const first = workers.start()
  const referenceRun = await waitUntilEnded(
    reference,
    (await startExtraction(reference, homes, { maxResults })).extractionId,
  )
  expect(referenceRun, first.output()).toMatchObject({ status: 'COMPLETED', environment: 'live' })
  expect(referenceRun.progress).toMatchObject({ pagesFetched: 5, leadsCreated: maxResults, duplicates: 0 })

  const tenant = await makeTenant(app, 'live')
  const receiver = await startReceiver()
  const { secret } = await subscribe(tenant, receiver)
  const { extractionId } = await startExtraction(tenant, homes, { maxResults })
  await waitForRequests(randomRequest())
  await first.end('SIGKILL')
  expect((await getExtraction(tenant, extractionId)).status).toBe('RUNNING')

  const second = workers.start()
  await waitForRequests(2 + Math.floor(Math.random() * 20))
  await second.end('SIGKILL')
  expect((await getExtraction(tenant, extractionId)).status).toBe('RUNNING')

  await workers.startSurvivor()
  await waitForRequests(1)
  await waitUntilEnded(tenant, extractionId)
  expect(await readExtractionResult(tenant, extractionId)).toEqual(
    await readExtractionResult(reference, referenceRun.extractionId),
  )

  await waitUntilIdle(app.database, tenant.tenantId)
  const events = await tenant.inTenant(tx => tx.selectFrom('events').select('id').execute())
  const delivered = new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']))
  expect([...delivered].sort()).toEqual(events.map(event => event.id).sort())
  expect(receiver.deliveries.every(delivery => hasValidSignature(secret, delivery))).toBe(true)
})

test.concurrent('SIGTERM during an extraction requeues the job at once without using an attempt; the next worker continues', async context => {
  const { app, workers, waitForRequests } = await makeDeployment(context)
  const tenant = await makeTenant(app, 'live')
  const { extractionId } = await startExtraction(tenant, homes, { maxResults })
  const requested = waitForRequests(randomRequest())
  const first = workers.start()
  await requested
  expect(await first.end('SIGTERM'), first.output()).toBe(0)
  expect((await getExtraction(tenant, extractionId)).status).toBe('RUNNING')
  const { rows } = await app.database.ownerPool.query(
    `select attempts, locked_at as "lockedAt" from graphile_worker._private_jobs where payload->>'tenantId' = $1`,
    [tenant.tenantId],
  )
  expect(rows).toContainEqual({ attempts: 0, lockedAt: null })

  await workers.startSurvivor()
  const { status, progress } = await waitUntilEnded(tenant, extractionId)
  expect([status, progress.leadsCreated, progress.pagesFetched]).toEqual(['COMPLETED', maxResults, 5])
  expect(await tenant.listAllLeads()).toHaveLength(maxResults)
})

test.concurrent('a worker killed between delivery and recording of a webhook: it is delivered again with the same id', async context => {
  const { app, workers, startReceiver } = await makeDeployment(context)
  const tenant = await makeTenant(app, 'live')
  const receiver = await startReceiver(() => new Promise(() => {}))
  const { secret } = await subscribe(tenant, receiver, ['extraction.started'])
  await startExtraction(tenant, homes, { maxResults: 1 })
  const first = workers.start()
  await waitForDeliveries(receiver)
  await first.end('SIGKILL')
  receiver.answer = () => ({ status: 200 })

  await workers.startSurvivor()
  const deliveries = await waitForDeliveries(receiver, 2)
  expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(deliveries.every(delivery => hasValidSignature(secret, delivery))).toBe(true)
  await waitUntilIdle(app.database, tenant.tenantId)
  const rows = await tenant.inTenant(tx =>
    tx.selectFrom('webhook_deliveries').select(['status', 'attempts']).execute(),
  )
  expect(rows).toEqual([{ status: 'delivered', attempts: 1 }])
  expect(receiver.deliveries).toHaveLength(2)
})
