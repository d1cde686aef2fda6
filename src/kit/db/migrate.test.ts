/** Migrations: each applied once, whole, in order, and never changed afterwards. */
import { randomBytes } from 'node:crypto'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { databaseNamed } from '../../../test/database.ts'
import { makeDatabase } from '../../../test/harness.ts'
import { quietLogger } from '../jobs/queue-log.ts'
import { type Database, openDatabase } from './index.ts'
import { listPendingMigrations, migrate, readMigrations } from './migrate.ts'

function open(url: string): Database {
  const database = openDatabase(url, { onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

async function openMigrated(): Promise<pg.Pool> {
  return open(await makeDatabase()).ownerPool
}

/** A database that holds nothing, with an owner who has what docs/production.md asks for. */
async function makeEmptyDatabase(owner = 'aldaba'): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`
  const superuser = new pg.Client({ connectionString: inject('superuserUrl') })
  await superuser.connect()
  await superuser.query(`create database ${name} owner ${owner}`)
  await superuser.end()
  return databaseNamed(inject('ownerUrl'), name)
}

const names = async () => (await readMigrations()).map(migration => migration.name)
const listTables = async (pool: pg.Pool) =>
  (
    await pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'aldaba'::regnamespace and relkind = 'r' order by 1`,
    )
  ).rows.map(row => row.name)

it('brings an empty database up to date, once, however many processes start at once', async () => {
  const url = await makeEmptyDatabase()
  const pools = [1, 2, 3].map(() => open(url).ownerPool)
  expect(await listPendingMigrations(pools[0]!)).toEqual(await names())
  const applied = await Promise.all(pools.map(pool => migrate(pool)))
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([await names(), [], []])
  expect(await listPendingMigrations(pools[0]!)).toEqual([])
  expect(await listTables(pools[0]!)).toEqual(await listTables(await openMigrated()))
})

it('applies nothing to a database that is up to date', async () => {
  const pool = await openMigrated()
  expect(await migrate(pool)).toEqual([])
})

it('refuses a file that was changed after it had been applied, and says what to do', async () => {
  const pool = await openMigrated()
  await pool.query(`update aldaba.schema_migrations set checksum = 'other' where name = '0002_keys.sql'`)
  const sentence =
    'migrations/0002_keys.sql was changed after it had been applied. Restore it, and put the change in a new file.'
  await expect(migrate(pool)).rejects.toThrow(sentence)
  await expect(listPendingMigrations(pool)).rejects.toThrow(sentence)
})

it('refuses a database that a newer version has migrated', async () => {
  const pool = await openMigrated()
  await pool.query(`insert into aldaba.schema_migrations (name, checksum) values ('9999_later.sql', 'x')`)
  await expect(migrate(pool)).rejects.toThrow(
    'The database has migration 9999_later.sql, which this version of Aldaba does not know.',
  )
})

it('leaves nothing of a migration that fails, names it, and can be run again', async () => {
  const pool = await openMigrated()
  // The first statement of the file will succeed, a later one will not.
  await pool.query(`
    delete from aldaba.schema_migrations where name = '0008_webhooks.sql';
    drop table aldaba.webhooks cascade`)
  await expect(migrate(pool)).rejects.toThrow(
    'Migration 0008_webhooks.sql failed and was rolled back: relation "webhook_deliveries" already exists.',
  )
  expect(await listTables(pool)).not.toContain('webhooks')
  expect(await listPendingMigrations(pool)).toContain('0008_webhooks.sql')

  await pool.query('drop table aldaba.webhook_deliveries')
  expect(await migrate(pool)).toEqual(['0008_webhooks.sql'])
  expect(await listTables(pool)).toContain('webhooks')
})

it('lets the next process in after a failure', async () => {
  const url = await makeDatabase()
  const [first, second] = [open(url).ownerPool, open(url).ownerPool]
  await first.query(`delete from aldaba.schema_migrations where name = '0004_idempotency.sql'`)
  await expect(migrate(first)).rejects.toThrow('0004_idempotency.sql failed')
  await expect(migrate(second)).rejects.toThrow('0004_idempotency.sql failed')
  expect(
    (await first.query('select from pg_locks where locktype = $1 and objid = 5200001', ['advisory']))
      .rowCount,
  ).toBe(0)
})

it('points to the rights it needs when they are missing', async () => {
  const pool = open(await makeEmptyDatabase('postgres')).ownerPool
  await expect(migrate(pool)).rejects.toMatchObject({ code: '42501' })
})

it('numbers each of its files once', async () => {
  const numbers = (await names()).map(name => name.split('_')[0])
  expect(new Set(numbers).size).toBe(numbers.length)
})

describe('0013b, which older databases get late', () => {
  /** Everything that the schema holds, as the catalogue writes it down. */
  const describeSchema = async (pool: pg.Pool) =>
    (
      await pool.query<{ line: string }>(`
        select 'function ' || pg_get_functiondef(p.oid) || ' ' || coalesce(p.proacl::text, '') as line
        from pg_proc p where p.pronamespace = 'aldaba'::regnamespace and p.prokind in ('f', 'p')
        union all select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t
        where not t.tgisinternal and t.tgrelid::regclass::text ~ '^aldaba\\.|^[a-z_]+$'
        union all select format('column %s.%s %s %s %s %s %s', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
          a.attnotnull, a.attgenerated, pg_get_expr(d.adbin, d.adrelid))
        from pg_attribute a join pg_class c on c.oid = a.attrelid
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where c.relnamespace = 'aldaba'::regnamespace and a.attnum > 0
        union all select format('table %s %s %s %s', relname, relrowsecurity, relforcerowsecurity, relacl)
        from pg_class where relnamespace = 'aldaba'::regnamespace
        union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where connamespace = 'aldaba'::regnamespace
        union all select indexdef from pg_indexes where schemaname = 'aldaba'
        union all select format('policy %s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check)
        from pg_policies where schemaname = 'aldaba'
        order by 1`)
    ).rows.map(row => row.line)

  /** What older versions installed: the files up to 0033, but for this one, whose functions are those of 0013. */
  async function installOlder(pool: pg.Pool) {
    const older = (await readMigrations()).filter(({ name }) => name < '0034')
    await pool.query('create schema aldaba')
    await pool.query(
      'create table aldaba.schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    await runMigrations({ pgPool: pool, logger: quietLogger })
    for (const { name, text, checksum } of older) {
      await pool.query(text)
      await pool.query('insert into aldaba.schema_migrations (name, checksum) values ($1, $2)', [
        name,
        checksum,
      ])
    }
    const functions = /create function (?:search_document|lead_identifier_values)\(lead leads\)[^;]+;/g
    const { text } = older.find(({ name }) => name === '0013_lead_search.sql')!
    await pool.query(`
      drop function aldaba.search_document(record), aldaba.lead_identifier_values(record);
      ${text.match(functions)!.join('\n')}
      delete from aldaba.schema_migrations where name = '0013b_record_types.sql'`)
  }

  it('leaves a database that was upgraded as one that was made anew', async () => {
    const fresh = await openMigrated()
    const upgraded = open(await makeEmptyDatabase()).ownerPool
    await installOlder(upgraded)
    expect(await listPendingMigrations(upgraded)).toContain('0013b_record_types.sql')
    await migrate(upgraded)
    expect(await describeSchema(upgraded)).toEqual(await describeSchema(fresh))
  })
})
