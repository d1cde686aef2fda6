/**
 * One caller means harm, with input, files, crowds of requests, searches, or a portal of hostile pages: how long another
 * workspace's `POST /leads`, and `/livez`, wait meanwhile. Nobody may wait for more than 250 ms.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { advertsAround, fillMarket } from '../test/market.ts'
import type { Ratios } from './guard.ts'
import { type Answers, type Case, createAttacker, place } from './hostile/attacker.ts'
import { crowdCases, searchCases } from './hostile/crowds.ts'
import { fileCases, inputCases } from './hostile/inputs.ts'
import { pageCases, startHostilePortal } from './hostile/pages.ts'
import type { Waits } from './hostile-probe.ts'
import { percentile } from './load.ts'
import { type Bench, startSimulatorProcess, withBench } from './processes.ts'

const waitMaxMs = 250
/** A case is watched at least for so long. */
const watchedMs = 1000
const shortCases = 5

type HostilePortal = Awaited<ReturnType<typeof startHostilePortal>>

/** Those whose names contain `HOSTILE_CASES`, where that is set. */
const wanted = process.env.HOSTILE_CASES ?? ''

export async function run(): Promise<void> {
  const isWanted = (name: string) => name.includes(wanted)
  show(
    await measureCases(portal =>
      [...inputCases, ...fileCases, ...crowdCases, ...searchCases, ...pageCases(portal)].filter(({ name }) =>
        isWanted(name),
      ),
    ),
  )
}

/** Inputs that once stopped the process for seconds or minutes. */
export async function short(): Promise<Ratios> {
  const rows = await measureCases(() => inputCases.slice(0, shortCases))
  const all = Object.values(rows)
  const quick = all.filter(row => !isLong(row) && row.others === 'served')
  return { 'attacks that others do not notice': quick.length / all.length }
}

async function measureCases(casesOf: (portal: HostilePortal) => Case[]): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {}
  await withBench(async bench => {
    await fillMarket(bench.deployment.database, 'live', advertsAround(place, {}, 400))
    const simulator = await startSimulatorProcess()
    const portal = await startHostilePortal(new URL(simulator.portals.portal_a!).origin, listingPage)
    const aldaba = await bench.startAldaba(
      { portal_a: portal.url },
      { ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' },
    )
    const probe = fork(new URL('./hostile-probe.ts', import.meta.url), [aldaba.url, await bench.newKey()])
    try {
      for (const one of [nothing, ...casesOf(portal)]) {
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
/** What the machine itself makes the others wait. */
const nothing: Case = { name: 'nothing', attack: async () => ({}) }

interface Row {
  'livez, longest ms': number
  'livez, p99 ms': number
  'leads, longest ms': number
  'leads, p99 ms': number
  s: string
  others: string
  'the attacker was answered': string
}

async function measure(one: Case, bench: Bench, url: string, probe: ChildProcess): Promise<Row> {
  const key = await bench.newKey()
  // What is measured is not how often a key may call.
  await bench.deployment.database.owner
    .updateTable('workspaces')
    .set({ requests_per_minute: 1_000_000 })
    .execute()
  const attacker = createAttacker(url, key)
  const prepared = (await one.prepare?.(attacker)) as never
  probe.send('begin')
  const startedMs = performance.now()
  const answers = await one.attack(attacker, prepared)
  const seconds = (performance.now() - startedMs) / 1000
  await sleep(Math.max(0, watchedMs - seconds * 1000))
  probe.send('end')
  const [waits] = (await once(probe, 'message')) as [Waits]
  return rowOf(waits, answers, seconds)
}

function rowOf({ alive, lead, wrong }: Waits, answers: Answers, seconds: number): Row {
  const longest = (waits: number[]) => Math.round(percentile(waits, 1))
  return {
    'livez, longest ms': longest(alive),
    'livez, p99 ms': Math.round(percentile(alive, 0.99)),
    'leads, longest ms': longest(lead),
    'leads, p99 ms': Math.round(percentile(lead, 0.99)),
    s: seconds.toFixed(1),
    others: listed(wrong) || 'served',
    'the attacker was answered': listed(answers),
  }
}

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')

const isLong = (row: Row) => Math.max(row['livez, longest ms'], row['leads, longest ms']) > waitMaxMs

function show(rows: Record<string, Row>): void {
  const long = Object.entries(rows).filter(([, row]) => isLong(row))
  console.log(
    `hostile callers: how long others wait; ${long.length} of ${Object.keys(rows).length} over ${waitMaxMs} ms`,
  )
  console.table(rows)
}

if (import.meta.main) await run()
