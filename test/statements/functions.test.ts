/** Functions of the database that read tenant tables, which the statement rules cannot see. */
import { expect, inject, it } from 'vitest'
import { openDatabase } from '../../src/kit/db/index.ts'
import { makeDatabase } from '../harness.ts'

/** By function: the reason, and which tenants it reads. Functions that write tenant rows are not allowed. */
const allowedReaders: Record<string, string> = {
  check_clock_shift: 'compares the clock of the current tenant, found by its id',
  enter_with_key: 'enters a tenant if its key is valid, before any other statement: it finds both by id',
  find_api_key: 'finds the tenant of a key, which is not known yet: all tenants',
  find_share: 'finds the tenant of a link, which is not known yet: all tenants',
  plan_search: 'uses the planner, and reads no row',
  search_documents: 'finds leads and messages by their words, on a cluster too: those of the current tenant',
}

it('only the listed functions read tenant tables', async () => {
  const { columns } = inject('schema')
  const tables = Object.keys(columns).filter(table => columns[table]!.includes('tenant_id'))
  const database = openDatabase(await makeDatabase(), { onError: () => {} })
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `select distinct proname as name from pg_proc join pg_language l on l.oid = prolang
     where pronamespace = 'aldaba'::regnamespace and lanname in ('sql', 'plpgsql')
       and coalesce(pg_get_function_sqlbody(pg_proc.oid), prosrc) ~ $1
     order by 1`,
    [`\\m(${tables.join('|')})\\M`],
  )
  await database.close()
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(allowedReaders))
})
