/** Run it once at a release: writes a snapshot of this version's database, which later versions must upgrade. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/kit/db/index.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { openEmbeddedPostgres } from '../src/kit/embedded-postgres.ts'
import { withDatabaseName } from '../test/database.ts'
import { releasesDir, snapshotDatabase } from '../test/released-database.ts'

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
const file = new URL(`${version}.json`, releasesDir)
const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-baseline-'))
const server = await openEmbeddedPostgres({
  dataDir,
  passwords: { superuser: 'superuser', owner: 'owner' },
  mode: 'own',
  log: () => {},
})
try {
  const database = openDatabase(server.databaseUrl, { onError: () => {} })
  await migrate(database.ownerPool)
  await database.close()
  const name = new URL(server.databaseUrl).pathname.slice(1)
  const baseline = await snapshotDatabase(withDatabaseName(server.superuserUrl, name), version)
  // `wx`: what was released never changes.
  await writeFile(file, `${JSON.stringify(baseline, null, 1)}\n`, { flag: 'wx' })
  console.log(`wrote test/releases/${version}.json`)
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true })
}
