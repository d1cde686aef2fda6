/**
 * A snapshot of a released version's database: its migrations, and one row per table. An upgrade test restores it
 * with `restoreRelease`, migrates it, and compares the rows with `listLostData`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { type Migration, migrate, readMigrations } from '../src/kit/db/migrate.ts'
import { globalRows, globalTenantId } from './global-rows.ts'
import { tenantRows, toInsert } from './tenant-rows.ts'

export interface ReleasedDatabase {
  version: string
  migrations: { name: string; checksum: string }[]
  /** By table, in an order that foreign keys allow; without generated columns. */
  rows: Record<string, Row>
}

type Row = Record<string, unknown>

export const releasesDir = new URL('./releases/', import.meta.url)

/** Every released version, the oldest first. */
export function readReleases(): ReleasedDatabase[] {
  return readdirSync(releasesDir)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(new URL(name, releasesDir), 'utf8')) as ReleasedDatabase)
    .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
}

/** Inserts a row into every table of a newly migrated database, and returns the snapshot. */
export async function snapshotDatabase(superuserUrl: string, version: string): Promise<ReleasedDatabase> {
  return withClient(superuserUrl, async client => {
    for (const [table, row] of Object.entries(globalRows)) await client.query(toInsert(table, row))
    for (const table of Object.keys(tenantRows))
      await client.query(toInsert(table, { tenant_id: `'${globalTenantId}'` }))
    const rows: ReleasedDatabase['rows'] = {}
    for (const table of [...Object.keys(globalRows), ...Object.keys(tenantRows)])
      rows[table] = (await readRow(client, table))!
    const migrations = (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }))
    return { version, migrations, rows }
  })
}

/**
 * Restores the database of the release in an empty one. Throws with the name of a migration that is missing or was
 * changed. `superuserUrl` is the same database as `ownerPool`.
 */
export async function restoreRelease(
  ownerPool: pg.Pool,
  superuserUrl: string,
  release: ReleasedDatabase,
): Promise<void> {
  await migrate(ownerPool, () => {}, await selectMigrations(release))
  await withClient(superuserUrl, async client => {
    for (const [table, row] of Object.entries(release.rows)) {
      const names = Object.keys(row).map(name => `"${name}"`)
      await client.query(
        `insert into aldaba.${table} (${names}) select ${names} from jsonb_populate_record(null::aldaba.${table}, $1)`,
        [JSON.stringify(row)],
      )
    }
  })
}

async function selectMigrations({ version, migrations }: ReleasedDatabase): Promise<Migration[]> {
  const existing = new Map((await readMigrations()).map(migration => [migration.name, migration]))
  return migrations.map(({ name, checksum }) => {
    const migration = existing.get(name)
    if (!migration)
      throw new Error(`migrations/${name} was released with ${version} and is missing: restore it`)
    if (migration.checksum !== checksum)
      throw new Error(
        `migrations/${name} was released with ${version} and was changed: restore it, and add a new migration`,
      )
    return migration
  })
}

/**
 * Lists data of the release that the database has lost: tables without the row, and columns with another value.
 * Dropped tables and columns are intended.
 */
export async function listLostData(superuserUrl: string, { rows }: ReleasedDatabase): Promise<string[]> {
  return withClient(superuserUrl, async client => {
    const { rows: columns } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'aldaba'`,
    )
    const existing = new Set(columns.map(({ name }) => name))
    const lost: string[] = []
    for (const [table, row] of Object.entries(rows)) {
      const names = Object.keys(row).filter(name => existing.has(`${table}.${name}`))
      const found = names.length > 0 ? await readRow(client, table) : row
      if (!found) lost.push(table)
      else lost.push(...names.filter(name => !isSame(found[name], row[name])).map(name => `${table}.${name}`))
    }
    return lost
  })
}

const isSame = (value: unknown, other: unknown) => JSON.stringify(value) === JSON.stringify(other)

async function readRow(client: pg.Client, table: string): Promise<Row | undefined> {
  const { rows } = await client.query<{ row: Row }>(
    `select to_jsonb(t) - array(select attname::text from pg_attribute where attrelid = $1::regclass and attgenerated <> '') as row
     from aldaba.${table} t`,
    [`aldaba.${table}`],
  )
  return rows[0]?.row
}

/** A superuser sees the rows of all tenants. */
async function withClient<T>(superuserUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`set search_path = aldaba, public; set timezone = 'UTC'`)
    return await work(client)
  } finally {
    await client.end()
  }
}
