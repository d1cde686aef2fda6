/** When `quota.threshold_reached` is emitted, and when not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { describeFeatures } from '../../app.ts'
import { type Database, openDatabase, sql, type Tx } from '../../kit/db/index.ts'
import { bindFeatures } from '../../kit/feature.ts'
import { type Quota, readCurrentPeriod, refund, reserve, reserveUpTo } from '../../kit/quota.ts'
import type { Static } from '../../kit/schema.ts'
import { quotaThresholdReached } from './events.ts'

const quota: Quota = { name: 'maxLeadsPerMonth' }
const otherQuota: Quota = { name: 'maxFichasPerMonth' }
const thresholdReached = quotaThresholdReached([quota, otherQuota])
let database: Database
let workspace: TestWorkspace
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  bindFeatures(database, describeFeatures())
})
afterAll(() => database.close())
beforeEach(async () => {
  workspace = await makeWorkspace(database)
})

const inTest = <T>(work: (tx: Tx) => Promise<T>) =>
  database.withTenant({ tenantId: workspace.testTenantId }, work)
const setLimit = (limit: number, { name }: Quota = quota) =>
  inTest(tx =>
    tx
      .insertInto('quota_limits')
      .values({ tenant_id: workspace.testTenantId, name, monthly_limit: limit })
      .onConflict(conflict => conflict.columns(['tenant_id', 'name']).doUpdateSet({ monthly_limit: limit }))
      .execute(),
  )
const liftLimit = () => inTest(tx => tx.deleteFrom('quota_limits').where('name', '=', quota.name).execute())
/** Reserves units, one reservation after another. */
const take = async (...counts: number[]) => {
  for (const count of counts) await inTest(tx => reserveUpTo(tx, quota, count))
}
const refundAll = (count: number) =>
  inTest(tx => refund(tx, quota, Array(count).fill(Temporal.Now.instant())))

type EmittedThreshold = Static<typeof thresholdReached.data>
const listThresholdEvents = async (): Promise<EmittedThreshold[]> => {
  const events = await inTest(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('type', '=', thresholdReached.type)
      .orderBy('sequence')
      .execute(),
  )
  return events.map(({ data }) => data as EmittedThreshold)
}
const listThresholds = async () =>
  (await listThresholdEvents()).map(({ percent, limit, used }) => `${percent} %: ${used} of ${limit}`)

describe('a quota emits', () => {
  it('80 and 100 % once each when they are reached', async () => {
    await setLimit(10)
    await take(7)
    expect(await listThresholds()).toEqual([])
    await take(1, 1)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10'])
    await take(1, 1)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10', '100 %: 10 of 10'])
  })

  it('its name and its month', async () => {
    await setLimit(10, otherQuota)
    await inTest(tx => reserveUpTo(tx, otherQuota, 9))
    const { start, end } = await inTest(readCurrentPeriod)
    expect(await listThresholdEvents()).toEqual([
      {
        name: 'maxFichasPerMonth',
        limit: 10,
        used: 9,
        percent: 80,
        period: { start: start.toString(), end: end.toString() },
      },
    ])
  })

  it('both for one reservation that passes both, the lower first, with the granted units', async () => {
    await setLimit(10)
    await take(25)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10'])
  })

  it.each([
    [1, 1],
    [6, 5],
    [7, 6],
    [2_147_483_647, 1_717_986_918],
  ])('80 % of a limit of %i at %i units, not before', async (limit, share) => {
    await setLimit(limit)
    if (share > 1) await take(share - 1)
    expect(await listThresholds()).toEqual([])
    await take(1)
    expect((await listThresholds())[0]).toBe(`80 %: ${share} of ${limit}`)
  })

  it('each once with concurrent reservations', async () => {
    await setLimit(50)
    await Promise.all(Array.from({ length: 30 }, () => take(3)))
    // Three units at a time; 80 % are 40 units.
    expect(await listThresholds()).toEqual(['80 %: 42 of 50', '100 %: 50 of 50'])
  })

  it('nothing again if units are refunded and reserved again', async () => {
    await setLimit(10)
    await take(10)
    await refundAll(9)
    await take(7, 2)
    await refundAll(4)
    await take(4)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10'])
  })

  it('100 % if units were refunded before it was reached', async () => {
    await setLimit(10)
    await take(8)
    await refundAll(5)
    await take(5, 2)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10', '100 %: 10 of 10'])
  })

  it('for several reservations in one transaction', async () => {
    await setLimit(2)
    await inTest(async tx => {
      await reserve(tx, quota)
      await reserve(tx, quota)
    })
    expect(await listThresholds()).toEqual(['80 %: 2 of 2', '100 %: 2 of 2'])
  })

  it('nothing for a failed transaction, and all when it is repeated', async () => {
    await setLimit(10)
    const failing = inTest(async tx => {
      await reserveUpTo(tx, quota, 10)
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    expect(await listThresholds()).toEqual([])
    await take(10)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10'])
  })

  it('nothing without a limit or with a limit of 0, and the next limit emits again', async () => {
    await take(1000)
    await setLimit(0)
    await take(1)
    await liftLimit()
    await take(1)
    expect(await listThresholds()).toEqual([])
    await setLimit(1250)
    await take(1)
    expect(await listThresholds()).toEqual(['80 %: 1002 of 1250'])
  })

  it('separately for each month', async () => {
    await setLimit(10)
    await take(10)
    await inTest(tx =>
      sql`update quota_usage set period_start = period_start - interval '31 days'`.execute(tx),
    )
    await take(8)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10', '80 %: 8 of 10'])
  })

  it('separately for each quota', async () => {
    await setLimit(10)
    await setLimit(10, otherQuota)
    await take(8)
    await inTest(tx => reserveUpTo(tx, otherQuota, 8))
    expect((await listThresholdEvents()).map(each => each.name)).toEqual([quota.name, otherQuota.name])
  })

  it('in the environment that uses it only', async () => {
    await setLimit(1)
    await database.withTenant({ tenantId: workspace.liveTenantId }, tx => reserve(tx, quota))
    expect(await listThresholds()).toEqual([])
  })
})

describe('a limit that changes', () => {
  const ofTen = ['80 %: 10 of 10', '100 %: 10 of 10']
  beforeEach(async () => {
    await setLimit(10)
    await take(10)
  })

  it('raised far emits both thresholds again', async () => {
    await setLimit(100)
    await take(69)
    expect(await listThresholds()).toEqual(ofTen)
    await take(1, 20)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 80 of 100', '100 %: 100 of 100'])
  })

  it('raised so little that 80 % stay used emits 100 % again', async () => {
    await setLimit(12)
    await take(1)
    expect(await listThresholds()).toEqual(ofTen)
    await take(1)
    expect(await listThresholds()).toEqual([...ofTen, '100 %: 12 of 12'])
  })

  it('raised and lowered again emits nothing twice', async () => {
    await setLimit(100)
    await take(1)
    await setLimit(10)
    await refundAll(2)
    await take(1)
    expect(await listThresholds()).toEqual(ofTen)
  })

  it('lowered below the used units emits 100 %, even if nothing is granted', async () => {
    await setLimit(100)
    await take(75)
    await setLimit(50)
    expect(await inTest(tx => reserveUpTo(tx, quota, 1))).toBe(0)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 85 of 100', '100 %: 85 of 50'])
  })

  it('set again after it was removed emits with the next unit', async () => {
    await liftLimit()
    await take(10)
    await setLimit(25)
    await take(1)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 21 of 25'])
  })
})

it('a reservation sends no additional statement; at a threshold it sends two: the lock to emit, and the event', async () => {
  await setLimit(10)
  const countStatements = (amount: number) =>
    inTest(async tx => {
      const sent = vi.spyOn(tx.getExecutor(), 'executeQuery')
      await reserveUpTo(tx, quota, amount)
      return sent.mock.calls.length
    })
  expect([
    await countStatements(1),
    await countStatements(7),
    await countStatements(1),
    await countStatements(1),
  ]).toEqual([3, 5, 3, 5])
})
