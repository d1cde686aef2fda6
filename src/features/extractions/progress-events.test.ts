/** The event extraction.progress: emitted for long runs, at most every ten seconds. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  getExtraction,
  holdAnswers,
  type Search,
  startExtraction,
  waitUntilEnded,
} from '../../../test/extraction.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { startReceiverForTest, subscribe } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { compile } from '../../kit/schema.ts'
import type { Simulator } from '../../simulator/index.ts'
import { extractionProgress } from './events.ts'

let app: TestApp
let simulator: Simulator
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
})
afterEach(() => simulator.faults.clear())
afterAll(() => app.stop())

const premises: Search = { operation: 'rent', propertyType: 'premises', city: 'madrid' }
const pagePath = (page: number) => `/alquiler/locales/madrid/?page=${page}`

describe('the event extraction.progress', () => {
  const listProgressEvents = (tenant: TestTenant) =>
    tenant.inTenant(tx =>
      tx.selectFrom('events').select(['id', 'data']).where('type', '=', 'extraction.progress').execute(),
    )

  test('is emitted for a long run, every ten seconds at most, and delivered', async () => {
    const receiver = await startReceiverForTest()
    const tenant = await makeTenant(app)
    await subscribe(tenant, receiver)
    const release = holdAnswers(simulator, [pagePath(2), pagePath(3)])
    const { extractionId } = await startExtraction(tenant, premises, { maxResults: 120 })
    await eventually(
      () => getExtraction(tenant, extractionId),
      ({ progress }) => progress.pagesFetched === 1,
    )
    expect(await listProgressEvents(tenant)).toEqual([])
    const elevenSecondsAgo = new Date(Date.now() - 11_000)
    await tenant.inTenant(tx => tx.updateTable('extractions').set({ started_at: elevenSecondsAgo }).execute())
    release(pagePath(2))
    await eventually(
      () => listProgressEvents(tenant),
      ({ length }) => length > 0,
    )
    release(pagePath(3))
    await waitUntilEnded(tenant, extractionId)
    await waitUntilIdle(app.database, tenant.tenantId)

    // Emitted at the second page. At the third and fourth page, that event is less than ten seconds old.
    const events = await listProgressEvents(tenant)
    expect(events).toHaveLength(1)
    const [{ id, data }] = events as [{ id: string; data: unknown }]
    expect(compile(extractionProgress.data as never)(data)).toEqual([])
    expect(data).toMatchObject({
      extractionId,
      platform: 'portal_a',
      progress: { leadsCreated: 60, percent: 50 },
    })
    const delivered = receiver.deliveries.map(({ event }) => event)
    expect(delivered.filter(({ type }) => type === 'extraction.progress')).toMatchObject([{ id, data }])
  })

  test('is emitted again after ten seconds', async () => {
    const tenant = await makeTenant(app)
    const release = holdAnswers(simulator, [pagePath(2), pagePath(3)])
    const { extractionId } = await startExtraction(tenant, premises, { maxResults: 90 })
    for (const page of [1, 2]) {
      await eventually(
        () => getExtraction(tenant, extractionId),
        ({ progress }) => progress.pagesFetched === page,
      )
      const elevenSecondsAgo = new Date(Date.now() - 11_000)
      await tenant.inTenant(tx =>
        tx
          .updateTable('extractions')
          .set({
            started_at: elevenSecondsAgo,
            ...(page === 1 ? {} : { progress_emitted_at: elevenSecondsAgo }),
          })
          .execute(),
      )
      release(pagePath(page + 1))
    }
    await waitUntilEnded(tenant, extractionId)
    const pagesReported = (await listProgressEvents(tenant)).map(
      ({ data }) => (data as unknown as { progress: { pagesFetched: number } }).progress.pagesFetched,
    )
    expect(pagesReported.sort()).toEqual([2, 3])
  })
})
