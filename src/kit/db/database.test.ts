/**
 * Transactions and reads of tenants: isolated on shared connections, rejected with an invalid key, retried if useful.
 */

import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { makeKey, makeLeads, makeWorkspace } from '../../../test/make.ts'
import { hashKeyValue } from '../key.ts'
import { type Database, isKeyNotValid, openDatabase, type Tenant, type Tx } from './index.ts'
import { customPlan, fixedPlan } from './plans.ts'

let url: string
let database: Database
let tenants: string[]
beforeAll(async () => {
  // Few connections, so that tenants share each of them.
  url = await makeDatabase()
  database = openDatabase(url, { poolMax: 4, identifierKey: testIdentifierKey, onError: () => {} })
  const workspaces = [await makeWorkspace(database), await makeWorkspace(database)]
  tenants = workspaces.flatMap(workspace => [workspace.testTenantId, workspace.liveTenantId])
  for (const tenantId of tenants) await makeLeads(database, tenantId, [{ title: tenantId }])
})
afterAll(() => database.close())

/** Both methods to work in a tenant. */
const methods: [name: 'withTenant' | 'readTenant'][] = [['withTenant'], ['readTenant']]
const readTitles = (tx: Tx) => tx.selectFrom('leads').select(['tenant_id', 'title']).execute()
type Setting = { tenant: string | null }
const currentTenant = sql<Setting>`select current_setting('aldaba.tenant_id', true) as tenant`

async function makeCaller(): Promise<Required<Omit<Tenant, 'signal'>>> {
  const { slug } = await makeWorkspace(database)
  const holder = await database.findApiKey(hashKeyValue(await makeKey(database, { workspace: slug })))
  return { tenantId: holder!.tenantId, workspaceId: holder!.workspaceId, keyId: holder!.id }
}

const revoke = (keyId: string) =>
  database.owner.updateTable('api_keys').set({ revoked_at: new Date() }).where('id', '=', keyId).execute()

describe.each(methods)('%s', method => {
  it('sees only the rows of its tenant when tenants share connections', async () => {
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const tenantId = tenants[i % tenants.length]!
        return { tenantId, rows: await database[method]({ tenantId }, readTitles) }
      }),
    )
    for (const { tenantId, rows } of seen) expect(rows).toEqual([{ tenant_id: tenantId, title: tenantId }])
  })

  it('has the same tenant in every statement', async () => {
    const [tenantId] = tenants
    const seen = await database[method]({ tenantId: tenantId! }, async tx => {
      const sequential = [await currentTenant.execute(tx), await currentTenant.execute(tx)]
      const concurrent = await Promise.all([
        currentTenant.execute(tx),
        readTitles(tx),
        currentTenant.execute(tx),
      ])
      return [...sequential, concurrent[0], concurrent[2]].map(({ rows }) => rows[0]?.tenant)
    })
    expect(seen).toEqual(Array(4).fill(tenantId))
  })

  it('isolates tenants even when statements fail in between', async () => {
    const [ours, theirs] = tenants as [string, string]
    const revoked = await makeCaller()
    await revoke(revoked.keyId)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => {
        if (i % 4 === 0) return database[method](revoked, readTitles)
        if (i % 4 === 1) return database[method]({ tenantId: ours }, tx => sql`select 1 / 0 as n`.execute(tx))
        if (i % 4 === 2) return database[method]({ tenantId: ours }, tx => sql`select nonsense`.execute(tx))
        return database[method]({ tenantId: theirs }, readTitles)
      }),
    )
    for (const [i, outcome] of outcomes.entries()) {
      if (i % 4 === 3) expect(outcome).toMatchObject({ value: [{ tenant_id: theirs }] })
      else expect(outcome).toMatchObject({ reason: { code: ['AL401', '22012', '42703'][i % 4] } })
    }
  })

  it('leaves no tenant behind on its connections', async () => {
    for (const tenantId of tenants) await database[method]({ tenantId }, readTitles)
    const { rows } = await currentTenant.execute(database.unscoped)
    expect(rows[0]?.tenant || null).toBeNull()
    expect(await database.unscoped.selectFrom('leads').select('id').execute()).toEqual([])
  })

  it('rejects a key that is revoked, expired, unknown or of another tenant, with a recognisable error', async () => {
    const [revoked, expired, foreign, unknown] = await Promise.all([1, 2, 3, 4].map(makeCaller))
    await revoke(revoked!.keyId)
    await database.owner
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired!.keyId)
      .execute()
    foreign!.tenantId = tenants[0]!
    unknown!.keyId = randomUUID()
    for (const caller of [revoked!, expired!, foreign!, unknown!]) {
      // With a statement, without one, and with one that fails by itself.
      for (const work of [readTitles, async () => 'nothing', (tx: Tx) => sql`select nonsense`.execute(tx)]) {
        const error = await database[method](caller, work as typeof readTitles).catch(error => error)
        expect(isKeyNotValid(error)).toBe(true)
      }
    }
  })

  it('works with a key that is valid', async () => {
    expect(await database[method](await makeCaller(), readTitles)).toEqual([])
  })

  it('rejects a tenant that does not exist', async () => {
    const reading = database[method]({ tenantId: randomUUID() }, readTitles)
    await expect(reading).rejects.toMatchObject({ code: 'AL404' })
  })

  it('rethrows the error of its work', async () => {
    const failing = database[method]({ tenantId: tenants[0]! }, async () => {
      throw new Error('no listing')
    })
    await expect(failing).rejects.toThrow('no listing')
  })

  it('releases every connection', async () => {
    for (let i = 0; i < 20; i++) {
      const failing = database[method]({ tenantId: tenants[0]! }, tx => sql`select nonsense`.execute(tx))
      await failing.catch(() => {})
      await database[method]({ tenantId: tenants[0]! }, async () => {})
    }
    expect(await database[method]({ tenantId: tenants[1]! }, readTitles)).toHaveLength(1)
  })
})

describe('readTenant', () => {
  it('cannot write', async () => {
    for (const statement of [
      sql`insert into quota_limits (tenant_id, name, monthly_limit) values (${tenants[0]!}, 'x', 1)`,
      sql`update leads set title = 'x'`,
      sql`delete from leads`,
      sql`select aldaba.enqueue('x', '{}', now(), null, null, null)`,
    ]) {
      const failing = database.readTenant({ tenantId: tenants[0]! }, tx => statement.execute(tx))
      await expect(failing).rejects.toMatchObject({ code: '25006' })
    }
    expect(await database.readTenant({ tenantId: tenants[0]! }, readTitles)).toEqual([
      { tenant_id: tenants[0], title: tenants[0] },
    ])
  })

  it('returns numbers, dates, nulls and arrays', async () => {
    const { rows } = await database.readTenant({ tenantId: tenants[0]! }, tx =>
      sql`select 12345678901::int8 as big, 1.50::numeric as price, now() as at, null::text as absent, '{a,b}'::text[] as list`.execute(
        tx,
      ),
    )
    expect(rows).toEqual([
      { big: 12_345_678_901, price: 1.5, at: expect.any(Date), absent: null, list: ['a', 'b'] },
    ])
  })

  it('uses generic plans, except for statements marked with customPlan', async () => {
    const mode = sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`
    const withList = sql<{ mode: string }>`${mode} where 1 = any(${[1]}::int[])`
    const replanned = sql<{ mode: string }>`${sql.raw(customPlan)} ${mode}`
    const tenant = { tenantId: tenants[0]! }
    const readPlanMode = async (statement: RawBuilder<{ mode: string }>) =>
      (await database.readTenant(tenant, tx => statement.execute(tx))).rows[0]!.mode
    expect(await readPlanMode(mode)).toBe('force_generic_plan')
    expect(await readPlanMode(withList)).toBe('force_generic_plan')
    expect(await readPlanMode(replanned)).toBe('auto')
    const written = await database.withTenant(tenant, tx => mode.execute(tx))
    expect(written.rows[0]!.mode).toBe('force_generic_plan')
  })

  it('prepares statements with a fixed plan once per connection, also when it writes', async () => {
    const tenant = { tenantId: tenants[0]! }
    const fixed = sql<{ n: number }>`${fixedPlan} select cardinality(${[1, 2]}::int[]) as n`
    const plain = sql<{ n: number }>`select cardinality(${[1, 2]}::int[]) + 1 as n`
    const listPrepared = async (tx: Tx) =>
      (
        await sql<{ statement: string }>`
          select statement from pg_prepared_statements where statement like '%cardinality(%'`.execute(tx)
      ).rows.map(({ statement }) => statement)
    const prepared = await database.withTenant(tenant, async tx => {
      for (const statement of [fixed, fixed, plain]) await statement.execute(tx)
      return listPrepared(tx)
    })
    expect(prepared).toEqual([expect.stringContaining('/* fixed plan */')])
  })

  it('reports the first error of a transaction, also if it refused to prepare a statement after it', async () => {
    const failing = sql`select 1 / ${0}::int`
    const fixed = sql`${fixedPlan} select ${'after a failure'}::text as text`
    const failed = await database
      .withTenant({ tenantId: tenants[0]! }, async tx => {
        const sent = [failing, fixed, fixed].map(statement => statement.execute(tx))
        const reasons = (await Promise.allSettled(sent)).map(
          result => 'reason' in result && result.reason.message,
        )
        throw new Error(reasons.join(', '))
      })
      .catch((error: Error) => error.message)
    expect(failed).toBe('division by zero, division by zero, division by zero')
    const { rows } = await database.withTenant({ tenantId: tenants[0]! }, tx => fixed.execute(tx))
    expect(rows).toEqual([{ text: 'after a failure' }])
  })

  it('returns many rows, and none', async () => {
    const read = (count: number) =>
      database.readTenant({ tenantId: tenants[0]! }, tx =>
        sql<{ n: number }>`select n from generate_series(1, ${count}::int) n`.execute(tx),
      )
    expect((await read(5000)).rows.map(row => row.n)).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1))
    expect((await read(0)).rows).toEqual([])
  })
})
