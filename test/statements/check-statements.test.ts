/** Statements inside a tenant are checked, and the test that sent an invalid one fails. */
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import type { RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, sql, type Tx } from '../../src/kit/db/index.ts'
import { tenantStatements } from '../../src/kit/db/statement-channel.ts'
import { makeDatabase } from '../harness.ts'
import { makeWorkspace } from '../make.ts'
import { assertNoViolations } from './check-statements.ts'

let database: Database
let tenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  tenantId = (await makeWorkspace(database)).testTenantId
})
afterAll(() => database.close())

/** Sends a statement from a file of the program. */
const send: (query: RawBuilder<unknown>, tx: Tx) => Promise<unknown> = runInThisContext(
  'async (query, tx) => await query.execute(tx)',
  { filename: join(process.cwd(), 'src/features/pretended/queries.ts') },
)

it.each(['withTenant', 'readTenant'] as const)(
  'a statement without the tenant, sent by %s, fails its test; the error names table and alias',
  async method => {
    await database[method]({ tenantId }, tx => send(sql`select s.views from shares s`, tx))
    expect(assertNoViolations).toThrow(
      /^shares s has no condition tenant_id = \$n.*\nselect s\.views from shares s\nsent from src\/features\/pretended/,
    )
    expect(assertNoViolations).not.toThrow()
  },
)

it('a statement with the tenant passes, and so do statements of tests', async () => {
  await database.withTenant({ tenantId }, async tx => {
    await send(sql`select from shares where tenant_id = ${tenantId}`, tx)
    await sql`select from shares s`.execute(tx)
  })
  expect(assertNoViolations).not.toThrow()
})

it('the texts that withTenant and readTenant send are published, and no others', async () => {
  const texts: string[] = []
  const listener = (message: unknown) => texts.push((message as { text: string }).text)
  tenantStatements.subscribe(listener)
  onTestFinished(() => void tenantStatements.unsubscribe(listener))

  await database.withTenant({ tenantId }, tx => sql`select 1 as written`.execute(tx))
  await database.readTenant({ tenantId }, tx => sql`select 1 as read`.execute(tx))
  await sql`select 1 as outside`.execute(database.unscoped)
  await sql`select 1 as owned`.execute(database.owner)

  const own = texts.filter(text => text.startsWith('select 1'))
  expect(own).toEqual(['select 1 as written', 'select 1 as read'])
})
