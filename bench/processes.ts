/** Runs program and simulator in separate processes, so that their resources are measured separately. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { type Deployment, openDeployment } from '../src/deployment.ts'
import type { Extraction } from '../src/features/extractions/schemas.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { createLog } from '../src/kit/log.ts'

const root = new URL('..', import.meta.url)
/** Also on a machine that does much else. */
const startMaxMs = 180_000
/** Node options of `npm start`: a young generation of 24 MB instead of 96, which an idle process would keep. */
export const serverOptions = ['--max-semi-space-size=8']
export const serverArguments = [...serverOptions, 'src/main.ts']

export interface BenchProcess {
  url: string
  pid: number
  /** Peak memory of the process in MB. */
  readPeakMb(): Promise<number>
  /** Present and peak memory of the process in MB. */
  readMemoryMb(): Promise<{ current: number; peak: number }>
  stop(): Promise<void>
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a program of this repository and waits until `path` answers. */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
  url: string,
  path: string,
): Promise<BenchProcess> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const deadlineMs = performance.now() + startMaxMs
  while (
    !(await fetch(url + path).then(
      reply => reply.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`${args.join(' ')} did not start: see its output`)
    await sleep(50)
  }
  return {
    url,
    pid: child.pid!,
    readPeakMb: async () => (await readMemoryMb(child)).peak,
    readMemoryMb: () => readMemoryMb(child),
    stop: () => stop(child),
  }
}

async function readMemoryMb({ pid }: ChildProcess): Promise<{ current: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024
  return { current: read('VmRSS'), peak: read('VmHWM') }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export interface SimulatorProcess extends BenchProcess {
  /** URLs of the portals, with credentials. */
  portals: Record<string, string>
}

/** Starts the simulator with this number of Spanish listings. */
export async function startSimulatorProcess(listings?: number): Promise<SimulatorProcess> {
  const port = await findFreePort()
  const args = ['src/simulator/serve.ts', '--port', String(port)]
  if (listings !== undefined) args.push('--listings', String(listings))
  const started = await startProcess(args, {}, `http://127.0.0.1:${port}`, '/__simulator')
  const status = (await (await fetch(`${started.url}/__simulator`)).json()) as {
    addresses: Record<string, string>
  }
  return { ...started, portals: status.addresses }
}

export interface Bench {
  deployment: Deployment
  /** Starts the program with these portals in live; `more` is added to its environment variables. */
  startAldaba(portals: Record<string, string>, more?: Record<string, string>): Promise<BenchProcess>
  /** Creates a live key of a new workspace, so that every listing is a new lead. */
  createLiveKey(): Promise<string>
}

let workspaceCount = 0

/** Runs a benchmark with a new database, on which it starts and stops processes of the program. */
export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-'))
  const log = createLog('error')
  const deployment = await openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log })
  try {
    return await work({
      deployment,
      async startAldaba(portals, more = {}) {
        const port = await findFreePort()
        const env = {
          DATA_DIR: dataDir,
          DATABASE_URL: deployment.embedded!.databaseUrl,
          PORT: String(port),
          LOG_LEVEL: 'error',
          PORTAL_URLS: Object.entries(portals)
            .map(([platform, url]) => `${platform}=${url}`)
            .join(','),
          ...more,
        }
        return startProcess(serverArguments, env, `http://127.0.0.1:${port}`, '/readyz')
      },
      async createLiveKey() {
        const slug = `bench-${++workspaceCount}`
        const { owner } = deployment.database
        await createWorkspace(owner, { name: slug, slug })
        return createKey(owner, { workspace: slug, environment: 'live', name: slug })
      },
    })
  } finally {
    await deployment.close()
    await rm(dataDir, { recursive: true })
  }
}

/** Starts an extraction and waits for its end. Throws if it does not complete. */
export async function extract(url: string, key: string, body: object): Promise<Extraction> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const started = await fetch(`${url}/public/v1/extractions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  let extraction = (await started.json()) as Extraction
  if (started.status !== 202) throw new Error(JSON.stringify(extraction))
  while (extraction.status === 'QUEUED' || extraction.status === 'RUNNING') {
    const path = `/public/v1/extractions/${extraction.extractionId}?waitSeconds=60`
    extraction = (await (await fetch(url + path, { headers })).json()) as Extraction
  }
  if (extraction.status !== 'COMPLETED') throw new Error(JSON.stringify(extraction))
  return extraction
}

/** Seconds from the start of the extraction to its end. */
export function toSeconds({ startedAt, finishedAt }: Extraction): number {
  return (Date.parse(finishedAt!) - Date.parse(startedAt!)) / 1000
}
