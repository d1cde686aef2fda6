/**
 * The time from the command to ready, on a new directory and again, compared with PostgreSQL alone; and the memory of
 * the idle server.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbeddedPostgres } from '../src/kit/embedded-postgres.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { findFreePort, serverArguments } from './processes.ts'

const rounds = 5
const idleSeconds = 10
const shortRounds = 3

export async function run(): Promise<void> {
  const times = {
    fresh: [] as number[],
    again: [] as number[],
    freshLimit: [] as number[],
    againLimit: [] as number[],
  }
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    await withFreshDirectory(async dataDir => {
      times.freshLimit.push(await timePostgres(dataDir))
      times.againLimit.push(await timePostgres(dataDir))
    })
    await withFreshDirectory(async dataDir => {
      times.fresh.push((await timeServer(dataDir)).readyMs)
      const again = await timeServer(dataDir, round === 0 ? idleSeconds : 0)
      times.again.push(again.readyMs)
      if (again.memoryMb) memory.push(again.memoryMb)
    })
  }
  console.log(`start to ready, medians of ${rounds}; limit: PostgreSQL alone, created, started and connected`)
  console.table({
    'fresh directory': {
      ms: Math.round(median(times.fresh)),
      'limit ms': Math.round(median(times.freshLimit)),
    },
    'existing directory': {
      ms: Math.round(median(times.again)),
      'limit ms': Math.round(median(times.againLimit)),
    },
  })
  const bare = await measureBareNodeMb()
  console.log(`memory of the idle server process after ${idleSeconds} s`)
  console.table({ aldaba: { MB: Math.round(median(memory)) }, 'bare node (limit)': { MB: Math.round(bare) } })
}

/** Short form: starts in an existing directory, in turn with the limit. */
export async function short(): Promise<Ratios> {
  const starts: number[] = []
  let memory = 0
  await withFreshDirectory(async limitDir => {
    await withFreshDirectory(async dataDir => {
      for (let round = 0; round <= shortRounds; round++) {
        const isLast = round === shortRounds
        const limitMs = await timePostgres(limitDir)
        const { readyMs, memoryMb } = await timeServer(dataDir, isLast ? 3 : 0)
        // The first round creates the databases.
        if (round > 0) starts.push(limitMs / readyMs)
        if (isLast) memory = (await measureBareNodeMb()) / memoryMb!
      }
    })
  })
  return { 'start of the limit': median(starts), 'idle memory of bare node': memory }
}

async function withFreshDirectory(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-'))
  try {
    await work(dataDir)
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

async function timePostgres(dataDir: string): Promise<number> {
  const startedMs = performance.now()
  const server = await openEmbeddedPostgres({
    dataDir,
    passwords: { superuser: 'bench', owner: 'bench' },
    mode: 'own',
    log: () => {},
  })
  const ms = performance.now() - startedMs
  await server.stop()
  return ms
}

/** Starts the program like `npm start`, without npm, which takes half a second. */
async function timeServer(
  dataDir: string,
  idleForSeconds = 0,
): Promise<{ readyMs: number; memoryMb: number | null }> {
  const port = await findFreePort()
  const startedMs = performance.now()
  const child = spawn(process.execPath, serverArguments, {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: 'node_modules/.cache/aldaba',
    },
    stdio: 'inherit',
  })
  while (!(await isReady(port))) await sleep(10)
  const readyMs = performance.now() - startedMs
  await sleep(idleForSeconds * 1000)
  const memoryMb = idleForSeconds > 0 ? await readResidentMb(child.pid!) : null
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { readyMs, memoryMb }
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    reply => reply.ok,
    () => false,
  )
}

async function measureBareNodeMb(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'require("node:http").createServer().listen(0)'])
  await sleep(1000)
  const mb = await readResidentMb(child.pid!)
  child.kill()
  return mb
}

async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}

if (import.meta.main) await run()
