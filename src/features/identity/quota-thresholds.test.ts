/** `quota.threshold_reached`: when a quota tells how far it is used, and when it stays silent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql, type Tx } from '../../kit/db/index.ts'
import { currentPeriod, type Quota, refund, reserve, reserveUpTo } from '../../kit/quota.ts'
import type { Static } from '../../kit/schema.ts'
import { quotaThresholdReached } from './events.ts'

const quota: Quota = { name: 'maxLeadsPerMonth' }
const otherQuota: Quota = { name: 'maxFichasPerMonth' }
const thresholdReached = quotaThresholdReached([quota, otherQuota])
let database: Database
let workspace: TestWorkspace
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
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
/** Takes units, one reservation after another. */
const take = async (...counts: number[]) => {
  for (const count of counts) await inTest(tx => reserveUpTo(tx, quota, count))
}
const refundAll = (count: number) => inTest(tx => refund(tx, quota, Temporal.Now.instant(), count))

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

describe('a quota tells', () => {
  it('80 and 100 % once each, as they are reached', async () => {
    await setLimit(10)
    await take(7)
    expect(await listThresholds()).toEqual([])
    await take(1, 1)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10'])
    await take(1, 1)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10', '100 %: 10 of 10'])
  })

  it('its name, and the month that is counted', async () => {
    await setLimit(10, otherQuota)
    await inTest(tx => reserveUpTo(tx, otherQuota, 9))
    const { start, end } = await inTest(currentPeriod)
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

  it('both of one reservation that passes both, the lower one first, with what was granted', async () => {
    await setLimit(10)
    await take(25)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10'])
  })

  it.each([
    [1, 1],
    [6, 5],
    [7, 6],
    [2_147_483_647, 1_717_986_918],
  ])('the lower share of %i at %i, not before', async (limit, share) => {
    await setLimit(limit)
    if (share > 1) await take(share - 1)
    expect(await listThresholds()).toEqual([])
    await take(1)
    expect((await listThresholds())[0]).toBe(`80 %: ${share} of ${limit}`)
  })

  it('each once to those who take units at once', async () => {
    await setLimit(50)
    await Promise.all(Array.from({ length: 30 }, () => take(3)))
    // Three at a time: 80 % are 40.
    expect(await listThresholds()).toEqual(['80 %: 42 of 50', '100 %: 50 of 50'])
  })

  it('nothing again of units that are given back and taken once more', async () => {
    await setLimit(10)
    await take(10)
    await refundAll(9)
    await take(7, 2)
    await refundAll(4)
    await take(4)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10'])
  })

  it('all of the limit when it was given back before that was reached', async () => {
    await setLimit(10)
    await take(8)
    await refundAll(5)
    await take(5, 2)
    expect(await listThresholds()).toEqual(['80 %: 8 of 10', '100 %: 10 of 10'])
  })

  it('of the units that one transaction takes in turn', async () => {
    await setLimit(2)
    await inTest(async tx => {
      await reserve(tx, quota)
      await reserve(tx, quota)
    })
    expect(await listThresholds()).toEqual(['80 %: 2 of 2', '100 %: 2 of 2'])
  })

  it('nothing of a transaction that fails, and all of it when it is made again', async () => {
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

  it('nothing without a limit, nor with one of 0, and neither silences the next', async () => {
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

  it('of each month for itself', async () => {
    await setLimit(10)
    await take(10)
    await inTest(tx =>
      sql`update quota_usage set period_start = period_start - interval '31 days'`.execute(tx),
    )
    await take(8)
    expect(await listThresholds()).toEqual(['80 %: 10 of 10', '100 %: 10 of 10', '80 %: 8 of 10'])
  })

  it('of each quota for itself', async () => {
    await setLimit(10)
    await setLimit(10, otherQuota)
    await take(8)
    await inTest(tx => reserveUpTo(tx, otherQuota, 8))
    expect((await listThresholdEvents()).map(each => each.name)).toEqual([quota.name, otherQuota.name])
  })

  it('the environment that uses it, and no other', async () => {
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

  it('raised far, is told of anew at both of its shares', async () => {
    await setLimit(100)
    await take(69)
    expect(await listThresholds()).toEqual(ofTen)
    await take(1, 20)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 80 of 100', '100 %: 100 of 100'])
  })

  it('raised so little that 80 % stay used, is told of anew when all is used', async () => {
    await setLimit(12)
    await take(1)
    expect(await listThresholds()).toEqual(ofTen)
    await take(1)
    expect(await listThresholds()).toEqual([...ofTen, '100 %: 12 of 12'])
  })

  it('raised and lowered again, is not told of as before', async () => {
    await setLimit(100)
    await take(1)
    await setLimit(10)
    await refundAll(2)
    await take(1)
    expect(await listThresholds()).toEqual(ofTen)
  })

  it('lowered to less than is used, is told of as used up, though nothing is granted', async () => {
    await setLimit(100)
    await take(75)
    await setLimit(50)
    expect(await inTest(tx => reserveUpTo(tx, quota, 1))).toBe(0)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 85 of 100', '100 %: 85 of 50'])
  })

  it('set where there was none, is told of with the next unit', async () => {
    await liftLimit()
    await take(10)
    await setLimit(25)
    await take(1)
    expect(await listThresholds()).toEqual([...ofTen, '80 %: 21 of 25'])
  })
})

it('no statement more is sent than before a threshold, and two where it is reached: the turn to emit, and the event', async () => {
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
