/** The planner's statistics are updated for tables that grow quickly, and only for those. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
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

const insertEvents = (count: number) =>
  database.withTenant({ tenantId }, tx =>
    sql`
      insert into events (tenant_id, id, type, data, object_id, sequence, created_at)
      select ${tenantId}, gen_random_uuid(), 'lead.created', '{}', gen_random_uuid(), 1, now() from generate_series(1, ${count}::int)`.execute(
      tx,
    ),
  )

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
  // PostgreSQL updates its counters with a delay of a second.
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await analyzeAndRead()).toBe(-1)
  await insertEvents(600)
  await eventually(analyzeAndRead, plannerRows => plannerRows === 1100)
  await insertEvents(1000)
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await analyzeAndRead()).toBe(1100)
  await insertEvents(4000)
  await eventually(analyzeAndRead, plannerRows => plannerRows === 6100)
})

it('can be called concurrently', async () => {
  await insertEvents(20_000)
  const analyzeConcurrently = async () => {
    await Promise.all(Array.from({ length: 4 }, () => analyzeGrownTables(database)))
    return readPlannerRows()
  }
  await eventually(analyzeConcurrently, plannerRows => plannerRows === 26_100)
})

it('skips a locked table, and analyzes it on a later call', async () => {
  await insertEvents(80_000)
  await database.owner.transaction().execute(async tx => {
    await sql`lock table events in share update exclusive mode`.execute(tx)
    for (let attempt = 0; attempt < 15; attempt++) {
      await analyzeGrownTables(database)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(await readPlannerRows()).toBe(26_100)
  })
  await eventually(analyzeAndRead, plannerRows => plannerRows === 106_100)
})
