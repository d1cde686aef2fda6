/**
 * The fault table: extractions from faulty portals, and while worker, API and database are killed. Compares each
 * result with that of a correct extraction.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Extraction } from '../src/features/extractions/schemas.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import { type Simulator, startSimulator } from '../src/simulator/index.ts'
import * as cases from './fault-cases.ts'
import { type FaultDeployment, openFaultDeployment } from './fault-deployment.ts'
import type { Ratios } from './guard.ts'
import { toSeconds } from './processes.ts'

const concurrentCases = 4
/** Cases of the short form that run concurrently. */
const concurrentQuickCases = 8
const caseTimeoutMs = 120_000

export async function run(): Promise<void> {
  const stack = new AsyncDisposableStack()
  try {
    printRows(await runAllCases(stack))
  } finally {
    await stack.disposeAsync()
  }
}

/** Short form: cases of portal_a that end quickly, and the worst disturbance. */
export async function short(): Promise<Ratios> {
  const stack = new AsyncDisposableStack()
  try {
    const portals = await startPortals(stack)
    const deployment = await openFaultDeployment(stack, portals.urls)
    const runOne: RunCase = (one, meanwhile) => runCase(one, deployment, portals, meanwhile)
    const { portal_a } = portals.simulators
    const isQuick = ({ fault }: cases.Case) => !/hangs|drips|always|50 MB|three times/.test(fault)
    const quick = cases.pageCases(portal_a).filter(isQuick)
    const rows = await runGroups(
      quick.map(one => [one]),
      runOne,
      concurrentQuickCases,
    )
    portal_a.faults.clear()
    rows.push(await createDisturber(portals, runOne)(...killEverything(deployment)))
    const wrong = rows.filter(isWrong)
    if (wrong.length > 0) console.table(wrong)
    return { 'faults that end as expected': 1 - wrong.length / rows.length }
  } finally {
    await stack.disposeAsync()
  }
}

function printRows(table: Row[]): void {
  const wrong = table.filter(isWrong).length
  console.log(`faults, ${table.length - wrong} of ${table.length} as expected`)
  console.table(table)
}

async function runAllCases(stack: AsyncDisposableStack): Promise<Row[]> {
  const portals = await startPortals(stack)
  const deployment = await openFaultDeployment(stack, portals.urls)
  const { portal_a, portal_e } = portals.simulators
  const runOne = (one: cases.Case, meanwhile?: () => Promise<void>) =>
    runCase(one, deployment, portals, meanwhile)

  // Each case of portal_a has another search; other portals have one fault at a time.
  const groups = [
    ...cases.pageCases(portal_a).map(one => [one]),
    cases.partnerCases(),
    await cases.feedCases(portal_e),
    cases.sitemapCases(),
    cases.odataCases(),
    [cases.closedCase('robots.txt disallows', 'portal_b', '724_M_28079')],
    [cases.closedCase('robots.txt: 503, always', 'portal_d', 'lisboa-1106')],
  ]
  const rows = await runGroups(groups, runOne)
  portal_a.faults.clear()
  const disturb = createDisturber(portals, runOne)
  const disturbed = [
    await disturb('worker killed (kill -9)', 'malaga', deployment.worker.replace),
    await disturb('API killed (kill -9)', 'zaragoza', deployment.api.replace),
    await disturb('PostgreSQL restarted', 'bilbao', () => deployment.restartDatabase('SIGINT')),
    await disturb('PostgreSQL killed (kill -9)', 'murcia', () => deployment.restartDatabase('SIGKILL')),
    await disturb(...killEverything(deployment)),
  ]
  return [...rows, ...disturbed]
}

type RunCase = (one: cases.Case, meanwhile?: () => Promise<void>) => Promise<Row>

/** Runs the cases of a group one after the other, and the groups concurrently. Returns rows in the order of the cases. */
async function runGroups(
  groups: cases.Case[][],
  runOne: RunCase,
  concurrency = concurrentCases,
): Promise<Row[]> {
  const rows: Row[][] = []
  const remaining = [...groups.entries()]
  const runNext = async () => {
    for (let next = remaining.shift(); next; next = remaining.shift()) {
      const [index, group] = next
      const done: Row[] = []
      rows[index] = done
      for (const one of group) done.push(await runOne(one))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runNext))
  return rows.flat()
}

type Disturbance = [fault: string, city: string, disturb: () => Promise<void>]

/** Runs a case with a disturbance in the middle. */
function createDisturber({ simulators: { portal_a } }: Pick<Portals, 'simulators'>, runOne: RunCase) {
  return (...[fault, city, disturb]: Disturbance) =>
    runOne(cases.slowCase(fault, city, portal_a), async () => {
      await waitForRequests(portal_a)
      await disturb()
    })
}

const killEverything = (deployment: FaultDeployment): Disturbance => [
  'worker, API and PostgreSQL killed',
  'alicante',
  async () => {
    await Promise.all([deployment.worker.kill(), deployment.api.kill()])
    await deployment.restartDatabase('SIGKILL')
    await Promise.all([deployment.worker.replace(), deployment.api.replace()])
  },
]

const verdictColumn = ' '
type Row = Record<string, string | number> & { [verdictColumn]: string }
const isWrong = (row: Row) => row[verdictColumn] !== ''

async function runCase(
  one: cases.Case,
  deployment: FaultDeployment,
  { simulators }: Portals,
  meanwhile?: () => Promise<void>,
): Promise<Row> {
  const { fault, platform, faults, body, leads, end } = one
  const simulator = simulators[platform as keyof typeof simulators] as Simulator | undefined
  for (const faultRule of faults) simulator?.faults.add({ ...faultRule, portal: platform })
  const key = await deployment.createKey('live')
  const running = extract(deployment, key, body)
  await meanwhile?.()
  const extraction = await running
  // Other portals run one case at a time.
  if (platform !== 'portal_a') simulator?.faults.clear()
  const { leadsFound, duplicates } = await countListings(deployment.url, key)
  const { status, outcome, capped, error } = extraction
  const ended = `${status} ${error?.code ?? (capped ? 'capped' : outcome)}`
  const isRight = ended === end && leadsFound >= leads[0] && leadsFound <= leads[1] && duplicates === 0
  return {
    portal: platform,
    fault,
    'leads expected': leads[0] === leads[1] ? leads[0] : leads.join(' to '),
    'leads got': leadsFound,
    duplicates,
    'state expected': end,
    state: ended,
    seconds: extraction.finishedAt ? Number(toSeconds(extraction).toFixed(1)) : '',
    [verdictColumn]: isRight ? '' : '← WRONG',
  }
}

/**
 * Starts an extraction and waits for its end; at the timeout it returns the last known state. Retries while the
 * service does not answer.
 */
async function extract(
  { url, api, worker }: FaultDeployment,
  key: string,
  body: object,
): Promise<Extraction> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const extractions = `${url}/public/v1/extractions`
  const started = await fetch(extractions, { method: 'POST', headers, body: JSON.stringify(body) })
  let extraction = (await started.json()) as Extraction
  if (started.status !== 202) throw new Error(JSON.stringify(extraction))
  const deadlineMs = performance.now() + caseTimeoutMs
  while (['QUEUED', 'RUNNING'].includes(extraction.status) && performance.now() < deadlineMs) {
    worker.throwIfEnded()
    api.throwIfEnded()
    const path = `${extractions}/${extraction.extractionId}?waitSeconds=10`
    const reply = await fetch(path, { headers }).catch(() => null)
    if (reply?.ok) extraction = (await reply.json()) as Extraction
    else await sleep(200)
  }
  return extraction
}

/** Counts distinct listings among the leads of a key's workspace, and duplicates. */
async function countListings(url: string, key: string): Promise<{ leadsFound: number; duplicates: number }> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const reply = await fetch(`${url}/public/v1/leads?limit=200${query}`, { headers: { 'x-api-key': key } })
    const page = (await reply.json()) as { data: Lead[]; nextCursor: string | null }
    for (const { sources } of page.data) for (const { listingId } of sources) ids.push(listingId)
    cursor = page.nextCursor
  }
  const leadsFound = new Set(ids).size
  return { leadsFound, duplicates: ids.length - leadsFound }
}

/** Waits until a few dozen listings have been requested. */
async function waitForRequests({ requests }: Simulator): Promise<void> {
  const requestsMin = requests.portal_a.detail + 40
  const deadlineMs = performance.now() + caseTimeoutMs
  while (requests.portal_a.detail < requestsMin && performance.now() < deadlineMs) await sleep(10)
}

type Portals = Awaited<ReturnType<typeof startPortals>>

/** A simulator per portal, so that the faults of one can be cleared separately, and two closed portals. */
async function startPortals(stack: AsyncDisposableStack) {
  const start = async (listings: number) => {
    const simulator = await startSimulator({ listings })
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
    portal_b: await startClosedPortal(stack, 200, 'User-agent: *\nDisallow: /\n'),
    portal_d: await startClosedPortal(stack, 503, ''),
  }
  for (const [id, simulator] of Object.entries(simulators))
    urls[id] = simulator.portalAddress(id as keyof typeof simulators)
  return { simulators, urls }
}

/** A portal that answers every request, also for robots.txt, with this status and body. */
async function startClosedPortal(stack: AsyncDisposableStack, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

if (import.meta.main) await run()
