/** Migrations: each is applied once, atomically, in order, and may not change afterwards. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { withDatabaseName } from '../../../test/database.ts'
import { makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase } from './index.ts'
import { listPendingMigrations, migrate, readMigrations } from './migrate.ts'

function openTestDatabase(url: string): Database {
  const database = openDatabase(url, { onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

async function openMigrated(): Promise<pg.Pool> {
  return openTestDatabase(await makeDatabase()).ownerPool
}

/** Creates an empty database, whose owner has the rights listed in docs/guides/go-to-production.md. */
async function makeEmptyDatabase(owner = 'aldaba'): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`
  const superuser = new pg.Client({ connectionString: inject('superuserUrl') })
  await superuser.connect()
  await superuser.query(`create database ${name} owner ${owner}`)
  await superuser.end()
  return withDatabaseName(inject('ownerUrl'), name)
}

const readNames = async () => (await readMigrations()).map(migration => migration.name)
const listTables = async (pool: pg.Pool) =>
  (
    await pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'aldaba'::regnamespace and relkind = 'r' order by 1`,
    )
  ).rows.map(row => row.name)

it('migrates an empty database once when several processes start at once', async () => {
  const url = await makeEmptyDatabase()
  const pools = [1, 2, 3].map(() => openTestDatabase(url).ownerPool)
  expect(await listPendingMigrations(pools[0]!)).toEqual(await readNames())
  const applied = await Promise.all(pools.map(pool => migrate(pool)))
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([await readNames(), [], []])
  expect(await listPendingMigrations(pools[0]!)).toEqual([])
  expect(await listTables(pools[0]!)).toEqual(await listTables(await openMigrated()))
})

it('applies nothing to a database that is up to date', async () => {
  const pool = await openMigrated()
  expect(await migrate(pool)).toEqual([])
})

it('throws for a file that was changed after it had been applied, and says what to do', async () => {
  const pool = await openMigrated()
  await pool.query(
    `update aldaba.schema_migrations set checksum = 'other' where name = '0002_users_and_keys.sql'`,
  )
  const sentence =
    'migrations/0002_users_and_keys.sql was changed after it had been applied. Restore it, and put the change in a new file.'
  await expect(migrate(pool)).rejects.toThrow(sentence)
  await expect(listPendingMigrations(pool)).rejects.toThrow(sentence)
})

it('throws for a database that a newer version has migrated', async () => {
  const pool = await openMigrated()
  await pool.query(`insert into aldaba.schema_migrations (name, checksum) values ('9999_later.sql', 'x')`)
  await expect(migrate(pool)).rejects.toThrow(
    'The database has migration 9999_later.sql, which this version of Aldaba does not know.',
  )
})

it('rolls back a failing migration, names it, and can be run again', async () => {
  const pool = await openMigrated()
  // The first statement of the file succeeds, a later one fails.
  await pool.query(`
    delete from aldaba.schema_migrations where name = '0014_webhooks.sql';
    drop table aldaba.webhook_subscriptions cascade`)
  await expect(migrate(pool)).rejects.toThrow(
    'Migration 0014_webhooks.sql failed and was rolled back: relation "webhook_deliveries" already exists.',
  )
  expect(await listTables(pool)).not.toContain('webhook_subscriptions')
  expect(await listPendingMigrations(pool)).toContain('0014_webhooks.sql')

  await pool.query('drop table aldaba.webhook_deliveries')
  expect(await migrate(pool)).toEqual(['0014_webhooks.sql'])
  expect(await listTables(pool)).toContain('webhook_subscriptions')
})

it('releases its lock after a failure', async () => {
  const url = await makeDatabase()
  const [first, second] = [openTestDatabase(url).ownerPool, openTestDatabase(url).ownerPool]
  await first.query(`delete from aldaba.schema_migrations where name = '0004_quotas_and_idempotency.sql'`)
  await expect(migrate(first)).rejects.toThrow('0004_quotas_and_idempotency.sql failed')
  await expect(migrate(second)).rejects.toThrow('0004_quotas_and_idempotency.sql failed')
  expect(
    (await first.query('select from pg_locks where locktype = $1 and objid = 5200001', ['advisory']))
      .rowCount,
  ).toBe(0)
})

it('throws the error of PostgreSQL if rights are missing', async () => {
  const pool = openTestDatabase(await makeEmptyDatabase('postgres')).ownerPool
  await expect(migrate(pool)).rejects.toMatchObject({ code: '42501' })
})

it('numbers each file uniquely', async () => {
  const numbers = (await readNames()).map(name => name.split('_')[0])
  expect(new Set(numbers).size).toBe(numbers.length)
})
