/** That a statement sent inside a tenant is seen, and that the test which sent it fails. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, sql } from '../../src/kit/db/index.ts'
import { tenantStatements } from '../../src/kit/db/statement-channel.ts'
import { makeDatabase } from '../harness.ts'
import { makeWorkspace } from '../make.ts'
import { refuseFaults, tryRowSecurity } from './watch.ts'

let database: Database
let tenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  tenantId = (await makeWorkspace(database)).testTenantId
})
afterAll(() => database.close())

it('a statement without the tenant fails its test, which names table and alias', async () => {
  await database.readTenant({ tenantId }, tx => sql`select s.views from shares s`.execute(tx))
  expect(refuseFaults).toThrow(
    /^shares s has no condition tenant_id = \$n.*\nselect s\.views from shares s\nsent from\n.*watch\.test\.ts/s,
  )
  expect(refuseFaults).not.toThrow()
})

it('what tries row security may leave it out', async () => {
  await tryRowSecurity(() =>
    database.withTenant({ tenantId }, tx => sql`select s.kind from shares s`.execute(tx)),
  )
  expect(refuseFaults).not.toThrow()
})

it('the texts that withTenant and readTenant send are published, and no others', async () => {
  const texts: string[] = []
  const listener = (message: unknown) => texts.push((message as { text: string }).text)
  tenantStatements.subscribe(listener)
  onTestFinished(() => void tenantStatements.unsubscribe(listener))

  await database.withTenant({ tenantId }, tx => sql`select 1 as written`.execute(tx))
  await database.readTenant({ tenantId }, tx => sql`select 1 as read`.execute(tx))
  await sql`select 1 as outside`.execute(database.outside)
  await sql`select 1 as owned`.execute(database.owner)

  const own = texts.filter(text => text.startsWith('select 1'))
  expect(own).toEqual(['select 1 as written', 'select 1 as read'])
})
