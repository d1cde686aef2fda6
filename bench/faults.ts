/**
 * The fault table: extractions from portals that misbehave, and while worker, API and database are killed; beside what each
 * has in the end stands what one that does not lie would have.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import type { Extraction } from '../src/features/extractions/schemas.ts'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { createLog } from '../src/kit/log.ts'
import { type Simulator, startSimulator } from '../src/simulator/index.ts'
import * as cases from './fault-cases.ts'
import { freePort, secondsOf } from './processes.ts'

const rowsAtOnce = 4
const rowMaxMs = 120_000
const log = createLog('fatal')

export async function run(): Promise<void> {
  const stack = new AsyncDisposableStack()
  try {
    show(await listRows(stack))
  } finally {
    await stack.disposeAsync()
  }
}

function show(table: Row[]): void {
  const wrong = table.filter(row => row[mark] !== '').length
  console.log(`faults, ${table.length - wrong} of ${table.length} as expected`)
  console.table(table)
}

async function listRows(stack: AsyncDisposableStack): Promise<Row[]> {
  const portals = await startPortals(stack)
  const site = await openSite(stack, portals.urls)
  const { portal_a, portal_e } = portals.simulators
  const rowOf = (one: cases.Case, meanwhile?: () => Promise<void>) => runCase(one, site, portals, meanwhile)

  // Of portal_a each case has a search of its own; another portal has one fault after the other.
  const groups = [
    ...cases.pageCases(portal_a).map(one => [one]),
    ...[cases.partnerCases(), await cases.feedCases(portal_e), cases.sitemapCases(), cases.odataCases()],
    [cases.closedCase('robots.txt disallows', 'portal_b', '724_M_28079')],
    [cases.closedCase('robots.txt: 503, always', 'portal_d', 'lisboa-1106')],
  ]
  const rows: Row[][] = []
  const left = [...groups.entries()]
  const runNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, group] = next
      const done: Row[] = []
      rows[at] = done
      for (const one of group) done.push(await rowOf(one))
    }
  }
  await Promise.all(Array.from({ length: rowsAtOnce }, runNext))

  portal_a.faults.clear()
  const inTheMiddle = () => untilAsked(portal_a)
  const disturb = (fault: string, city: string, disturbance: () => Promise<void>) =>
    rowOf(cases.slowCase(fault, city, portal_a), async () => {
      await inTheMiddle()
      await disturbance()
    })
  const disturbed = [
    await disturb('worker killed (kill -9)', 'malaga', site.worker.replace),
    await disturb('API killed (kill -9)', 'zaragoza', site.api.replace),
    await disturb('PostgreSQL restarted', 'bilbao', () => site.restartDatabase('SIGINT')),
    await disturb('PostgreSQL killed (kill -9)', 'murcia', () => site.restartDatabase('SIGKILL')),
    await disturb('worker, API and PostgreSQL killed', 'alicante', async () => {
      await Promise.all([site.worker.kill(), site.api.kill()])
      await site.restartDatabase('SIGKILL')
      await Promise.all([site.worker.replace(), site.api.replace()])
    }),
  ]
  return [...rows.flat(), ...disturbed]
}

const mark = ' '
type Row = Record<string, string | number> & { [mark]: string }

async function runCase(
  one: cases.Case,
  site: Site,
  { simulators }: Portals,
  meanwhile?: () => Promise<void>,
): Promise<Row> {
  const { fault, platform, faults, body, leads, end } = one
  const simulator = simulators[platform as keyof typeof simulators] as Simulator | undefined
  for (const spoilt of faults) simulator?.faults.set({ ...spoilt, portal: platform })
  const key = await site.newKey()
  const running = extract(site, key, body)
  await meanwhile?.()
  const extraction = await running
  // The other portals have no two cases at once.
  if (platform !== 'portal_a') simulator?.faults.clear()
  const got = await countAdverts(site.url, key)
  const { status, outcome, error } = extraction
  const ended = `${status} ${error?.code ?? outcome}`
  const isRight = ended === end && got >= leads[0] && got <= leads[1]
  return {
    portal: platform,
    fault,
    'leads expected': leads[0] === leads[1] ? leads[0] : leads.join(' to '),
    'leads got': got,
    'state expected': end,
    state: ended,
    seconds: extraction.finishedAt ? Number(secondsOf(extraction).toFixed(1)) : '',
    [mark]: isRight ? '' : '← WRONG',
  }
}

/** The extraction when it has ended, or as it was last seen; a service that does not answer for a while is asked again. */
async function extract({ url, api, worker }: Site, key: string, body: object): Promise<Extraction> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const extractions = `${url}/public/v1/extractions`
  const started = await fetch(extractions, { method: 'POST', headers, body: JSON.stringify(body) })
  let extraction = (await started.json()) as Extraction
  if (started.status !== 202) throw new Error(JSON.stringify(extraction))
  const deadlineMs = performance.now() + rowMaxMs
  while (['QUEUED', 'RUNNING'].includes(extraction.status) && performance.now() < deadlineMs) {
    worker.check()
    api.check()
    const path = `${extractions}/${extraction.extractionId}?waitSeconds=10`
    const reply = await fetch(path, { headers }).catch(() => null)
    if (reply?.ok) extraction = (await reply.json()) as Extraction
    else await sleep(200)
  }
  return extraction
}

/** Different adverts among the leads of a key's workspace: one that is there twice does not stand for another. */
async function countAdverts(url: string, key: string): Promise<number> {
  const ids = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const reply = await fetch(`${url}/public/v1/leads?limit=200${query}`, { headers: { 'x-api-key': key } })
    const page = (await reply.json()) as { data: Lead[]; nextCursor: string | null }
    for (const { sources } of page.data) for (const { listingId } of sources) ids.add(listingId)
    cursor = page.nextCursor
  }
  return ids.size
}

/** Waits until adverts have been asked for, a few dozen of them. */
async function untilAsked({ requests }: Simulator): Promise<void> {
  const enough = requests.portal_a.detail + 40
  const deadlineMs = performance.now() + rowMaxMs
  while (requests.portal_a.detail < enough && performance.now() < deadlineMs) await sleep(10)
}

type Portals = Awaited<ReturnType<typeof startPortals>>

/** A simulator for each portal, so that the faults of one can be cleared alone, and two portals that are closed. */
async function startPortals(stack: AsyncDisposableStack) {
  const start = async (adverts: number) => {
    const simulator = await startSimulator({ adverts })
    stack.defer(() => simulator.close())
    return simulator
  }
  const simulators = {
    portal_a: await start(20_000),
    portal_c: await start(4000),
    portal_e: await start(4000),
    portal_f: await start(1000),
    portal_g: await start(4000),
  }
  const urls: Record<string, string> = {
    portal_b: await startClosed(stack, 200, 'User-agent: *\nDisallow: /\n'),
    portal_d: await startClosed(stack, 503, ''),
  }
  for (const [id, simulator] of Object.entries(simulators))
    urls[id] = simulator.portalAddress(id as keyof typeof simulators)
  return { simulators, urls }
}

/** Answers every request as it does the one for robots.txt. */
async function startClosed(stack: AsyncDisposableStack, status: number, robots: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(robots))
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Site {
  url: string
  /** A live key of a new workspace, so that every advert is a new lead. */
  newKey(): Promise<string>
  api: Program
  worker: Program
  /** Stops PostgreSQL, by its fast shutdown that cuts everybody off or at once, and starts it again. */
  restartDatabase(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/** API and worker in processes of their own. */
async function openSite(stack: AsyncDisposableStack, portals: Record<string, string>): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true }))
  const deployment = await openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log })
  const deployments = [deployment]
  stack.defer(async () => {
    for (const opened of deployments.reverse()) await opened.close()
  })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ DATA_DIR: dataDir, DATABASE_URL: deployment.embedded!.databaseUrl, LOG_LEVEL: 'fatal' },
    PORTAL_URLS: Object.entries(portals)
      .map(([platform, address]) => `${platform}=${address}`)
      .join(','),
  }
  const worker = startProgram({ ...env, ROLE: 'worker', PORT: '0' })
  const api = startProgram({ ...env, ROLE: 'api', PORT: String(port) })
  stack.defer(() => worker.kill())
  stack.defer(() => api.kill())
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    api.check()
    await sleep(50)
  }
  let workspaces = 0
  return {
    ...{ url, api, worker },
    async newKey() {
      const slug = `faults-${++workspaces}`
      const { owner } = deployments.at(-1)!.database
      await createWorkspace(owner, { name: slug, slug })
      return createKey(owner, { workspace: slug, environment: 'live', name: slug })
    },
    async restartDatabase(signal) {
      const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      process.kill(pid, signal)
      while (isAlive(pid)) await sleep(10)
      deployments.push(await openDeployment(loadConfig({ DATA_DIR: dataDir }), { mode: 'own', log }))
    },
  }
}

interface Program {
  kill(): Promise<void>
  /** Kills it, and starts another in its place. */
  replace(): Promise<void>
  /** Throws if it has ended by itself: nothing would ever end. */
  check(): void
}

function startProgram(env: Record<string, string>): Program {
  const start = () =>
    spawn(process.execPath, ['src/main.ts'], {
      cwd: new URL('..', import.meta.url),
      env: { PATH: process.env.PATH!, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  let child = start()
  return {
    kill: () => kill(child),
    async replace() {
      await kill(child)
      child = start()
    },
    check() {
      if (child.exitCode !== null) throw new Error(`the ${env.ROLE} does not run`)
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
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

if (import.meta.main) await run()
