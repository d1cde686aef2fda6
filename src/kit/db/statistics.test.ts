/** What the planner knows: kept up to date for tables that grow quickly, and for those alone. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase } from './index.ts'
import { keepStatistics } from './statistics.ts'

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
async function knownRows(): Promise<number> {
  const { rows } = await sql<{ known: number }>`
    select reltuples::int as known from pg_class where oid = 'aldaba.events'::regclass`.execute(
    database.owner,
  )
  return rows[0]!.known
}

async function keptRows(): Promise<number> {
  await keepStatistics(database)
  return knownRows()
}

it('leaves a table alone that has hardly grown, and analyzes it once it has, as often as it grows fourfold', async () => {
  await fill(500)
  // Counted a second later: what was counted too late would be analyzed by then.
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await keptRows()).toBe(-1)
  await fill(600)
  await eventually(keptRows, known => known === 1100)
  await fill(1000)
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(await keptRows()).toBe(1100)
  await fill(4000)
  await eventually(keptRows, known => known === 6100)
})

it('can be asked for by several at once', async () => {
  await fill(20_000)
  const askTogether = async () => {
    await Promise.all(Array.from({ length: 4 }, () => keepStatistics(database)))
    return knownRows()
  }
  await eventually(askTogether, known => known === 26_100)
})

it('does not wait for somebody who is at the table, and is done when asked again', async () => {
  await fill(80_000)
  await database.owner.transaction().execute(async tx => {
    await sql`lock table events in share update exclusive mode`.execute(tx)
    for (let asked = 0; asked < 15; asked++) {
      await keepStatistics(database)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(await knownRows()).toBe(26_100)
  })
  await eventually(keptRows, known => known === 106_100)
})
