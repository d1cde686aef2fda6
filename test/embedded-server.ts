/** For tests of the embedded PostgreSQL: directories, servers and processes that are gone when the test is over. */
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

/** A first start is a second's work where nothing else runs, and many times that on a busy machine. */
export const startTimeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export const isRoot = process.getuid?.() === 0
export const passwords = { superuser: 'super/user @%41é', owner: 'owner+pass word' }

/** A new empty directory; with a name that every quoting on the way has to get right. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(inject('runDir'), `aldaba, "l'año" %41+`))
  // mkdtemp closes it to the user that PostgreSQL runs as when we are root.
  chmodSync(directory, 0o755)
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
  return directory
}

/** Opens the server in this process; stopped when the test is over, if the test has not. */
export async function open(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ dataDir, passwords, mode: 'own', log: () => {}, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** The sentence with which opening fails. */
export async function openError(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<string> {
  const outcome = await open(dataDir, options).catch((error: unknown) => error)
  if (outcome instanceof Error && outcome.name === 'EmbeddedPostgresError') return outcome.message
  throw new Error('opening was not refused with a sentence', { cause: outcome })
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
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

/** A data directory whose first start is over, copied from one that is made once per process; `name` is under it. */
export async function makeStartedDirectory(name = ''): Promise<string> {
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
  /** what opening came to in that process */
  outcome: Promise<{ owner?: boolean; error?: string }>
  exited: Promise<unknown>
  /** lets it call stop() and exit */
  leave(): Promise<unknown>
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

/** Opens the server in another process, in a process group of its own; made to leave when the test is over. */
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
  // It may have left by itself a moment before it is told to.
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
    leave() {
      child.stdin.write('leave')
      return exited
    },
  }
}

/** Whether a server has the directory open, by PostgreSQL's own lock file. */
export function isOpen(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
}
