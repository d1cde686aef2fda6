/** Directories, servers and processes for tests of the embedded PostgreSQL. They are removed when the test ends. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../src/kit/embedded-postgres.ts'

/** A first start takes a second on an idle machine, and much longer on a busy one. */
export const startTimeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export const isRoot = process.getuid?.() === 0
export const passwords = { superuser: 'super/user @%41é', owner: 'owner+pass word' }

/** Makes an empty directory, with a name that needs correct quoting. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(inject('runDir'), `aldaba, "l'año" %41+`))
  // As root, PostgreSQL runs as another user, who may not enter a directory of mkdtemp.
  chmodSync(directory, 0o755)
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
  return directory
}

/** Opens the server in this process, and stops it when the test ends. */
export async function openServer(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ dataDir, passwords, mode: 'own', log: () => {}, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** Returns the error message of opening the server. */
export async function getOpenError(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<string> {
  const outcome = await openServer(dataDir, options).catch((error: unknown) => error)
  if (outcome instanceof Error && outcome.name === 'EmbeddedPostgresError') return outcome.message
  throw new Error('opening the server did not fail with a message', { cause: outcome })
}

/** Runs one statement on a new connection. */
export async function queryServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

let template: string | undefined

/** Copies an initialized data directory to `name` in a new directory. It is initialized once per process. */
export async function copyInitializedDirectory(name = ''): Promise<string> {
  if (template === undefined) {
    template = join(inject('runDir'), `started-${process.pid}`)
    const server = await openEmbeddedPostgres({ dataDir: template, passwords, mode: 'own', log: () => {} })
    await server.stop()
  }
  const directory = join(makeDirectory(), name)
  mkdirSync(directory, { recursive: true })
  execFileSync('cp', ['-a', join(template, 'postgres'), directory])
  return directory
}

export interface OtherProcess {
  pid: number
  child: ChildProcess
  /** The result of opening the server in that process. */
  outcome: Promise<{ owner?: boolean; error?: string }>
  exited: Promise<unknown>
  /** Makes the process stop its server and exit. */
  stopAndExit(): Promise<unknown>
}

const program = `
  process.on('SIGINT', () => {})
  const [moduleUrl, options] = process.argv.slice(1)
  const { openEmbeddedPostgres } = await import(moduleUrl)
  try {
    const server = await openEmbeddedPostgres({ ...JSON.parse(options), log() {} })
    console.log(JSON.stringify({ owner: server.owner }))
    process.stdin.once('data', async () => {
      await server.stop()
      process.exit()
    })
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }))
    process.exit(1)
  }`

/** Opens the server in another process with its own process group. It is stopped when the test ends. */
export function openInChildProcess(
  dataDir: string,
  mode: 'own' | 'join',
  user: { uid?: number; gid?: number } = {},
): OtherProcess {
  const moduleUrl = new URL('../src/kit/embedded-postgres.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, moduleUrl, JSON.stringify({ dataDir, passwords, mode })],
    { ...user, detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  if (child.pid === undefined) throw new Error('no process')
  const exited = new Promise(resolve => child.once('close', resolve))
  // It may have ended a moment before.
  child.stdin.on('error', () => {})
  const outcome = new Promise<string>(resolve => createInterface(child.stdout).once('line', resolve)).then(
    line => JSON.parse(line),
  )
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.stdin.write('leave')
    await exited
  })
  return {
    pid: child.pid,
    child,
    outcome,
    exited,
    stopAndExit() {
      child.stdin.write('leave')
      return exited
    },
  }
}

/** Checks PostgreSQL's lock file: true if a server has the directory open. */
export function isOpen(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
}
