/** Tenant isolation of every table, checked in the catalogue of the migrated database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../src/kit/db/index.ts'
import { makeDatabase } from './harness.ts'
import {
  definerFunctions,
  globalForeignKeys,
  globalTables,
  otherPolicies,
  searchedTables,
  tokenTables,
} from './isolation-exceptions.ts'

let database: Database
let tenantTables: string[]
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  const tables = await queryRows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'aldaba'::regnamespace and relkind in ('r', 'p', 'f', 'm') order by 1`,
  )
  tenantTables = tables.map(table => table.name).filter(name => !(name in globalTables))
})
afterAll(() => database.close())

async function queryRows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await database.ownerPool.query(sql, values)).rows
}

describe('the catalogue', () => {
  it('has exactly the listed global tables', async () => {
    const rows = await queryRows<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'aldaba'::regnamespace and c.relkind in ('r', 'p', 'f', 'm')
         and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum > 0)
       order by 1`,
    )
    expect(rows.map(row => row.name)).toEqual(Object.keys(globalTables).sort())
  })

  it('has nothing that depends on the row type of a table, which would prevent altering it', async () => {
    const rows = await queryRows<{ dependent: string }>(
      `select pg_describe_object(d.classid, d.objid, d.objsubid) as dependent
       from pg_depend d join pg_type t on d.refclassid = 'pg_type'::regclass and d.refobjid = t.oid
         join pg_class c on c.reltype = t.oid or c.reltype = t.typelem and t.typelem <> 0
       where c.relnamespace = 'aldaba'::regnamespace and c.relkind in ('r', 'p', 'v') and d.deptype <> 'i'`,
    )
    expect(rows).toEqual([])
  })

  it('gives every tenant table a required tenant_id, first in its key, without default', async () => {
    const rows = await queryRows<{ name: string }>(
      `select c.relname as name, a.attnotnull as required, format_type(a.atttypid, null) as type,
         (select attname from pg_attribute k where k.attrelid = c.oid and k.attnum = i.indkey[0]) as "firstInKey",
         pg_get_expr(d.adbin, d.adrelid) as "defaultValue"
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
         left join pg_index i on i.indrelid = c.oid and i.indisprimary
         left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relnamespace = 'aldaba'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    )
    expect(rows).toEqual(
      tenantTables.map(name => ({
        name,
        required: true,
        type: 'uuid',
        firstInKey: tokenTables[name]?.key ?? 'tenant_id',
        defaultValue: null,
      })),
    )
  })

  it('applies the policy of every tenant table, also to the owner except where listed', async () => {
    const rows = await queryRows(
      `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced from pg_class
       where relname = any($1) and relnamespace = 'aldaba'::regnamespace order by 1`,
      [tenantTables],
    )
    expect(rows).toEqual(
      tenantTables.map(name => ({ name, enabled: true, forced: !(name in searchedTables) })),
    )
  })

  it('has tenant_isolation on every tenant table, the listed policies, and no others', async () => {
    const rows = await queryRows<{ policy: string }>(
      `select format('%s %s %s %s: %s / %s', tablename, policyname, lower(cmd), array_to_string(roles, ','), qual, coalesce(with_check, 'null')) as policy
       from pg_policies where schemaname = 'aldaba' and permissive = 'PERMISSIVE' order by 1`,
    )
    const own = '(tenant_id = current_tenant())'
    const expected = tenantTables.map(name => `${name} tenant_isolation all public: ${own} / ${own}`)
    expect(rows.map(row => row.policy).sort()).toEqual([...expected, ...otherPolicies].sort())
    expect(await queryRows('select from pg_policies')).toHaveLength(rows.length)
  })

  it('lets the service read and write tenant tables, use global ones as listed, and nothing more', async () => {
    const rows = await queryRows<{ name: string; rights: string[] | null }>(
      `select c.relname as name, (select array_agg(p order by p) from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
         where has_table_privilege('aldaba_service', c.oid, p)) as rights
       from pg_class c where c.relnamespace = 'aldaba'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    )
    const rights = Object.fromEntries(rows.map(row => [row.name, row.rights ?? []]))
    const expected = [
      ...tenantTables.map(name => [name, ['DELETE', 'INSERT', 'SELECT', 'UPDATE']] as const),
      ...Object.entries(globalTables).map(([name, { serviceMay }]) => [name, serviceMay] as const),
      ...Object.values(searchedTables).map(({ view }) => [view, ['SELECT']] as const),
    ]
    expect(rights).toEqual(Object.fromEntries(expected))
  })

  it('allows references of tenant rows only within the tenant', async () => {
    const rows = await queryRows<{ of: string; key: string; toTenantTable: boolean; composite: boolean }>(
      `select k.conrelid::regclass::text as "of", format('%s (%s) -> %s', k.conrelid::regclass, cols.names, k.confrelid::regclass) as key,
         k.confrelid::regclass::text = any($1) as "toTenantTable",
         cols.names like 'tenant_id, %' and foreign_cols.names like 'tenant_id, %' as composite
       from pg_constraint k,
         lateral (select string_agg(attname, ', ' order by n) as names from unnest(k.conkey) with ordinality u (num, n)
           join pg_attribute on attrelid = k.conrelid and attnum = num) cols,
         lateral (select string_agg(attname, ', ' order by n) as names from unnest(k.confkey) with ordinality u (num, n)
           join pg_attribute on attrelid = k.confrelid and attnum = num) foreign_cols
       where k.contype = 'f' and k.conrelid::regclass::text = any($1)`,
      [tenantTables],
    )
    const between = rows.filter(row => row.toTenantTable)
    expect(between.length).toBeGreaterThan(0)
    expect(between.filter(row => !row.composite)).toEqual([])
    const outward = rows.filter(row => !between.includes(row)).map(row => row.key)
    const toTenants = new Set(tenantTables.map(name => `${name} (tenant_id) -> tenants`))
    expect(outward.filter(key => !toTenants.has(key)).sort()).toEqual(globalForeignKeys)
    const referencing = new Set(
      rows.filter(row => row.toTenantTable || toTenants.has(row.key)).map(row => row.of),
    )
    expect(tenantTables.filter(name => !referencing.has(name))).toEqual(Object.keys(searchedTables))
  })

  it('has only the views of searched tables, each limited to the current tenant', async () => {
    // Views have the rights of their owner.
    const views = await queryRows<{ name: string; text: string }>(
      `select relname as name, pg_get_viewdef(oid) as text from pg_class where relnamespace = 'aldaba'::regnamespace and relkind in ('v', 'm') order by 1`,
    )
    expect(views.map(view => view.name)).toEqual(Object.values(searchedTables).map(({ view }) => view))
    for (const { text } of views)
      expect(text).toMatch(/WHERE \(((lead|message)_search\.)?tenant_id = current_tenant\(\)\);$/)
  })

  it('has no triggers', async () => {
    const rows = await queryRows<{ name: string }>(
      `select tgname as name from pg_trigger join pg_class c on c.oid = tgrelid
       where c.relnamespace = 'aldaba'::regnamespace and not tgisinternal order by 1`,
    )
    expect(rows.map(row => row.name)).toEqual([])
  })

  it('has only the listed functions with the rights of the owner, each with a fixed search path', async () => {
    const rows = await queryRows(
      `select p.proname as name, 'search_path=aldaba, pg_temp' = any (p.proconfig) as "hasPath", has_function_privilege('aldaba_service', p.oid, 'execute') as service,
         exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as public
       from pg_proc p where p.pronamespace = 'aldaba'::regnamespace and p.prosecdef order by 1`,
    )
    expect(rows).toEqual(
      definerFunctions.map(name => ({ name, hasPath: true, service: true, public: false })),
    )
  })
})
