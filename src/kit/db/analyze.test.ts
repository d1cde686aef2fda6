/** What the planner knows: kept up to date for tables that grow quickly, and for those alone. */
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
  // Autovacuum may come at any moment: it is not what is tested.
  await sql`alter table events set (autovacuum_enabled = false)`.execute(database.owner)
})
afterAll(() => database.close())

const fill = (count: number) =>
  database.withTenant({ tenantId }, tx =>
    sql`
      insert into events (tenant_id, id, type, data, object_id, sequence, created_at)
      select ${tenantId}, gen_random_uuid(), 'lead.created', '{}', gen_random_uuid(), 1, now() from generate_series(1, ${count}::int)`.execute(
      tx,
    ),
  )

/** Rows that the planner takes the table for; -1: it does not know. */
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

it('leaves a table alone that has hardly grown, and analyzes it once it has, as often as it grows fourfold', async () => {
  await fill(500)
  // Counted a second later: what was counted too late would be analyzed by then.
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await analyzeAndRead()).toBe(-1)
  await fill(600)
  await eventually(analyzeAndRead, plannerRows => plannerRows === 1100)
  await fill(1000)
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await analyzeAndRead()).toBe(1100)
  await fill(4000)
  await eventually(analyzeAndRead, plannerRows => plannerRows === 6100)
})

it('can be asked for by several at once', async () => {
  await fill(20_000)
  const analyzeConcurrently = async () => {
    await Promise.all(Array.from({ length: 4 }, () => analyzeGrownTables(database)))
    return readPlannerRows()
  }
  await eventually(analyzeConcurrently, plannerRows => plannerRows === 26_100)
})

it('does not wait for somebody who is at the table, and is done when asked again', async () => {
  await fill(80_000)
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
