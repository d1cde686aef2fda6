/**
 * Attacks by one caller: costly input, files, many requests, searches, or a portal of hostile pages. Measures how
 * long `POST /leads` of another workspace, and `/livez`, wait meanwhile: 250 ms at most.
 *
 * An attack lasts until a hundred leads were posted, or for some seconds. Attacker and portals represent other
 * machines: their processes have a lower priority (nice 10) than the server, PostgreSQL and the probe.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillMarket, makeListingsAround } from '../test/market.ts'
import type { Ratios } from './guard.ts'
import {
  type Answers,
  type Attacker,
  addCounts,
  type Case,
  createAttacker,
  place,
  waitForBackground,
} from './hostile/attacker.ts'
import { crowdCases, searchCases } from './hostile/crowds.ts'
import { pageCases, startHostilePortal } from './hostile/hostile-portal.ts'
import { fileCases, inputCases } from './hostile/inputs.ts'
import type { Waits } from './hostile-probe.ts'
import { percentile } from './load.ts'
import { type Bench, startSimulatorProcess, withBench } from './processes.ts'

const waitMaxMs = 250
/** An attack is repeated for this time, unless the probe has enough requests. */
const attackMaxMs = 4000
/** Warm-up of server and probe. */
const warmUpMs = 3000
const cancelTimeoutMs = 20_000
const attackerNice = 10
const shortCases = 5

type HostilePortal = Awaited<ReturnType<typeof startHostilePortal>>

/** Cases whose names match `HOSTILE_CASES`, if it is set. */
const namePattern = new RegExp(process.env.HOSTILE_CASES ?? '')

export async function run(): Promise<void> {
  const isSelected = (name: string) => namePattern.test(name)
  printRows(
    await measureCases(
      portal =>
        [...inputCases, ...fileCases, ...crowdCases, ...searchCases, ...pageCases(portal)].filter(
          ({ name }) => isSelected(name),
        ),
      // The priority cannot be raised again: later work in this process would keep it.
      pids => {
        for (const pid of pids) setPriority(pid, attackerNice)
      },
    ),
  )
}

/** Short form: inputs that once blocked the process for seconds or minutes. */
export async function short(): Promise<Ratios> {
  const rows = await measureCases(() => inputCases.slice(0, shortCases))
  const { [baselineCase.name]: _, ...attacks } = rows
  const all = Object.values(attacks)
  const quick = all.filter(row => !isLong(row) && row.others === 'served')
  return { 'attacks that others do not notice': quick.length / all.length }
}

async function measureCases(
  makeCases: (portal: HostilePortal) => Case[],
  lowerPriority: (pids: number[]) => void = () => {},
): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {}
  await withBench(async bench => {
    await fillMarket(bench.deployment.database, 'live', makeListingsAround(place, {}, 400))
    const simulator = await startSimulatorProcess()
    const portal = await startHostilePortal(new URL(simulator.portals.portal_a!).origin, listingPage)
    const aldaba = await bench.startAldaba(
      { portal_a: portal.url },
      { ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' },
    )
    const probe = fork(new URL('./hostile-probe.ts', import.meta.url), [
      aldaba.url,
      await bench.createLiveKey(),
    ])
    lowerPriority([process.pid, simulator.pid])
    try {
      await sleep(warmUpMs)
      for (const one of [baselineCase, ...makeCases(portal)]) {
        rows[one.name] = await measure(one, bench, aldaba.url, probe)
        console.log(one.name, JSON.stringify(rows[one.name]))
      }
    } finally {
      probe.disconnect()
      probe.kill()
      portal.stop()
      await aldaba.stop()
      await simulator.stop()
    }
  })
  return rows
}

const listingPage = /^\/inmueble\//
/** Waits without an attack. */
const baselineCase: Case = { name: 'nothing', attack: () => waitForBackground({}, 500) }

interface Row {
  'livez, longest ms': number
  'livez, p99 ms': number
  'leads, longest ms': number
  'leads, p99 ms': number
  'leads posted': number
  seconds: string
  others: string
  'replies to the attacker': string
}

async function measure(one: Case, bench: Bench, url: string, probe: ChildProcess): Promise<Row> {
  const key = await bench.createLiveKey()
  // The rate limit must not stop the attack.
  await bench.deployment.database.owner
    .updateTable('workspaces')
    .set({ requests_per_minute: 1_000_000 })
    .execute()
  const attacker = createAttacker(url, key)
  const prepared = (await one.prepare?.(attacker)) as never
  let isEnough = false
  probe.send('begin')
  void once(probe, 'message').then(() => {
    isEnough = true
  })
  const startedMs = performance.now()
  const answers: Answers = {}
  do addCounts(answers, await one.attack(attacker, prepared))
  while (!isEnough && performance.now() - startedMs < attackMaxMs)
  const seconds = (performance.now() - startedMs) / 1000
  if (!isEnough) await once(probe, 'message')
  probe.send('end')
  const [waits] = (await once(probe, 'message')) as [Waits]
  await cancelRemainingWork(bench, attacker)
  return toRow(waits, answers, seconds)
}

/** Cancels the remaining work of an attack before the next one is measured. */
async function cancelRemainingWork({ deployment }: Bench, attacker: Attacker): Promise<void> {
  const { ownerPool } = deployment.database
  await ownerPool.query('truncate aldaba.webhook_subscriptions cascade')
  const deadlineMs = performance.now() + cancelTimeoutMs
  for (const path of ['/leads/imports', '/extractions']) await cancelAll(attacker, path, deadlineMs)
  for (;;) {
    await ownerPool.query('delete from graphile_worker._private_jobs where locked_at is null')
    const { rows } = await ownerPool.query('select from graphile_worker._private_jobs')
    if (rows.length === 0) return
    if (performance.now() > deadlineMs) {
      console.log(`${rows.length} jobs of this attack are still pending`)
      return
    }
    await sleep(100)
  }
}

/** Cancels all ongoing operations of this list. Retries while the list is refused because of too many requests. */
async function cancelAll({ send }: Attacker, path: string, deadlineMs: number): Promise<void> {
  for (;;) {
    const { status, body } = await send('GET', `${path}?limit=200`)
    if (status === '200') {
      const { data } = JSON.parse(body) as { data: Started[] }
      const ongoing = data.filter(({ status }) => status === 'QUEUED' || status === 'RUNNING')
      for (const { id, extractionId } of ongoing) await send('POST', `${path}/${id ?? extractionId}/cancel`)
      return
    }
    if (performance.now() > deadlineMs) throw new Error(`${path} could not be listed: ${status}`)
    await sleep(100)
  }
}

interface Started {
  id?: string
  extractionId?: string
  status: string
}

function toRow({ liveness, lead, wrong }: Waits, answers: Answers, seconds: number): Row {
  const longest = (waits: number[]) => Math.round(percentile(waits, 1))
  return {
    'livez, longest ms': longest(liveness),
    'livez, p99 ms': Math.round(percentile(liveness, 0.99)),
    'leads, longest ms': longest(lead),
    'leads, p99 ms': Math.round(percentile(lead, 0.99)),
    'leads posted': lead.length,
    seconds: seconds.toFixed(1),
    others: formatCounts(wrong) || 'served',
    'replies to the attacker': formatCounts(answers),
  }
}

const formatCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')

const isLong = (row: Row) => Math.max(row['livez, longest ms'], row['leads, longest ms']) > waitMaxMs

function printRows(rows: Record<string, Row>): void {
  const long = Object.entries(rows).filter(([, row]) => isLong(row))
  console.log(
    `hostile callers: waits of others; ${long.length} of ${Object.keys(rows).length} over ${waitMaxMs} ms`,
  )
  console.table(rows)
}

if (import.meta.main) await run()
