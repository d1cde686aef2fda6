/** Connection pools: their settings, and their behaviour when the server closes or rejects connections. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { makeKey, makeLeads, makeWorkspace } from '../../../test/make.ts'
import { hashKeyValue } from '../key.ts'
import { type Database, isDatabaseUnavailable, openDatabase, type Tx } from './index.ts'

let url: string
let database: Database
let tenants: string[]
beforeAll(async () => {
  url = await makeDatabase()
  database = openDatabase(url, { poolMax: 4, identifierKey: testIdentifierKey, onError: () => {} })
  const { testTenantId, liveTenantId } = await makeWorkspace(database)
  tenants = [testTenantId, liveTenantId]
  for (const tenantId of tenants) await makeLeads(database, tenantId, [{ title: tenantId }])
})
afterAll(() => database.close())

const methods: [name: 'withTenant' | 'readTenant'][] = [['withTenant'], ['readTenant']]
const readTitles = (tx: Tx) => tx.selectFrom('leads').select(['tenant_id', 'title']).execute()

// PgBouncer rejects such settings.
it.skipIf(process.env.TEST_POOLER)(
  "keeps the operator's settings, but overrides those that conflict with ours",
  async () => {
    const address = new URL(url)
    address.searchParams.set(
      'options',
      '-c work_mem=7MB -c role=aldaba -c search_path=public -c default_transaction_read_only=off',
    )
    const own = openDatabase(address.href, { onError: () => {} })
    for (const [method] of methods) {
      const { rows } = await own[method]({ tenantId: tenants[0]! }, tx =>
        sql`select current_user::text as role, current_setting('work_mem') as memory, current_setting('search_path') as path,
        current_setting('transaction_read_only') as "readOnly"`.execute(tx),
      )
      const readOnly = method === 'readTenant' ? 'on' : 'off'
      expect(rows).toEqual([{ role: 'aldaba_service', memory: '7MB', path: 'aldaba,public', readOnly }])
    }
    await own.close()
  },
)

it('distinguishes an unavailable database from other errors', async () => {
  const unreachable = openDatabase('postgres://aldaba:x@127.0.0.1:1/none', { onError: () => {} })
  const error = await unreachable.withTenant({ tenantId: randomUUID() }, readTitles).catch(error => error)
  expect(isDatabaseUnavailable(error)).toBe(true)
  const readError = await unreachable.readTenant({ tenantId: randomUUID() }, readTitles).catch(error => error)
  expect(isDatabaseUnavailable(readError)).toBe(true)
  await unreachable.close()
  for (const other of [new Error('x'), null, 'text', { code: '42P01' }, { code: '23505' }])
    expect(isDatabaseUnavailable(other)).toBe(false)
})

it('reconnects after the server has closed its connections, without an error for callers', async () => {
  const [tenantId] = tenants
  // Several connections of each pool, so that more than one is found broken.
  for (const [method] of methods) {
    await Promise.all(Array.from({ length: 4 }, () => database[method]({ tenantId: tenantId! }, readTitles)))
  }
  await database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  for (const [method] of methods)
    expect(await database[method]({ tenantId: tenantId! }, readTitles)).toHaveLength(1)
})

it('still finds keys after the server has closed its connections', async () => {
  const { slug, testTenantId } = await makeWorkspace(database)
  const hash = hashKeyValue(await makeKey(database, { workspace: slug }))
  await Promise.all(
    Array.from({ length: 4 }, () => database.withTenant({ tenantId: testTenantId }, readTitles)),
  )
  await database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  expect(await database.findApiKey(hash)).toMatchObject({ tenantId: testTenantId })
})

describe('keys', () => {
  it('looked up concurrently each return their own holder, and unknown ones none', async () => {
    const workspaces = await Promise.all([makeWorkspace(database), makeWorkspace(database)])
    const keys = await Promise.all(workspaces.map(({ slug }) => makeKey(database, { workspace: slug })))
    const requestedKeys = Array.from({ length: 300 }, (_, n) => keys[n % 3] ?? `unknown ${n}`)
    const found = await Promise.all(requestedKeys.map(key => database.findApiKey(hashKeyValue(key))))
    const expected = requestedKeys.map((_, n) => workspaces[n % 3]?.testTenantId)
    expect(found.map(holder => holder?.tenantId)).toEqual(expected)
  })
})

it('keeps a connection free for another tenant', async () => {
  const own = openDatabase(url, { onError: () => {} })
  const [tenantId, nextId] = tenants as [string, string]
  const holder = await own.ownerPool.connect()
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock(7)')
  const wait = (tx: Tx) => sql`select pg_advisory_xact_lock_shared(7)`.execute(tx)
  const blocked = methods.flatMap(([method]) =>
    Array.from({ length: 5 }, () => own[method]({ tenantId }, wait)),
  )
  try {
    const waiting = sql<{ count: number }>`
      select count(*) from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
    await eventually(
      async () => (await waiting.execute(own.owner)).rows[0]!.count,
      count => count === 7,
    )
    for (const [method] of methods)
      expect(await own[method]({ tenantId: nextId }, readTitles)).toHaveLength(1)
  } finally {
    await holder.query('rollback')
    holder.release()
    await Promise.all(blocked)
    await own.close()
  }
})

it('keeps a few connections open', async () => {
  const own = openDatabase(url, { onError: () => {} })
  const countOpen = async () => {
    const { rows } = await own.ownerPool.query<{ count: number }>(
      'select count(*) from pg_stat_activity where datname = current_database()',
    )
    return rows[0]!.count
  }
  try {
    const before = await countOpen()
    await own.warmUpConnections()
    expect((await countOpen()) - before).toBe(6)
  } finally {
    await own.close()
  }
})

it.skipIf(process.env.TEST_POOLER)(
  'releases the opened connections if others could not be opened',
  async () => {
    const ownUrl = await makeDatabase()
    const own = openDatabase(ownUrl, { onError: () => {} })
    const limit = (connections: number) =>
      database.ownerPool.query(
        `alter database ${new URL(ownUrl).pathname.slice(1)} connection limit ${connections}`,
      )
    await limit(3)
    await expect(own.warmUpConnections()).rejects.toThrow('too many connections')
    await limit(-1)
    await own.close()
  },
)
