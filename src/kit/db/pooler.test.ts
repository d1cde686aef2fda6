/** The database behind a pooler that may use another server connection for each transaction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toDatabaseUrls } from '../../../test/database.ts'
import { makeDatabase, testIdentifierKey } from '../../../test/harness.ts'
import { makeKey, makeLeads, makeWorkspace } from '../../../test/make.ts'
import { hashKeyValue } from '../key.ts'
import { type Database, isKeyNotValid, openDatabase, sql, type Tx } from './index.ts'

let url: string
let database: Database
/** The same database without a pooler. */
let direct: Database
let tenantId: string
let slug: string
beforeAll(async () => {
  url = await makeDatabase()
  database = openPooled()
  direct = openDatabase(url, { identifierKey: testIdentifierKey, onError: () => {} })
  const workspace = await makeWorkspace(direct)
  tenantId = workspace.testTenantId
  slug = workspace.slug
  await makeLeads(direct, tenantId, [{ title: 'one' }])
})
afterAll(() => Promise.all([database.close(), direct.close()]))

/** Opens the database. Without a pooler, two different URLs of the server make the program assume a pooler. */
function openPooled(): Database {
  const addresses = toDatabaseUrls(url)
  const other = new URL(url)
  other.searchParams.set('application_name', 'direct')
  return openDatabase(addresses.databaseUrl, {
    directUrl: addresses.directUrl ?? other.href,
    identifierKey: testIdentifierKey,
    onError: () => {},
  })
}

const methods = ['withTenant', 'readTenant'] as const
const settings = sql<Record<string, string>>`
  select current_user::text as role, current_setting('search_path') as path, current_setting('timezone') as zone,
    current_setting('statement_timeout') as timeout, current_setting('transaction_read_only') as "readOnly",
    (select count(*) from pg_prepared_statements) as prepared`
const ownSettings = { path: expect.stringMatching(/^"?aldaba"?, ?"?public"?$/), zone: 'UTC', prepared: 0 }
const serviceRole = { ...ownSettings, role: 'aldaba_service', timeout: '30s' }
const read = (tx: Tx) => sql`select 1`.execute(tx)

describe('role and settings', () => {
  it('belong to each transaction, not to a connection', async () => {
    const readAll = async () => ({
      withTenant: (await database.withTenant({ tenantId }, tx => settings.execute(tx))).rows[0],
      readTenant: (await database.readTenant({ tenantId }, tx => settings.execute(tx))).rows[0],
      unscoped: (await settings.execute(database.unscoped)).rows[0],
      owner: (await settings.execute(database.owner)).rows[0],
      ownerTransaction: (await database.owner.transaction().execute(tx => settings.execute(tx))).rows[0],
      bare: (await database.ownerPool.query('select current_user::text as role')).rows[0],
    })
    for (let round = 0; round < 3; round++)
      expect(await readAll()).toEqual({
        withTenant: { ...serviceRole, readOnly: 'off' },
        readTenant: { ...serviceRole, readOnly: 'on' },
        unscoped: { ...serviceRole, readOnly: 'off' },
        owner: { ...ownSettings, role: 'aldaba', timeout: '0', readOnly: 'off' },
        ownerTransaction: { ...ownSettings, role: 'aldaba', timeout: '0', readOnly: 'off' },
        bare: { role: 'aldaba' },
      })
  })

  it('leave nothing behind for the next user of the connection', async () => {
    for (const method of methods) {
      await Promise.all(Array.from({ length: 8 }, () => database[method]({ tenantId }, read)))
      const { rows } = await sql<{ tenant: string | null; readOnly: string }>`
        select nullif(current_setting('aldaba.tenant_id', true), '') as tenant,
          current_setting('transaction_read_only') as "readOnly"`.execute(database.unscoped)
      expect(rows).toEqual([{ tenant: null, readOnly: 'off' }])
    }
  })

  it('enforce row level security, revoked keys and read-only mode as without a pooler', async () => {
    const { testTenantId: other } = await makeWorkspace(direct)
    for (const method of methods) {
      const readTitles = (tx: Tx) => tx.selectFrom('leads').select('title').execute()
      expect(await database[method]({ tenantId }, readTitles)).toEqual([{ title: 'one' }])
      expect(await database[method]({ tenantId: other }, readTitles)).toEqual([])
    }
    const key = await makeKey(direct, { workspace: slug })
    const { id, workspaceId } = (await database.findApiKey(hashKeyValue(key)))!
    const caller = { tenantId, workspaceId, keyId: id }
    await database.readTenant(caller, read)
    await sql`update api_keys set revoked_at = now() where id = ${id}`.execute(database.owner)
    for (const method of methods) {
      const error = await database[method](caller, read).catch(error => error)
      expect(isKeyNotValid(error)).toBe(true)
    }
    const writing = database.readTenant({ tenantId }, tx => sql`update leads set title = 'x'`.execute(tx))
    await expect(writing).rejects.toMatchObject({ code: '25006' })
  })
})
