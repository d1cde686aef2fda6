/**
 * One PostgreSQL for the whole run, with a migrated template that each test file clones in milliseconds. It is an
 * embedded server, or that of TEST_DATABASE_URL: the superuser's URL of a server whose data may be destroyed. TEST_POOLER is
 * the host and port of a pooler before it: then the program connects through the pooler.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/kit/db/index.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { openEmbeddedPostgres } from '../src/kit/embedded-postgres.ts'
import { reportDeadlocks } from './deadlocks.ts'
import { makeRunDirectory } from './run-directory.ts'
import { assertShared } from './shared.ts'
import { readStatementSchema, type StatementSchema } from './statements/schema.ts'

declare module 'vitest' {
  interface ProvidedContext {
    superuserUrl: string
    ownerUrl: string
    /** A directory that is removed with the run. */
    runDir: string
    /** The schema that the statement rules need. */
    schema: StatementSchema
  }
}

export const templateName = 'aldaba_template'

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.REQUIRE_SHARED === '1') assertShared()
  const runDir = await makeRunDirectory()
  const server = await openServer(runDir)
  const superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  await superuser.query(`drop database if exists ${templateName}`)
  await superuser.query(`create database ${templateName} owner aldaba`)
  await superuser.end()

  const database = openDatabase(withDatabaseName(server.databaseUrl, templateName), { onError: () => {} })
  await migrate(database.ownerPool)
  const schema = await readStatementSchema(database.ownerPool)
  await database.close()

  project.provide('superuserUrl', server.superuserUrl)
  project.provide('ownerUrl', server.databaseUrl)
  project.provide('runDir', runDir)
  project.provide('schema', schema)
  return async () => {
    await server.stop()
    if (server.logFile) reportDeadlocks(await readFile(server.logFile, 'utf8'))
    await rm(runDir, { recursive: true, force: true })
  }
}

/** Errors of statements are logged without the statements: the log is read for deadlocks. */
const logSettings = { log_min_messages: 'error', log_min_error_statement: 'panic' }
/** Tests do not need durability. */
const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

interface TestServer {
  superuserUrl: string
  /** URL as the role `aldaba`. */
  databaseUrl: string
  /** Null: it is not the run's. */
  logFile: string | null
  stop(): Promise<void>
}

async function openServer(runDir: string): Promise<TestServer> {
  const superuserUrl = process.env.TEST_DATABASE_URL
  if (superuserUrl) return openGivenServer(superuserUrl)
  const dataDir = join(runDir, 'database')
  const embedded = await openEmbeddedPostgres({
    dataDir,
    passwords: { superuser: 'test', owner: 'test' },
    mode: 'own',
    log: () => {},
    // Tests that kill processes run a dozen Aldaba processes at once. autovacuum would visit hundreds of databases that
    // only exist for seconds.
    settings: { ...unsafeSettings, ...logSettings, max_connections: '500', autovacuum: 'off' },
  })
  const { superuserUrl: url, databaseUrl } = embedded
  return {
    superuserUrl: url,
    databaseUrl,
    logFile: join(dataDir, 'postgres.log'),
    stop: () => embedded.stop(),
  }
}

/** Creates the owner role of docs/guides/go-to-production.md. */
async function openGivenServer(superuserUrl: string): Promise<TestServer> {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  const { rows } = await superuser.query(`select from pg_roles where rolname = 'aldaba'`)
  if (rows.length === 0) await superuser.query(`create role aldaba login createrole password 'test'`)
  await superuser.end()
  const owner = new URL(superuserUrl)
  owner.username = 'aldaba'
  owner.password = 'test'
  return { superuserUrl, databaseUrl: owner.href, logFile: null, stop: async () => {} }
}

/** The URLs of a database for the program: through the pooler, and direct. */
export function toDatabaseUrls(url: string): { databaseUrl: string; directUrl: string | null } {
  const pooler = process.env.TEST_POOLER
  if (!pooler) return { databaseUrl: url, directUrl: null }
  const [pooled, direct] = [new URL(url), new URL(url)]
  pooled.host = pooler
  direct.host = new URL(process.env.TEST_DATABASE_URL!).host
  return { databaseUrl: pooled.href, directUrl: direct.href }
}

/** Returns the URL with another database name. */
export function withDatabaseName(url: string, name: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
}
