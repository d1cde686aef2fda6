/** The database role of the service: its attributes and limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/kit/db/index.ts'
import { makeDatabase } from './harness.ts'
import { makeWorkspace, type TestWorkspace } from './make.ts'

let database: Database
let workspace: TestWorkspace
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  workspace = await makeWorkspace(database)
})
afterAll(() => database.close())

async function queryRows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await database.ownerPool.query(sql, values)).rows
}

describe("the service's role", () => {
  it('is no superuser, cannot bypass policies or log in, and is a member of no role', async () => {
    expect(
      await queryRows(
        `select rolsuper as superuser, rolbypassrls as bypass, rolcanlogin as login, rolcreaterole as "createRole", rolcreatedb as "createDb",
           (select count(*) from pg_auth_members where member = r.oid) as memberships
         from pg_roles r where rolname = 'aldaba_service'`,
      ),
    ).toEqual([
      { superuser: false, bypass: false, login: false, createRole: false, createDb: false, memberships: 0 },
    ])
  })

  it('owns nothing', async () => {
    expect(
      await queryRows(
        `select classid::regclass, objid from pg_shdepend where refobjid = 'aldaba_service'::regrole and deptype = 'o'`,
      ),
    ).toEqual([])
  })

  it('is the role of all queries', async () => {
    const { rows } = await database.withTenant({ tenantId: workspace.testTenantId }, tx =>
      tx.executeQuery({ sql: 'select current_user::text as name', parameters: [] } as never),
    )
    expect(rows).toEqual([{ name: 'aldaba_service' }])
    const read = await database.readTenant({ tenantId: workspace.testTenantId }, tx =>
      tx.executeQuery({ sql: 'select current_user::text as name', parameters: [] } as never),
    )
    expect(read.rows).toEqual([{ name: 'aldaba_service' }])
  })

  it.each([
    'create table aldaba.mine ()',
    'create function aldaba.mine() returns int language sql return 1',
    'alter table aldaba.leads disable row level security',
    'drop policy tenant_isolation on aldaba.leads',
    'truncate aldaba.leads cascade',
    'select * from aldaba.deployment_metadata',
    'select * from graphile_worker._private_jobs',
    "select graphile_worker.add_job('x')",
    "call aldaba.isolate_tenant_table('aldaba.leads')",
    'set row_security = off; select * from aldaba.leads',
  ])('may not: %s', async statement => {
    const client = await database.ownerPool.connect()
    try {
      await client.query(
        `begin; set local role aldaba_service; select aldaba.enter_tenant('${workspace.testTenantId}')`,
      )
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
