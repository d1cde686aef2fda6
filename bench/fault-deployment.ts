/** The deployment of the fault table: API and worker in separate processes, on a PostgreSQL that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import type { Database } from '../src/kit/db/index.ts'
import { createLog } from '../src/kit/log.ts'
import { findFreePort } from './processes.ts'

const log = createLog('fatal')

export interface FaultDeployment {
  url: string
  /** Creates a key of a new workspace, so that every listing is a new lead. */
  createKey(environment: 'live' | 'test'): Promise<string>
  api: Program
  worker: Program
  /** Starts another worker. `more`: environment variables of this one. */
  startWorker(more?: Record<string, string>): Program
  /** Runs a statement as the owner of the database. */
  query<Row>(text: string, values: unknown[]): Promise<Row[]>
  /** Runs work in a transaction of a tenant: the owner of the database changes none of its rows. */
  withTenant: Database['withTenant']
  /** Stops PostgreSQL, by a fast or an immediate shutdown, and starts it again. */
  restartDatabase(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/** Starts the deployment. `portals`: base URLs by portal id. `more`: environment variables. The stack stops it. */
export async function openFaultDeployment(
  stack: AsyncDisposableStack,
  portals: Record<string, string>,
  more: Record<string, string> = {},
): Promise<FaultDeployment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true }))
  const deployment = await openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log })
  const deployments = [deployment]
  stack.defer(async () => {
    for (const opened of deployments.reverse()) await opened.close()
  })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: deployment.embedded!.databaseUrl,
    LOG_LEVEL: 'fatal',
    // As in `npm start`: processes start often.
    NODE_COMPILE_CACHE: new URL('../node_modules/.cache/aldaba', import.meta.url).pathname,
    PORTAL_URLS: Object.entries(portals)
      .map(([platform, address]) => `${platform}=${address}`)
      .join(','),
    PUBLIC_URL: url,
    ...more,
  }
  const startWorker = (first?: Record<string, string>) => {
    const started = startProgram({ ...env, ROLE: 'worker', PORT: '0' }, first)
    stack.defer(() => started.kill())
    return started
  }
  const worker = startWorker()
  const api = startProgram({ ...env, ROLE: 'api', PORT: String(port) })
  stack.defer(() => api.kill())
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    api.throwIfEnded()
    await sleep(50)
  }
  let workspaceCount = 0
  return {
    url,
    api,
    worker,
    startWorker,
    async query<Row>(text: string, values: unknown[]) {
      return (await deployments.at(-1)!.database.ownerPool.query(text, values)).rows as Row[]
    },
    withTenant: (context, work) => deployments.at(-1)!.database.withTenant(context, work),
    async createKey(environment) {
      const slug = `faults-${++workspaceCount}`
      const { owner } = deployments.at(-1)!.database
      await createWorkspace(owner, { name: slug, slug })
      return createKey(owner, { workspace: slug, environment, name: slug })
    },
    async restartDatabase(signal) {
      const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      process.kill(pid, signal)
      while (isAlive(pid)) await sleep(10)
      deployments.push(await openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log }))
    },
  }
}

export interface Program {
  kill(): Promise<void>
  /** Kills the process, and starts a new one. `more`: environment variables of this one. */
  replace(more?: Record<string, string>): Promise<void>
  hasEnded(): boolean
  /** Resolves when the process has ended. */
  waitForEnd(): Promise<void>
  /** Throws if the process has ended by itself, since the extraction would never end. */
  throwIfEnded(): void
}

function startProgram(env: Record<string, string>, first?: Record<string, string>): Program {
  const start = (more: Record<string, string> = {}) =>
    spawn(process.execPath, ['src/main.ts'], {
      cwd: new URL('..', import.meta.url),
      env: { PATH: process.env.PATH!, ...env, ...more },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  let child = start(first)
  return {
    kill: () => kill(child),
    async replace(more) {
      await kill(child)
      child = start(more)
    },
    hasEnded: () => hasEnded(child),
    async waitForEnd() {
      if (!hasEnded(child)) await once(child, 'exit')
    },
    throwIfEnded() {
      if (child.exitCode !== null) throw new Error(`the ${env.ROLE} process has ended`)
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
