/** Transactions of a tenant: all or nothing, retried after a deadlock or a broken connection, if that is safe. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliberate } from '../../../test/deadlocks.ts'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { getTenantId } from './context.ts'
import { type Database, openDatabase, type Tx } from './index.ts'

let database: Database
let tenants: string[]
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), {
    poolMax: 4,
    identifierKey: testIdentifierKey,
    onError: () => {},
  })
  const { testTenantId, liveTenantId } = await makeWorkspace(database)
  tenants = [testTenantId, liveTenantId]
})
afterAll(() => database.close())

describe('withTenant', () => {
  const readLimits = (tx: Tx) =>
    tx.selectFrom('quota_limits').select(['name', 'monthly_limit as limit']).execute()
  const setLimit = (tx: Tx, name: string, limit: number) =>
    tx
      .insertInto('quota_limits')
      .values({ tenant_id: getTenantId(tx), name, monthly_limit: limit })
      .onConflict(conflict => conflict.columns(['tenant_id', 'name']).doUpdateSet({ monthly_limit: limit }))
      .execute()
  const inFirstTenant = <T>(work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ tenantId: tenants[0]! }, work)
  afterEach(() => inFirstTenant(tx => tx.deleteFrom('quota_limits').execute()))

  it('commits everything that its work wrote, or nothing', async () => {
    await inFirstTenant(async tx => {
      await setLimit(tx, 'a', 1)
      await setLimit(tx, 'b', 2)
    })
    const failing = inFirstTenant(async tx => {
      await setLimit(tx, 'a', 9)
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await inFirstTenant(readLimits)).toEqual([
      { name: 'a', limit: 1 },
      { name: 'b', limit: 2 },
    ])
  })

  it('sends statements in order, without waiting for earlier replies', async () => {
    const send = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => send.mockRestore())
    await inFirstTenant(async tx => {
      await sql`select 1`.execute(tx)
      send.mockClear()
      const both = Promise.all([setLimit(tx, 'a', 1), readLimits(tx)])
      const texts = send.mock.calls.map(([query]) => (query as unknown as { text: string }).text)
      expect(texts.map(text => text.slice(0, 6))).toEqual(['insert', 'select'])
      expect((await both)[1]).toEqual([{ name: 'a', limit: 1 }])
    })
  })

  it('rolls back the statements sent with a failing one, and throws its error', async () => {
    const failing = inFirstTenant(tx =>
      Promise.all([setLimit(tx, 'a', 1), sql`select nonsense`.execute(tx), setLimit(tx, 'b', 2)]),
    )
    await expect(failing).rejects.toThrow('column "nonsense" does not exist')
    expect(await inFirstTenant(readLimits)).toEqual([])
  })

  it('throws the error of the first failing statement, even if another one rejects earlier', async () => {
    const work = inFirstTenant(async tx => {
      const slow = async () => {
        await Promise.all([Promise.all([sql`select nonsense`.execute(tx)])])
      }
      await Promise.all([slow(), setLimit(tx, 'a', 1)])
    })
    await expect(work).rejects.toThrow('nonsense')
  })

  it('rejects statements sent after its end', async () => {
    const late = await inFirstTenant(async tx => ({ send: () => readLimits(tx) }))
    await expect(late.send()).rejects.toThrow('Transaction is already committed')
  })

  it('throws if its work swallowed a database error, because nothing was committed', async () => {
    const swallowing = inFirstTenant(async tx => {
      await setLimit(tx, 'a', 1)
      await sql`select nonsense`.execute(tx).catch(() => {})
    })
    await expect(swallowing).rejects.toThrow('rolled back instead of committed')
    expect(await inFirstTenant(readLimits)).toEqual([])
  })

  it('retries after a deadlock until both transactions are committed', async () => {
    await inFirstTenant(async tx => {
      await setLimit(tx, 'a', 0)
      await setLimit(tx, 'b', 0)
    })
    const add = (tx: Tx, name: string) =>
      sql`update quota_limits set monthly_limit = monthly_limit + 1 where name = ${name} ${sql.raw(deliberate)}`.execute(
        tx,
      )
    let runs = 0
    let arrived = 0
    const bothArrived = Promise.withResolvers<void>()
    const crossing = (one: string, other: string) =>
      inFirstTenant(async tx => {
        runs++
        await add(tx, one)
        if (++arrived >= 2) bothArrived.resolve()
        await bothArrived.promise
        await add(tx, other)
      })
    await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
    // Two runs, and one more for each deadlock.
    expect(runs).toBeGreaterThan(2)
    expect(await inFirstTenant(readLimits)).toEqual([
      { name: 'a', limit: 2 },
      { name: 'b', limit: 2 },
    ])
  })

  it('gives up after four attempts', async () => {
    let runs = 0
    const failing = inFirstTenant(async () => {
      runs++
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    })
    await expect(failing).rejects.toThrow('deadlock detected')
    expect(runs).toBe(4)
  })
})
