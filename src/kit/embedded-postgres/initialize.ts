/** The first start creates PostgreSQL's files, the role and the database. The next start repairs a crash in between. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Cluster } from './cluster.ts'
import { explainOutput } from './explain.ts'
import { isAlive } from './postmaster.ts'
import { connectSession, withSetupLock } from './session.ts'

/** Distinguishes the unfinished directories of this process from those of an earlier one with the same pid. */
const processToken = `${process.pid}-${randomUUID()}`
const stagingPrefix = 'postgres.new-'
/** With retries, because initdb may outlive a killed process and still be writing. */
const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }

/**
 * Creates PostgreSQL's directory under a temporary name, and renames it once it is complete and on the disk, so that
 * the final directory is never incomplete. If another process was faster, its directory is kept.
 */
export async function initializeCluster(cluster: Cluster, superuserPassword: string): Promise<void> {
  const staging = join(cluster.dataDir, `${stagingPrefix}${processToken}-${randomUUID()}`)
  const passwordFile = `${staging}.password`
  try {
    await mkdir(staging, { mode: 0o700 })
    await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600, flag: 'wx' })
    if (cluster.user) {
      await chown(staging, cluster.user.uid, cluster.user.gid)
      await chown(passwordFile, cluster.user.uid, cluster.user.gid)
    }
    await runInitdb(cluster, staging, passwordFile)
    await rename(staging, cluster.directory).catch(ignoreExisting)
    await syncDirectory(cluster.dataDir)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(staging, removal)
  }
}

/**
 * Creates the role and the database `aldaba` if they are missing. The database is renamed last, so that a database of
 * this name always has all extensions.
 * @param openUrl returns the superuser's connection string for a database
 */
export async function ensureDatabase(
  session: pg.Client,
  ownerPassword: string,
  openUrl: (database: string) => string,
): Promise<void> {
  if (await hasDatabase(session)) return
  await withSetupLock(session, async () => {
    if (await hasDatabase(session)) return
    const { rowCount } = await session.query(`select from pg_roles where rolname = 'aldaba'`)
    // Not a superuser, which would bypass row level security. createrole: a migration creates the service's role.
    const attributes = `login createrole password ${pg.escapeLiteral(ownerPassword)}`
    await session.query(`${rowCount ? 'alter' : 'create'} role aldaba ${attributes}`)
    await session.query('drop database if exists aldaba_new with (force)')
    await session.query('create database aldaba_new owner aldaba')
    const newDatabase = await connectSession(openUrl('aldaba_new'))
    try {
      await newDatabase.query(
        'create extension pg_trgm; create extension btree_gist; create extension unaccent',
      )
    } finally {
      await newDatabase.end()
    }
    await session.query('alter database aldaba_new rename to aldaba')
  })
}

async function hasDatabase(session: pg.Client): Promise<boolean> {
  const { rowCount } = await session.query(`select from pg_database where datname = 'aldaba'`)
  return rowCount === 1
}

async function runInitdb(cluster: Cluster, directory: string, passwordFile: string): Promise<void> {
  const child = spawn(
    cluster.initdb,
    [
      // initdb's fsync stays on: it takes 0.1 to 0.2 s of the first start, and protects against a power failure.
      '--pgdata',
      directory,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--pwfile',
      passwordFile,
      // A collation that no update of the machine's C library can change under an index.
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    // English messages. Pass nothing else of our environment, which may hold secrets.
    { ...cluster.user, cwd: directory, env: { LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [exitCode, output, errors] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ])
  if (exitCode !== 0) {
    throw await explainOutput(cluster, 'The PostgreSQL database could not be created', output + errors)
  }
}

/** Removes unfinished directories of first starts whose process no longer exists. */
export async function removeUnfinished({ dataDir }: Cluster): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(stagingPrefix) || name.startsWith(stagingPrefix + processToken)) continue
    const pid = Number.parseInt(name.slice(stagingPrefix.length), 10)
    if (pid === process.pid || !isAlive(pid)) await rm(join(dataDir, name), removal)
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}
