/** Applies the SQL files of `migrations/`, forward only, each once and in a transaction. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const directory = new URL('../../../migrations/', import.meta.url)
const minServerVersion = 150_000
/** The advisory lock that serializes the migrations of concurrent processes. An arbitrary constant. */
const lockKey = 5_200_001

export interface Migration {
  name: string
  text: string
  checksum: string
}

/** Reads all migration files, sorted by name. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter(name => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(new URL(name, directory), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Migrates the database: first the queue's tables, then ours. `onPending` is called with the pending names before they
 * are applied, which may take minutes. `files`: default all; tests pass fewer to create an older database. Returns the
 * applied names. Throws with a message for the operator if the server is too old, rights are missing, or an applied
 * file has changed.
 */
export async function migrate(
  ownerPool: pg.Pool,
  onPending: (names: string[]) => void = () => {},
  files?: Migration[],
): Promise<string[]> {
  const client = await ownerPool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await checkServer(client)
    await client.query('create schema if not exists aldaba')
    await client.query(
      'create table if not exists aldaba.schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const pending = await findPending(client, files)
    if (pending.length > 0) {
      onPending(pending.map(({ name }) => name))
      await migrateQueue(ownerPool)
      for (const migration of pending) await applyMigration(client, migration)
    }
    return pending.map(migration => migration.name)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
    client.release()
  }
}

/** Loads the queue library only if there is something to apply, so that commands start quickly. */
async function migrateQueue(pgPool: pg.Pool): Promise<void> {
  const [{ runMigrations }, { silentLogger }] = await Promise.all([
    import('graphile-worker'),
    import('../jobs/queue-log.ts'),
  ])
  await runMigrations({ pgPool, logger: silentLogger })
}

/** Returns the names of the migrations that were not applied yet; empty: the database is up to date. */
export async function listPendingMigrations(ownerPool: pg.Pool): Promise<string[]> {
  const { rows } = await ownerPool.query<{ exists: boolean }>(
    `select to_regclass('aldaba.schema_migrations') is not null as exists`,
  )
  const all = await readMigrations()
  if (!rows[0]?.exists) return all.map(migration => migration.name)
  const client = await ownerPool.connect()
  try {
    return (await findPending(client)).map(migration => migration.name)
  } finally {
    client.release()
  }
}

async function findPending(client: pg.PoolClient, files?: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from aldaba.schema_migrations',
  )
  const applied = new Map(rows.map(row => [row.name, row.checksum]))
  const all = files ?? (await readMigrations())
  const changed = all.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (changed) {
    throw new Error(
      `migrations/${changed.name} was changed after it had been applied. Restore it, and put the change in a new file.`,
    )
  }
  const unknown = [...applied.keys()].find(name => !all.some(migration => migration.name === name))
  if (unknown)
    throw new Error(
      `The database has migration ${unknown}, which this version of Aldaba does not know. Run the newer version.`,
    )
  return all.filter(({ name }) => !applied.has(name))
}

async function applyMigration(client: pg.PoolClient, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into aldaba.schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const hint =
      (error as { code?: string }).code === '42501'
        ? ' docs/guides/go-to-production.md lists the rights the database user needs.'
        : ''
    throw new Error(`Migration ${name} failed and was rolled back: ${(error as Error).message}.${hint}`, {
      cause: error,
    })
  }
}

async function checkServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const server = rows[0]
  if (server && server.number < minServerVersion) {
    throw new Error(`PostgreSQL ${server.name} is too old: Aldaba needs version 15 or newer.`)
  }
}
