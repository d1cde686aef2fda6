/** The planner's statistics are updated for tables that grow quickly, and only for those. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { analyzeGrownTables } from './analyze.ts'
import { type Database, openDatabase } from './index.ts'

let database: Database
let tenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { poolMax: 2, onError: () => {} })
  tenantId = (await makeWorkspace(database)).testTenantId
  // Autovacuum would interfere at random.
  await sql`alter table events set (autovacuum_enabled = false)`.execute(database.owner)
})
afterAll(() => database.close())

/** PostgreSQL counts the rows when the transaction ends, in place of a second later. */
const insertEvents = (count: number) =>
  database.withTenant({ tenantId }, async tx => {
    await sql`
      insert into events (tenant_id, id, type, data, object_id, sequence, created_at)
      select ${tenantId}, gen_random_uuid(), 'lead.created', '{}', gen_random_uuid(), 1, now() from generate_series(1, ${count}::int)`.execute(
      tx,
    )
    await sql`select pg_stat_force_next_flush()`.execute(tx)
  })

/** Returns the planner's estimate of the rows; -1: unknown. */
async function readPlannerRows(): Promise<number> {
  const { rows } = await sql<{ plannerRows: number }>`
    select reltuples::int as "plannerRows" from pg_class where oid = 'aldaba.events'::regclass`.execute(
    database.owner,
  )
  return rows[0]!.plannerRows
}

async function analyzeAndRead(): Promise<number> {
  await analyzeGrownTables(database)
  return readPlannerRows()
}

it('analyzes a table each time that it has grown fourfold, not before', async () => {
  await insertEvents(500)
  expect(await analyzeAndRead()).toBe(-1)
  await insertEvents(600)
  expect(await analyzeAndRead()).toBe(1100)
  await insertEvents(1000)
  expect(await analyzeAndRead()).toBe(1100)
  await insertEvents(4000)
  expect(await analyzeAndRead()).toBe(6100)
})

it('can be called concurrently', async () => {
  await insertEvents(20_000)
  await Promise.all(Array.from({ length: 4 }, () => analyzeGrownTables(database)))
  expect(await readPlannerRows()).toBe(26_100)
})

it('skips a locked table, and analyzes it on a later call', async () => {
  await insertEvents(80_000)
  await database.owner.transaction().execute(async tx => {
    await sql`lock table events in share update exclusive mode`.execute(tx)
    expect(await analyzeAndRead()).toBe(26_100)
  })
  expect(await analyzeAndRead()).toBe(106_100)
})
