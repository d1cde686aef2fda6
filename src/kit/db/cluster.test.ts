/** Reads on a Citus coordinator run in an explicit transaction. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { makeLeads, makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql, sqlState, type Tx } from './index.ts'

let clusterUrl: string
let singleUrl: string
let tenantId: string
beforeAll(async () => {
  clusterUrl = await makeDatabase()
  singleUrl = await makeDatabase()
  const client = new pg.Client(inject('superuserUrl'))
  await client.connect()
  const name = new URL(clusterUrl).pathname.slice(1)
  await client.query(`alter database ${name} set citus.propagate_set_commands = 'local'`)
  await client.end()
})

const addApplicationName = (url: string) => `${url}${url.includes('?') ? '&' : '?'}application_name=direct`
const readTitles = (tx: Tx) => tx.selectFrom('leads').select('title').execute()
/** Fails outside a transaction block. */
const createSavepoint = (tx: Tx) => sql`savepoint one`.execute(tx)

describe.each([['to the server'], ['through a pooler']])('a connection %s', route => {
  let database: Database
  beforeAll(async () => {
    const directUrl = route === 'to the server' ? clusterUrl : addApplicationName(clusterUrl)
    database = openDatabase(clusterUrl, {
      directUrl,
      poolMax: 1,
      identifierKey: testIdentifierKey,
      onError: () => {},
    })
    tenantId = (await makeWorkspace(database)).testTenantId
    await makeLeads(database, tenantId, [{ title: route }])
  })
  afterAll(() => database.close())

  it('reads in a transaction', async () => {
    expect(await database.readTenant({ tenantId }, readTitles)).toEqual([{ title: route }])
    await database.readTenant({ tenantId }, createSavepoint)
  })

  it('can be used again after a failed read', async () => {
    const failing = database.readTenant({ tenantId }, tx => sql`select 1 / 0`.execute(tx))
    await expect(failing).rejects.toThrow('division by zero')
    await expect(database.readTenant({ tenantId }, tx => sql`create table t ()`.execute(tx))).rejects.toThrow(
      'read-only',
    )
    expect(await database.readTenant({ tenantId }, readTitles)).toEqual([{ title: route }])
    const { rows } =
      await sql`select nullif(current_setting('aldaba.tenant_id', true), '') as tenant`.execute(
        database.unscoped,
      )
    expect(rows).toEqual([{ tenant: null }])
  })
})

it('a single server reads without an explicit transaction', async () => {
  const database = openDatabase(singleUrl, { onError: () => {} })
  const { testTenantId } = await makeWorkspace(database)
  const refused = await database.readTenant({ tenantId: testTenantId }, createSavepoint).catch(sqlState)
  expect(refused).toBe('25P01')
  await database.close()
})
