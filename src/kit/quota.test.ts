/** Quotas: their month, and how units are reserved and refunded. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../test/make.ts'
import { type Database, openDatabase } from './db/index.ts'
import { bindHooks, on } from './hook.ts'
import {
  getMonth,
  listQuotas,
  type Quota,
  quotasReached,
  readCurrentPeriod,
  refund,
  reserve,
  reserveUpTo,
} from './quota.ts'

describe('the month', () => {
  const describeMonth = (now: string, timezone: string) => {
    const { start, end } = getMonth(Temporal.Instant.from(now), timezone)
    return `${start} ${end}`
  }

  it.each([
    ['2026-11-15T12:00:00Z', 'UTC', '2026-11-01T00:00:00Z 2026-12-01T00:00:00Z'],
    ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-01T00:00:00Z 2027-01-01T00:00:00Z'],
    // Summer time ends in October and begins in March: the month is an hour longer, or shorter.
    ['2026-10-15T12:00:00Z', 'Europe/Madrid', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z'],
    ['2026-03-15T12:00:00Z', 'Europe/Madrid', '2026-02-28T23:00:00Z 2026-03-31T22:00:00Z'],
    // The last hour of October in Madrid, and the first of November, while it is October in UTC.
    ['2026-10-31T22:59:59Z', 'Europe/Madrid', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z'],
    ['2026-10-31T23:00:00Z', 'Europe/Madrid', '2026-10-31T23:00:00Z 2026-11-30T23:00:00Z'],
    ['2026-11-01T05:00:00Z', 'America/Los_Angeles', '2026-10-01T07:00:00Z 2026-11-01T07:00:00Z'],
    ['2028-02-29T12:00:00Z', 'Pacific/Kiritimati', '2028-02-29T10:00:00Z 2028-03-31T10:00:00Z'],
    ['2026-05-31T18:30:00Z', 'Asia/Kolkata', '2026-05-31T18:30:00Z 2026-06-30T18:30:00Z'],
    // Summer time began at midnight of the 1st, so that month has no midnight at its start.
    ['2023-10-15T12:00:00Z', 'America/Asuncion', '2023-10-01T04:00:00Z 2023-11-01T03:00:00Z'],
  ])('of %s in %s is %s', (now, timezone, month) => {
    expect(describeMonth(now, timezone)).toBe(month)
  })

  it('contains its instant, without gap or overlap to its neighbours, in every time zone', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const years = { min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer(years), (timezone, ms) => {
        const now = Temporal.Instant.fromEpochMilliseconds(ms)
        const { start, end } = getMonth(now, timezone)
        expect(Temporal.Instant.compare(start, now)).toBeLessThanOrEqual(0)
        expect(Temporal.Instant.compare(now, end)).toBeLessThan(0)
        expect(getMonth(end, timezone).start.equals(end)).toBe(true)
        expect(getMonth(start.subtract({ nanoseconds: 1 }), timezone).end.equals(start)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('units', () => {
  const quota: Quota = { name: 'maxLeadsPerMonth' }
  let database: Database
  let workspace: TestWorkspace
  beforeAll(async () => {
    database = openDatabase(await makeDatabase(), { onError: () => {} })
    bindHooks(database, [{ hooks: [on(quotasReached, async () => {})] }])
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    workspace = await makeWorkspace(database)
  })

  const inTest = <T>(work: Parameters<typeof database.withTenant<T>>[1]) =>
    database.withTenant({ tenantId: workspace.testTenantId }, work)
  const setLimit = (limit: number, tenantId = workspace.testTenantId) =>
    database.withTenant({ tenantId }, tx =>
      tx
        .insertInto('quota_limits')
        .values({ tenant_id: tenantId, name: quota.name, monthly_limit: limit })
        .execute(),
    )
  const readState = (tenantId: string) =>
    database.withTenant({ tenantId }, async tx => {
      const [state] = await listQuotas(tx, [quota], await readCurrentPeriod(tx))
      return state!
    })
  const now = () => Temporal.Now.instant()

  it('are unlimited without a limit, but counted', async () => {
    expect(await inTest(tx => reserveUpTo(tx, quota, 1000))).toBe(1000)
    expect(await readState(workspace.testTenantId)).toMatchObject({
      limit: null,
      used: 1000,
      remaining: null,
    })
  })

  it('are granted up to the limit', async () => {
    await setLimit(10)
    expect(await inTest(tx => reserveUpTo(tx, quota, 7))).toBe(7)
    expect(await inTest(tx => reserveUpTo(tx, quota, 7))).toBe(3)
    expect(await inTest(tx => reserveUpTo(tx, quota, 7))).toBe(0)
    expect(await readState(workspace.testTenantId)).toMatchObject({ limit: 10, used: 10, remaining: 0 })
  })

  it('are never granted twice to concurrent transactions', async () => {
    await setLimit(50)
    const granted = await Promise.all(
      Array.from({ length: 20 }, () => inTest(tx => reserveUpTo(tx, quota, 7))),
    )
    expect(granted.reduce((sum, count) => sum + count)).toBe(50)
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 50, remaining: 0 })
  })

  it('are not used by a transaction that fails', async () => {
    await setLimit(10)
    const failing = inTest(async tx => {
      await reserveUpTo(tx, quota, 7)
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 0 })
  })

  it('are refused with the time of their renewal', async () => {
    await setLimit(1)
    await inTest(tx => reserve(tx, quota))
    const refusal = await inTest(tx => reserve(tx, quota)).catch(error => error)
    expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', status: 429 })
    const { resetsAt } = await readState(workspace.testTenantId)
    expect(refusal.message).toContain(resetsAt)
    const untilThenSeconds = (Date.parse(resetsAt) - Date.now()) / 1000
    expect(Math.abs(Number(refusal.headers['Retry-After']) - untilThenSeconds)).toBeLessThan(60)
  })

  it('are counted per environment and workspace', async () => {
    const other = await makeWorkspace(database)
    await setLimit(1)
    await inTest(tx => reserve(tx, quota))
    for (const tenantId of [workspace.liveTenantId, other.testTenantId])
      expect(await readState(tenantId)).toMatchObject({ limit: null, used: 0 })
  })

  it('are counted per name', async () => {
    await inTest(tx => reserve(tx, { name: 'maxFichasPerMonth' }))
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 0 })
  })

  it('are refunded, never below zero', async () => {
    await setLimit(2)
    await inTest(tx => reserveUpTo(tx, quota, 2))
    await inTest(tx => refund(tx, quota, [now()]))
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 1, remaining: 1 })
    await inTest(tx => refund(tx, quota, Array(5).fill(now())))
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 0, remaining: 2 })
  })

  it('are refunded to the month in which they were reserved', async () => {
    await inTest(tx => reserveUpTo(tx, quota, 3))
    const { start } = await inTest(readCurrentPeriod)
    const lastMonth = getMonth(start.subtract({ hours: 1 }), 'Europe/Madrid')
    await inTest(tx =>
      tx
        .insertInto('quota_usage')
        .values({
          tenant_id: workspace.testTenantId,
          name: quota.name,
          period_start: lastMonth.start.toString(),
          used: 5,
        })
        .execute(),
    )
    await inTest(tx => refund(tx, quota, Array(2).fill(start.subtract({ hours: 1 }))))
    expect(await readState(workspace.testTenantId)).toMatchObject({ used: 3 })
    expect(await inTest(tx => listQuotas(tx, [quota], lastMonth))).toMatchObject([{ used: 3 }])
  })

  it('are renewed with the month in the time zone of the workspace', async () => {
    await database.owner
      .updateTable('workspaces')
      .set({ timezone: 'Pacific/Kiritimati' })
      .where('slug', '=', workspace.slug)
      .execute()
    const { start, end } = await inTest(readCurrentPeriod)
    const expected = getMonth(now(), 'Pacific/Kiritimati')
    expect(`${start} ${end}`).toBe(`${expected.start} ${expected.end}`)
    expect((await readState(workspace.testTenantId)).resetsAt).toBe(end.toString())
  })

  it('have zero remaining if the limit was lowered below the use', async () => {
    await inTest(tx => reserveUpTo(tx, quota, 9))
    await setLimit(4)
    expect(await readState(workspace.testTenantId)).toMatchObject({ limit: 4, used: 9, remaining: 0 })
    expect(await inTest(tx => reserveUpTo(tx, quota, 1))).toBe(0)
  })
})
