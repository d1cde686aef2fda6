/** Routers that fail, over HTTP: listings and bookings go on with the estimate. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestAppForTest } from '../../../../test/harness.ts'
import { book, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { listTimes, makePlaces, slow } from '../../../../test/travel.ts'
import { sql } from '../../../kit/db/index.ts'
import { type RouterFault, type RouterSimulator, startRouter } from '../../../simulator/router.ts'

let router: RouterSimulator
let tenant: TestTenant
beforeAll(async () => {
  router = await startRouter()
})
afterAll(() => router.close())
beforeEach(() => {
  router.faults.length = 0
  router.requests.length = 0
})

describe('a router that fails', () => {
  test.each<[string, RouterFault]>([
    ['is down', { kind: 'close' }],
    ['answers errors', { status: 500 }],
    ['answers garbage', { kind: 'garbage' }],
    ['answers 50 MB', { kind: 'huge' }],
    ['answers a table with too few columns', { kind: 'short' }],
    ['does not answer', { kind: 'hang' }],
  ])('and %s is replaced by the estimate, and not waited for again', async (_what, fault) => {
    const own = await startTestAppForTest({ env: { ROLE: 'api', ROUTING_URL: router.url } })
    tenant = await makeTenant(own)
    const { south } = await makePlaces(tenant)
    router.faults.push({ ...fault, times: 1000 })
    router.roads.speedKmh = slow
    const startedMs = performance.now()
    expect(await listTimes(tenant, south)).toEqual(['10:30', '11:00', '11:30'])
    // Whatever the load, it is not the time of many requests.
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    const sent = router.requests.length
    expect(sent).toBeLessThanOrEqual(2)
    const neighbour = await makeTenant(own)
    const theirs = await makePlaces(neighbour)
    expect(await listTimes(neighbour, theirs.south)).toContain('10:30')
    // It works again, but what was offered can be booked.
    router.faults.length = 0
    await book(tenant, south, toTime(3, 10, 30))
    expect(router.requests).toHaveLength(sent)
  })

  test('leaves the estimate for a quarter of an hour', async () => {
    const own = await startTestAppForTest({ env: { ROUTING_URL: 'http://127.0.0.1:9' } })
    tenant = await makeTenant(own)
    const { south } = await makePlaces(tenant)
    expect(await listTimes(tenant, south)).toContain('10:30')
    const { rows } = await tenant.inTenant(tx =>
      sql<{ seconds: number | null; min: number }>`
        select duration_s as seconds, round(extract(epoch from expires_at - now()) / 60)::int as min
        from travel_times where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([
      { seconds: null, min: 15 },
      { seconds: null, min: 15 },
    ])
  })
})
