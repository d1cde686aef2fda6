/** Cancelling extractions: requests to the portal stop at once, stored leads stay, and each event is emitted once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  extract,
  getExtraction,
  type Search,
  startExtraction,
  toExtractionBody,
  waitUntilEnded,
} from '../../../test/extraction.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeJobsDue, waitUntilIdle } from '../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { toCancelTopic } from '../../kit/operations/operation.ts'
import { compile } from '../../kit/schema.ts'
import { portalA } from '../../plugins/portals/portal-a.ts'
import type { Fault } from '../../simulator/faults.ts'
import type { Simulator } from '../../simulator/index.ts'
import { leadsImported } from '../leads/events.ts'
import { extractionCancelled, extractionStarted } from './events.ts'
import { extractionKind } from './operation.ts'
import type { Extraction } from './schemas.ts'

interface Refusal {
  code: string
  message: string
}

// Two processes of one deployment: one receives the request to cancel, the other reads the portal.
let api: TestApp
let worker: TestApp
let simulator: Simulator
beforeAll(async () => {
  api = await startTestApp({ env: { ROLE: 'api' } })
  worker = await startTestApp({ env: { ROLE: 'worker' }, databaseUrl: api.config.databaseUrl! })
  simulator = await worker.app.getSimulator()
})
afterEach(() => simulator.faults.clear())
afterAll(async () => {
  await worker.stop()
  await api.stop()
})

const offices: Search = { operation: 'sale', propertyType: 'offices', city: 'barcelona' }
const firstPage = 30
const path = /^\/venta\/oficinas\/barcelona/

function cancel<T = Extraction>(tenant: TestTenant, extractionId: string) {
  return tenant.call<T>('POST', `/extractions/${extractionId}/cancel`)
}

/**
 * Starts the search with a fault on the listings after the first page. Resolves when the first page is stored and the faulty
 * listings are requested.
 */
async function startWithFault(fault: Fault): Promise<{ tenant: TestTenant; extractionId: string }> {
  const later = simulator.findListings(offices).slice(firstPage)
  const match = new RegExp(`^/inmueble/(${later.map(listing => listing.id).join('|')})/`)
  simulator.faults.add({ ...fault, match })
  const requestsBefore = countRequests(match)
  const tenant = await makeTenant(api)
  const { extractionId } = await startExtraction(tenant, offices, { maxResults: 1000 })
  await eventually(
    async () =>
      [(await getExtraction(tenant, extractionId)).progress.leadsCreated, countRequests(match)] as const,
    ([leads, requestCount]) => leads === firstPage && requestCount > requestsBefore,
  )
  return { tenant, extractionId }
}

/** Cancels an extraction on a portal with a fault. Returns when that was answered, and when no work of it was left. */
async function cancelWithFault(fault: Fault): Promise<{ answeredMs: number; doneMs: number }> {
  const { tenant, extractionId } = await startWithFault(fault)
  const beganMs = performance.now()
  const { status, body } = await cancel(tenant, extractionId)
  const answeredMs = performance.now() - beganMs
  const requestsAtCancel = countRequests(/./)
  await waitUntilIdle(api.database, tenant.tenantId)
  const doneMs = performance.now() - beganMs
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'CANCELLED', outcome: 'partial', error: null })
  expect(body.progress.leadsCreated).toBeGreaterThanOrEqual(firstPage)
  // The requests that were in flight.
  expect(countRequests(/./) - requestsAtCancel).toBeLessThanOrEqual(portalA.politeness.concurrency)
  expect(await getExtraction(tenant, extractionId)).toEqual(body)
  return { answeredMs, doneMs }
}

function countRequests(match: RegExp): number {
  const counts = [...simulator.requests.portal_a.byPath]
  return counts.reduce((sum, [requestPath, times]) => sum + (match.test(requestPath) ? times : 0), 0)
}

const listEvents = (tenant: TestTenant) =>
  tenant.inTenant(tx => tx.selectFrom('events').select(['type', 'data']).orderBy('type').execute())

describe('cancelling an extraction that is QUEUED', () => {
  test('ends it before it starts, refunds the quota, and no worker runs it', async () => {
    const alone = await startTestApp({ env: { ROLE: 'api' } })
    const tenant = await makeTenant(alone)
    const { extractionId } = await startExtraction(tenant, offices)
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(1)

    const { status, body } = await cancel(tenant, extractionId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'CANCELLED', outcome: null, error: null, startedAt: null })
    expect(body.finishedAt! >= body.createdAt).toBe(true)
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(0)

    const late = await startTestApp({ env: { ROLE: 'worker' }, databaseUrl: alone.config.databaseUrl! })
    await waitUntilIdle(alone.database, tenant.tenantId)
    expect(await getExtraction(tenant, extractionId)).toEqual(body)
    expect((await listEvents(tenant)).map(event => event.type)).toEqual(['extraction.cancelled'])
    await late.stop()
    await alone.stop()
  })
})

describe('cancelling an extraction that is RUNNING', () => {
  test.each<[string, Fault]>([
    ['that hangs', { kind: 'hang' }],
    ['that drips its pages', { kind: 'drip', intervalMs: 100 }],
    ['that is slow', { kind: 'latency', latencyMs: 300 }],
    ['that fails and is retried', { kind: 'status', status: 503 }],
  ])('on a portal %s is answered at once, and the worker stops soon', async (_what, fault) => {
    // Up to three cancellations: other processes use the same processors.
    let times = await cancelWithFault(fault)
    for (let again = 0; again < 2 && (times.answeredMs >= 5000 || times.doneMs >= 10_000); again++)
      times = await cancelWithFault(fault)
    expect(times.answeredMs).toBeLessThan(5000)
    expect(times.doneMs).toBeLessThan(10_000)
  })

  test('on a portal that does not answer its search leaves only the cancellation', async () => {
    simulator.faults.add({ kind: 'hang', match: path })
    const tenant = await makeTenant(api)
    const before = countRequests(path)
    const { extractionId } = await startExtraction(tenant, offices)
    await eventually(
      async () => countRequests(path),
      count => count > before,
    )
    const { body } = await cancel(tenant, extractionId)
    expect(body).toMatchObject({ status: 'CANCELLED', outcome: null, progress: { leadsCreated: 0 } })
    await waitUntilIdle(api.database, tenant.tenantId)
    const types = (await listEvents(tenant)).map(event => event.type)
    expect(types).toEqual(['extraction.cancelled', 'extraction.started'])
  })

  test('at the moment a worker claims it also stops that worker', async () => {
    const { database } = worker
    simulator.faults.add({ kind: 'hang', match: path })
    const tenant = await makeTenant(api)
    const original = database.withTenant
    const claiming = vi.spyOn(database, 'withTenant').mockImplementation(async (caller, work) => {
      const result = await original(caller, work)
      const claimed = result as { id: string; runToken: string } | null | undefined
      if (claimed?.runToken) {
        claiming.mockRestore()
        // The notification has arrived, so every listener registered by now has been called.
        const notified = Promise.withResolvers<void>()
        const stopListening = database.notifications.on(toCancelTopic(extractionKind, claimed.id), () =>
          notified.resolve(),
        )
        await cancel(tenant, claimed.id)
        await notified.promise
        stopListening()
      }
      return result
    })
    onTestFinished(() => claiming.mockRestore())
    const { extractionId } = await startExtraction(tenant, offices)
    const { finishedAt } = await waitUntilEnded(tenant, extractionId)
    await waitUntilIdle(api.database, tenant.tenantId)
    expect(Date.now() - Date.parse(finishedAt!)).toBeLessThan(10_000)
  })

  test('keeps the leads read so far, emits the events of them and of the end, and counts against the quota', async () => {
    const { tenant, extractionId } = await startWithFault({ kind: 'hang' })
    const { body } = await cancel(tenant, extractionId)
    await waitUntilIdle(api.database, tenant.tenantId)
    const leads = await tenant.listAllLeads()
    const newest = simulator.findListings(offices).slice(0, firstPage)
    expect(leads.map(lead => lead.sources[0]!.listingId).sort()).toEqual(
      newest.map(listing => listing.id).sort(),
    )
    const events = await listEvents(tenant)
    expect(events.map(event => event.type)).toEqual([
      'extraction.cancelled',
      'extraction.started',
      'leads.imported',
    ])
    for (const definition of [extractionCancelled, extractionStarted, leadsImported]) {
      const { data } = events.find(event => event.type === definition.type)!
      expect(compile(definition.data as never)(data), definition.type).toEqual([])
      expect(data).toMatchObject({ extractionId, platform: 'portal_a' })
    }
    expect(events[0]!.data).toMatchObject({ progress: body.progress })
    const { leadIds } = events[2]!.data as { leadIds: string[] }
    expect(leadIds.toSorted()).toEqual(leads.map(lead => lead.id).sort())
    expect(await tenant.readQuotaUsage('maxExtractionsPerMonth')).toBe(1)
    expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(firstPage)
  })

  test('while it waits for a Retry-After ends it at once, without another request to the portal', async () => {
    simulator.faults.add({ kind: 'status', status: 429, retryAfterSeconds: 3600, match: path })
    const tenant = await makeTenant(api)
    const before = countRequests(path)
    const { extractionId } = await startExtraction(tenant, offices)
    await eventually(
      async () => countRequests(path),
      count => count > before,
    )
    await waitUntilIdle(api.database, tenant.tenantId)
    expect((await getExtraction(tenant, extractionId)).status).toBe('RUNNING')
    expect((await cancel(tenant, extractionId)).body.status).toBe('CANCELLED')
    expect(await makeJobsDue(api.database, tenant.tenantId)).not.toEqual([])
    await waitUntilIdle(api.database, tenant.tenantId)
    expect(countRequests(path)).toBe(before + 1)
  })
})

describe('cancelling an extraction that has ended', () => {
  test('is 409 and names the allowed states, after COMPLETED and after FAILED', async () => {
    const tenant = await makeTenant(api)
    const completed = await extract(tenant, offices, { maxResults: 1 })
    simulator.faults.add({ kind: 'challenge', match: path })
    const failed = await extract(tenant, offices, { maxResults: 1 })
    for (const { extractionId, status } of [completed, failed]) {
      const refusal = await cancel<Refusal>(tenant, extractionId)
      expect(refusal.status).toBe(409)
      expect(refusal.body).toMatchObject({
        code: 'INVALID_TRANSITION',
        message: expect.stringMatching(new RegExp(`${status}.*QUEUED or RUNNING`)),
      })
      expect((await getExtraction(tenant, extractionId)).status).toBe(status)
    }
    expect([completed.status, failed.status]).toEqual(['COMPLETED', 'FAILED'])
  })
})

describe('cancelling an extraction', () => {
  test('twice, sequentially or at the same time, succeeds once', async () => {
    const { tenant, extractionId } = await startWithFault({ kind: 'hang' })
    const replies = await Promise.all([1, 2, 3].map(() => cancel<Refusal>(tenant, extractionId)))
    replies.push(await cancel<Refusal>(tenant, extractionId))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    for (const { body } of replies.filter(({ status }) => status === 409))
      expect(body.message).toContain('A CANCELLED extraction')
    await waitUntilIdle(api.database, tenant.tenantId)
    const types = (await listEvents(tenant)).map(event => event.type)
    expect(types.filter(type => type === 'extraction.cancelled')).toHaveLength(1)
  })

  test('that is about to end gives one of the two results; no event and no count is doubled', async () => {
    for (const waitMs of [0, 20, 40, 60, 80, 100, 140]) {
      const tenant = await makeTenant(api)
      const { extractionId } = await startExtraction(tenant, offices, { maxResults: 40 })
      await sleep(waitMs)
      const { status } = await cancel(tenant, extractionId)
      const extraction = await waitUntilEnded(tenant, extractionId)
      await waitUntilIdle(api.database, tenant.tenantId)
      expect([status, extraction.status]).toEqual(status === 200 ? [200, 'CANCELLED'] : [409, 'COMPLETED'])
      expect(await getExtraction(tenant, extractionId)).toEqual(extraction)
      const leads = await tenant.listAllLeads()
      expect(leads).toHaveLength(extraction.progress.leadsCreated)
      expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(leads.length)
      const types = (await listEvents(tenant)).map(event => event.type)
      expect(types).toEqual([
        ...(status === 200 ? ['extraction.cancelled'] : ['extraction.completed']),
        ...(extraction.startedAt ? ['extraction.started'] : []),
        ...(leads.length > 0 ? ['leads.imported'] : []),
      ])
      const counted = await tenant.readQuotaUsage('maxExtractionsPerMonth')
      expect(counted).toBe(extraction.startedAt ? 1 : 0)
    }
  })
})

test('a new search starts while a cancelled one still has open requests', async () => {
  const { tenant, extractionId } = await startWithFault({ kind: 'hang' })
  await cancel(tenant, extractionId)
  simulator.faults.clear()
  const body = toExtractionBody(offices, { maxResults: 45 })
  const reply = await tenant.call<Extraction>('POST', '/extractions', { body })
  const { status, progress } = await waitUntilEnded(tenant, reply.body.extractionId)
  expect([status, progress.leadsCreated, progress.duplicates]).toEqual(['COMPLETED', 15, 30])
})
