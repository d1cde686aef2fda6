/** The database of every released version is upgraded to the current schema without losing data. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { beforeAll, describe, expect, inject, it, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/kit/db/index.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { describeCatalogue } from './catalogue.ts'
import { withDatabaseName } from './database.ts'
import { globalRows } from './global-rows.ts'
import { makeDatabase, makeEmptyDatabase } from './harness.ts'
import {
  listLostData,
  type ReleasedDatabase,
  readReleases,
  restoreRelease,
  snapshotDatabase,
} from './released-database.ts'
import { tenantRows } from './tenant-rows.ts'

interface OpenedDatabase {
  ownerPool: pg.Pool
  superuserUrl: string
}

function openDatabaseForTest(ownerUrl: string): OpenedDatabase {
  const { ownerPool, close } = openDatabase(ownerUrl, { onError: () => {} })
  onTestFinished(() => close())
  return { ownerPool, superuserUrl: withDatabaseName(inject('superuserUrl'), toDatabaseName(ownerUrl)) }
}

const toDatabaseName = (url: string) => new URL(url).pathname.slice(1)

/** Upgrades a release. Returns the differences from a new database, and lost data. */
async function upgrade(release: ReleasedDatabase): Promise<{ differences: string[]; lost: string[] }> {
  const { ownerPool, superuserUrl } = openDatabaseForTest(await makeEmptyDatabase())
  await restoreRelease(ownerPool, superuserUrl, release)
  await migrate(ownerPool)
  return {
    differences: await listDifferences(ownerPool),
    lost: await listLostData(superuserUrl, release),
  }
}

/** Lines of the catalogue that only this database or only a new one has. */
async function listDifferences(ownerPool: pg.Pool): Promise<string[]> {
  const fresh = new Set(await describeCatalogue(openDatabaseForTest(await makeDatabase()).ownerPool))
  const own = new Set(await describeCatalogue(ownerPool))
  return [...own, ...fresh].filter(line => !own.has(line) || !fresh.has(line))
}

const releases = readReleases()

test('every version with a date in the changelog is tested', () => {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
    match => match[1],
  )
  expect(releases.map(({ version }) => version)).toEqual(versions.toReversed())
})

for (const release of releases)
  test(`a database of ${release.version} is upgraded`, async () => {
    expect(await upgrade(release)).toEqual({ differences: [], lost: [] })
  })

describe('the upgrade test itself, with the current schema as a release', () => {
  let currentRelease: ReleasedDatabase
  beforeAll(async () => {
    const url = await makeDatabase()
    currentRelease = await snapshotDatabase(
      withDatabaseName(inject('superuserUrl'), toDatabaseName(url)),
      '99.0.0',
    )
  })

  /** The snapshot without the last migrations and their tables. */
  function withoutLastFiles(files: number): ReleasedDatabase {
    const dropped = currentRelease.migrations.slice(-files).map(({ name }) => name)
    const texts = dropped.map(name => readFileSync(new URL(`../migrations/${name}`, import.meta.url), 'utf8'))
    const tables = texts.flatMap(text => [...text.matchAll(/^create table (\w+)/gm)].map(match => match[1]!))
    return {
      ...currentRelease,
      migrations: currentRelease.migrations.slice(0, -files),
      rows: Object.fromEntries(
        Object.entries(currentRelease.rows).filter(([table]) => !tables.includes(table)),
      ),
    }
  }

  it('has a row of every table', async () => {
    const { rows } = await openDatabaseForTest(await makeDatabase()).ownerPool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'aldaba'::regnamespace and relkind = 'r'
       and relname <> 'schema_migrations' order by 1`,
    )
    expect([...Object.keys(globalRows), ...Object.keys(tenantRows)].sort()).toEqual(
      rows.map(({ name }) => name),
    )
  })

  it.each([0, 1, 3])('passes if the release lacks the last %i files', async files => {
    const release = files === 0 ? currentRelease : withoutLastFiles(files)
    expect(Object.keys(release.rows).length).toBeGreaterThan(10)
    expect(await upgrade(release)).toEqual({ differences: [], lost: [] })
  })

  it.each([
    ['was changed', (name: string) => ({ name, checksum: 'other' })],
    ['is missing', (name: string) => ({ name: `0000${name}`, checksum: 'other' })],
  ])('refuses a released file that %s', async (what, change) => {
    const [first, ...rest] = currentRelease.migrations
    const release = { ...currentRelease, migrations: [change(first!.name), ...rest] }
    await expect(upgrade(release)).rejects.toThrow(
      new RegExp(`0001_tenancy.sql was released with 99.0.0 and ${what}`),
    )
  })

  it('finds a different table, a lost row and a lost value after an upgrade', async () => {
    const { ownerPool, superuserUrl } = openDatabaseForTest(await makeEmptyDatabase())
    await restoreRelease(ownerPool, superuserUrl, currentRelease)
    await ownerPool.query(`
      alter table aldaba.notes no force row level security;
      delete from aldaba.notes;
      alter table aldaba.notes alter column body drop not null;
      update aldaba.workspaces set name = 'other'`)
    await migrate(ownerPool)
    expect(await listLostData(superuserUrl, currentRelease)).toEqual(['workspaces.name', 'notes'])
    expect(await listDifferences(ownerPool)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^column notes\.body text f /),
        expect.stringMatching(/^table notes r t f /),
      ]),
    )
  })
})
