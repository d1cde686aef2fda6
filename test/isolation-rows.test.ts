/** The rows that the service can reach inside and outside a tenant, tested with one row per table in four tenants. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/kit/db/index.ts'
import { makeDatabase } from './harness.ts'
import { makeWorkspace, type TestWorkspace } from './make.ts'
import { tenantRows, toInsert } from './tenant-rows.ts'

const tables = Object.keys(tenantRows)

let database: Database
let ours: TestWorkspace
let theirs: TestWorkspace
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  ours = await makeWorkspace(database)
  theirs = await makeWorkspace(database)
  for (const { testTenantId, liveTenantId } of [ours, theirs])
    for (const tenantId of [testTenantId, liveTenantId])
      await asService(tenantId, async client => {
        for (const table of tables) await client.query(toInsert(table))
        await client.query('commit; begin')
      })
})
afterAll(() => database.close())

/** Runs work in a transaction of the service, in a tenant or outside any. Rolls back unless the work commits. */
async function asService<T>(
  tenantId: string | null,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.ownerPool.connect()
  try {
    await client.query('begin; set local role aldaba_service')
    if (tenantId) await client.query('select aldaba.enter_tenant($1)', [tenantId])
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const inOurs = <T>(work: (client: pg.PoolClient) => Promise<T>) => asService(ours.testTenantId, work)
const refusedByPolicy = { code: '42501', message: expect.stringContaining('row-level security') }

it('has a row for every tenant table', async () => {
  const { rows: found } = await database.ownerPool.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
     where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'p')`,
  )
  expect(tables.toSorted()).toEqual(found.map(table => table.name).sort())
})

it('shows a tenant only the search documents of its leads, and none outside any tenant', async () => {
  for (const [index, tenantId] of [ours.testTenantId, ours.liveTenantId, theirs.testTenantId].entries()) {
    const { rows } = await asService(tenantId, async client => {
      await client.query(
        toInsert('lead_search', { lead_id: 'gen_random_uuid()', document: `'marta ${index}'` }),
      )
      return client.query(`select document::text from aldaba.lead_documents order by 1`)
    })
    expect(rows).toEqual([{ document: `'${index}' 'marta'` }, { document: "'n'" }])
  }
  expect((await asService(null, client => client.query('select from aldaba.lead_documents'))).rows).toEqual(
    [],
  )
})

describe.each(tables)('%s', table => {
  it('shows a tenant only its own row of the four', async () => {
    for (const tenantId of [ours.testTenantId, ours.liveTenantId, theirs.testTenantId, theirs.liveTenantId]) {
      const { rows } = await asService(tenantId, client =>
        client.query(`select tenant_id from aldaba.${table}`),
      )
      expect(rows).toEqual([{ tenant_id: tenantId }])
    }
  })

  it('shows nothing outside any tenant', async () => {
    const { rows } = await asService(null, client => client.query(`select from aldaba.${table}`))
    expect(rows).toEqual([])
  })

  it('accepts no row outside any tenant, with any tenant id', async () => {
    await expect(asService(null, client => client.query(toInsert(table)))).rejects.toMatchObject(
      refusedByPolicy,
    )
    const claiming = toInsert(table, { tenant_id: `'${ours.testTenantId}'` })
    await expect(asService(null, client => client.query(claiming))).rejects.toMatchObject(refusedByPolicy)
  })

  it.each(['live environment', 'other workspace'])('accepts no row for the %s', async which => {
    const tenantId = which === 'live environment' ? ours.liveTenantId : theirs.testTenantId
    const claiming = toInsert(table, { tenant_id: `'${tenantId}'` })
    await expect(inOurs(client => client.query(claiming))).rejects.toMatchObject(refusedByPolicy)
    const giving = `update aldaba.${table} set tenant_id = '${tenantId}'`
    await expect(inOurs(client => client.query(giving))).rejects.toMatchObject(refusedByPolicy)
  })

  it('changes and deletes no row of another tenant, even by its id', async () => {
    const foreign = `tenant_id = '${theirs.testTenantId}'`
    await inOurs(async client => {
      const column = Object.keys(tenantRows[table]!)[0]
      const update = await client.query(`update aldaba.${table} set ${column} = ${column} where ${foreign}`)
      const deletion = await client.query(`delete from aldaba.${table} where ${foreign}`)
      expect([update.rowCount, deletion.rowCount]).toEqual([0, 0])
    })
  })
})

it('shows a tenant its own workspace, with both environments and its people, and no other', async () => {
  const count = (table: string) =>
    inOurs(async client => (await client.query(`select from aldaba.${table}`)).rowCount)
  expect([await count('workspaces'), await count('tenants'), await count('users')]).toEqual([1, 2, 1])
  const outside = (table: string) =>
    asService(null, async client => (await client.query(`select from aldaba.${table}`)).rowCount)
  expect([await outside('workspaces'), await outside('tenants'), await outside('users')]).toEqual([0, 0, 0])
})

it("refuses a row that refers to another tenant's", async () => {
  const onlyTheirs = '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f'
  await asService(theirs.testTenantId, async client => {
    for (const table of ['leads', 'events', 'extractions', 'imports', 'valuations', 'webhook_subscriptions'])
      await client.query(toInsert(table, { id: `'${onlyTheirs}'` }))
    await client.query('commit; begin')
  })
  const references: [table: string, column: string, other: Record<string, string>][] = [
    ['lead_sources', 'lead_id', { listing_id: "'2'" }],
    ['notes', 'lead_id', { id: 'gen_random_uuid()' }],
    ['lead_duplicates', 'lead_id', { other_lead_id: "'ffffffff-ffff-7fff-bfff-ffffffffffff'" }],
    ['extractions', 'resumed_from', { id: 'gen_random_uuid()' }],
    ['extraction_listings', 'extraction_id', { listing_id: "'2'" }],
    ['extraction_listings', 'lead_id', { listing_id: "'2'" }],
    ...['import_chunks', 'import_rows', 'import_changes', 'import_fingerprints', 'import_dry_run_rows'].map(
      (table): [string, string, Record<string, string>] => [table, 'import_id', {}],
    ),
    ['import_rows', 'lead_id', { number: '3' }],
    ['import_changes', 'lead_id', { number: '3' }],
    ['event_retries', 'name', {}],
    ['webhook_deliveries', 'subscription_id', { id: 'gen_random_uuid()' }],
    ['webhook_deliveries', 'event_id', { id: 'gen_random_uuid()' }],
  ]
  for (const [table, column, other] of references) {
    const referring = toInsert(table, { ...other, [column]: `'${onlyTheirs}'` })
    await expect(
      inOurs(client => client.query(referring)),
      `${table}.${column}`,
    ).rejects.toMatchObject({ code: '23503' })
  }
})

it('hides tenant rows from the owner too, except in tables of its lookup functions', async () => {
  const lookedUp = [
    'blob_references',
    'blob_removals',
    'accounts',
    'api_keys',
    'key_hashes',
    'key_uses',
    'ai_conversations',
    'campaigns',
    'clocks',
    'event_retries',
    'event_sequences',
    'event_subscribers',
    'events',
    'conversations',
    'extractions',
    'campaign_runs',
    'campaign_searches',
    'fichas',
    'slot_holds',
    'travel_times',
    'appointments',
    'appointment_notices',
    'calendars',
    'calendar_writes',
    'ad_connections',
    'ad_leads',
    'inbound_bodies',
    'inbox_changes',
    'imports',
    'lead_operations',
    'lead_search',
    'message_files',
    'message_search',
    'message_tasks',
    'messages',
    'share_tokens',
    'webhook_subscriptions',
    'webhook_deliveries',
  ]
  for (const table of tables.filter(name => !lookedUp.includes(name)))
    expect((await database.ownerPool.query(`select from aldaba.${table}`)).rowCount, table).toBe(0)
})
