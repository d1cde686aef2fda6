/** A cluster of PostgreSQL with Citus on this machine, with the tenant tables distributed over two workers. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../src/kit/db/index.ts'
import { migrate } from '../src/kit/db/migrate.ts'
import { makeRunDirectory } from './run-directory.ts'
import { sharedPath } from './shared.ts'

const execFileAsync = promisify(execFile)

export interface Cluster {
  /** URL of the coordinator, as the owner of the database. */
  databaseUrl: string
  /** URLs of coordinator and workers, as a superuser. */
  superuserUrls: [coordinator: string, ...workers: string[]]
  stop(): Promise<void>
}

/** Global tables that rows of tenants refer to: each server has a copy. Other global tables stay on the coordinator. */
const referenceTables = ['workspaces', 'tenants', 'users', 'workspace_settings']
/** Tables that find the tenant of a key: they stay on the coordinator. */
const tokenTables = ['key_hashes', 'share_tokens']

/** Starts the servers, migrates the database and distributes it. */
export async function startCluster(): Promise<Cluster> {
  // Not in /dev/shm, where execution may be forbidden.
  const directory = await makeRunDirectory(tmpdir())
  const runClusterScript = (verb: string, ...rest: string[]) =>
    execFileAsync(sharedPath('citus/cluster'), [verb, directory, ...rest], { timeout: 200_000 })
  const stop = async () => {
    await runClusterScript('stop')
    await rm(directory, { recursive: true, force: true, maxRetries: 20 })
  }
  try {
    const port = await findFreePorts()
    await runClusterScript('start', String(port))
    const toUrl = (offset: number, user: string, database: string) =>
      `postgres://${user}@127.0.0.1:${port + offset}/${database}`
    const superuserUrls = [0, 1, 2].map(offset => toUrl(offset, 'postgres', 'aldaba'))
    await Promise.all([0, 1, 2].map(offset => createDatabase(toUrl(offset, 'postgres', 'postgres'))))
    await joinServers(superuserUrls[0]!, port)
    const databaseUrl = toUrl(0, 'aldaba', 'aldaba')
    const database = openDatabase(databaseUrl, { onError: () => {} })
    await migrate(database.ownerPool)
    await database.close()
    await distributeTables(superuserUrls[0]!)
    return { databaseUrl, superuserUrls: superuserUrls as Cluster['superuserUrls'], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Finds three consecutive free ports below 32768, so that no server of another test gets them. Returns the first. */
async function findFreePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all([0, 1, 2].map(offset => isPortFree(port + offset)))
    if (free.every(Boolean)) return port
  }
}

async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Creates the login roles and the database on one server. */
async function createDatabase(url: string): Promise<void> {
  await runStatements(url, [
    `create role aldaba login createrole`,
    `create role aldaba_service login`,
    `grant aldaba_service to aldaba`,
    `create database aldaba owner aldaba`,
  ])
  await runStatements(url.replace(/\/postgres$/, '/aldaba'), [`create extension citus`])
}

async function joinServers(coordinator: string, port: number): Promise<void> {
  await runStatements(coordinator, [
    `select citus_set_coordinator_host('127.0.0.1', ${port})`,
    `select citus_add_node('127.0.0.1', ${port + 1})`,
    `select citus_add_node('127.0.0.1', ${port + 2})`,
    // Citus sends the tenant of a transaction to the servers of its shards.
    `alter database aldaba set citus.propagate_set_commands = 'local'`,
  ])
}

/**
 * Distributes the tables. Foreign keys are dropped and added again: Citus only allows them between distributed
 * tables.
 */
async function distributeTables(coordinator: string): Promise<void> {
  const client = new pg.Client({ connectionString: coordinator })
  await client.connect()
  try {
    await client.query(`set search_path = aldaba, public; set citus.shard_count = 4`)
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
       where relnamespace = 'aldaba'::regnamespace and relkind = 'r' and relname <> all($1)`,
      [tokenTables],
    )
    const tables = rows.map(({ name }) => name)
    const { rows: keys } = await client.query<{ drop: string; add: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
       from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`,
      [tables],
    )
    for (const { drop } of keys) await client.query(drop)
    for (const table of referenceTables) await client.query(`select create_reference_table('${table}')`)
    for (const table of tables)
      await client.query(
        `select create_distributed_table('${table}', 'tenant_id', colocate_with => '${table === tables[0] ? 'none' : tables[0]}')`,
      )
    for (const { add } of keys) await client.query(add)
  } finally {
    await client.end()
  }
}

async function runStatements(connectionString: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
