/** The number of queued and running operations of a tenant is limited. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Search, toExtractionBody } from '../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { sendFile } from '../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../db/index.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  // This process takes no jobs.
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

/** Copies the first row `times` times, as further requests would create it. */
async function copyFirstRow(table: string, times: number): Promise<void> {
  await tenant.inTenant(tx =>
    sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(null::${sql.table(table)}, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid()))).*
      from (select * from ${sql.table(table)} limit 1) t, generate_series(1, ${times})`.execute(tx),
  )
}

const endOne = (table: string) =>
  tenant.inTenant(tx =>
    sql`
      update ${sql.table(table)} set status = 'COMPLETED' where id = (select id from ${sql.table(table)} limit 1)`.execute(
      tx,
    ),
  )

const countRows = async (table: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(tx),
  )
  return rows[0]!.count
}

async function makeManyLeads(): Promise<void> {
  const leads = Array.from({ length: 101 }, (_, n) => ({
    contact: { name: `Ana ${n}` },
    property: { title: 'Piso' },
  }))
  const { status } = await tenant.call('POST', '/leads/batch', { body: { leads } })
  expect(status).toBe(200)
}

const search: Search = { operation: 'sale', propertyType: 'homes', city: 'cordoba' }
const kinds = [
  {
    table: 'extractions',
    max: 200,
    start: () => tenant.call('POST', '/extractions', { body: toExtractionBody(search) }),
  },
  {
    table: 'imports',
    max: 50,
    start: () => sendFile(tenant, 'Nombre,Email\nAna,ana@example.com'),
  },
  {
    table: 'lead_operations',
    max: 100,
    prepare: makeManyLeads,
    start: () => tenant.call('DELETE', '/leads', { body: { filter: { q: 'Ana' }, erase: true } }),
  },
]

test.each(kinds)('$table: $max at once', async ({ table, max, prepare, start }) => {
  await prepare?.()
  expect((await start()).status).toBeLessThan(300)
  await copyFirstRow(table, max - 2)
  expect((await start()).status).toBeLessThan(300)
  const refused = await start()
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({
    code: 'TOO_MANY_JOBS',
    message: expect.stringMatching(new RegExp(`^${max} .+ of this environment are queued or running\\.`)),
  })
  expect(refused.headers.get('retry-after')).toBe('30')
  // A refused request stores nothing.
  expect(await countRows(table)).toBe(max)

  await endOne(table)
  expect((await start()).status).toBeLessThan(300)
})

test('the work of other tenants does not count', async () => {
  expect((await kinds[0]!.start()).status).toBe(202)
  await copyFirstRow('extractions', 199)
  expect((await kinds[0]!.start()).status).toBe(429)
  tenant = await makeTenant(app)
  expect((await kinds[0]!.start()).status).toBe(202)
})
