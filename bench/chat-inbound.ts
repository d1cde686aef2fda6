/**
 * Inbound webhooks of WhatsApp: accepted per second, their latency, and messages stored per second; with one account
 * and with ten. Limit: node:http that verifies the signature and inserts a row, in turn with the program.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  appSecret,
  type ChatAccount,
  connectAccounts,
  makeInboundBody,
  signBody,
  startGraphServer,
  toChatEnv,
} from './chat-accounts.ts'
import type { Ratios } from './guard.ts'
import { connections, median, type PostFigures, percentile, postAll } from './load.ts'
import { type Bench, type BenchProcess, findFreePort, startProcess, withBench } from './processes.ts'

/** Who write to an account. */
const people = 200
const full = { bodies: 2000, rounds: 3 }
/** The processing of all bodies is watched for so long at most. */
const processingSecondsMax = 90
const quick = { bodies: 1000, rounds: 5 }

interface Setting {
  bench: Bench
  graph: BenchProcess
  limit: BenchProcess
}

export async function run(): Promise<void> {
  await withLimit(async setting => {
    const rows: Record<string, object> = {}
    for (const accounts of [1, 10]) {
      rows[`${accounts} accounts, API alone`] = await measure(setting, accounts, 'api')
      rows[`${accounts} accounts, one process`] = await measure(setting, accounts, 'all')
    }
    console.log(
      `signed WhatsApp bodies of ${people} people for each account, ${connections} concurrent posts, medians of ${full.rounds} rounds of ${full.bodies} after a warm-up; limit: node:http that verifies and inserts`,
    )
    console.table(rows)
  })
}

/** Short form: the API alone, because the share of the worker depends on the number of cores. */
export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withLimit(async setting => {
    const { program, accounts } = await startProgram(setting, 10, 'api')
    const compared = await compare(setting, program, accounts, quick)
    const { rates, limits, latenciesMs, limitLatenciesMs } = compared
    ratios = {
      'webhooks/s of the limit': computeRatio(rates, limits),
      'p99 of the limit/p99': percentile(limitLatenciesMs, 0.99) / percentile(latenciesMs, 0.99),
    }
    await program.stop()
  })
  return ratios
}

async function withLimit(work: (setting: Setting) => Promise<void>): Promise<void> {
  await withBench(async bench => {
    const graph = await startGraphServer()
    const port = await findFreePort()
    const superuserUrl = bench.deployment.embedded!.superuserUrl
    const limit = await startProcess(
      ['bench/webhook-limit-server.ts', String(port), superuserUrl, appSecret],
      {},
      `http://127.0.0.1:${port}`,
      '/',
    )
    await work({ bench, graph, limit })
    await Promise.all([limit.stop(), graph.stop()])
  })
}

async function startProgram({ bench, graph }: Setting, count: number, role: 'api' | 'all') {
  const program = await bench.startAldaba({}, { ...toChatEnv(graph), ROLE: role })
  const key = await bench.createLiveKey()
  const accounts = await connectAccounts(program.url, key, 'whatsapp_cloud', count)
  return { program, accounts }
}

async function measure(setting: Setting, count: number, role: 'api' | 'all'): Promise<object> {
  const { program, accounts } = await startProgram(setting, count, role)
  const { rates, limits, latenciesMs, limitLatenciesMs } = await compare(setting, program, accounts, full)
  const stored =
    role === 'api' ? await measureWorker(setting, accounts) : await measureProcessing(setting, accounts)
  await program.stop()
  return {
    'limit/s': Math.round(median(limits)),
    'limit, p50 ms': percentile(limitLatenciesMs, 0.5).toFixed(1),
    'limit, p99 ms': percentile(limitLatenciesMs, 0.99).toFixed(1),
    'accepted/s': Math.round(median(rates)),
    'p50 ms': percentile(latenciesMs, 0.5).toFixed(1),
    'p99 ms': percentile(latenciesMs, 0.99).toFixed(1),
    'share of the limit': computeRatio(rates, limits).toFixed(2),
    'messages stored/s': stored === null ? 'all were' : Math.round(stored),
  }
}

/** Starts a worker for the bodies that wait. Returns the messages that it stores per second. */
async function measureWorker({ bench, graph }: Setting, accounts: ChatAccount[]): Promise<number | null> {
  const worker = await bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'worker' })
  const perSecond = await measureProcessing({ bench }, accounts)
  await worker.stop()
  return perSecond
}

/**
 * Waits until all bodies are processed, so that none is left for the next row. Returns messages stored per second; null: all
 * were already.
 */
async function measureProcessing(
  { bench }: Pick<Setting, 'bench'>,
  accounts: ChatAccount[],
): Promise<number | null> {
  let first = 0
  while (first === 0) first = await countMessages(bench, accounts)
  const startedMs = performance.now()
  const total = full.bodies * (full.rounds + 1)
  let count = first
  let seconds = 0
  while (count < total && seconds < processingSecondsMax) {
    await sleep(50)
    count = await countMessages(bench, accounts)
    seconds = (performance.now() - startedMs) / 1000
  }
  return seconds === 0 ? null : (count - first) / seconds
}

const computeRatio = (rates: number[], limits: number[]) =>
  median(rates.map((rate, round) => rate / limits[round]!))

async function compare(
  { limit }: Setting,
  program: BenchProcess,
  accounts: ChatAccount[],
  { bodies, rounds }: typeof full,
) {
  const rates: number[] = []
  const limits: number[] = []
  const latenciesMs: number[] = []
  const limitLatenciesMs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = await post(accounts, bodies, () => limit.url)
    const figures = await post(
      accounts,
      bodies,
      ({ webhook }) => program.url + new URL(webhook!.url).pathname,
    )
    const after = await post(accounts, bodies, () => limit.url)
    // The first round is a warm-up.
    if (round === 0) continue
    rates.push(figures.perSecond)
    limits.push((before.perSecond + after.perSecond) / 2)
    latenciesMs.push(...figures.latenciesMs)
    limitLatenciesMs.push(...before.latenciesMs, ...after.latenciesMs)
  }
  return { rates, limits, latenciesMs, limitLatenciesMs }
}

function post(
  accounts: ChatAccount[],
  count: number,
  toUrl: (account: ChatAccount) => string,
): Promise<PostFigures> {
  const requests = Array.from({ length: count }, (_, index) => {
    const account = accounts[index % accounts.length]!
    const person = (Math.floor(index / accounts.length) % people) + 1
    const body = makeInboundBody(account.number, person)
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signBody(body) }
    return { url: toUrl(account), headers, body }
  })
  return postAll(requests, connections)
}

async function countMessages({ deployment }: Bench, accounts: ChatAccount[]): Promise<number> {
  const { rows } = await deployment.database.ownerPool.query(
    'select count(*)::int as count from aldaba.messages where account_id = any($1)',
    [accounts.map(({ id }) => id)],
  )
  return (rows[0] as { count: number }).count
}

if (import.meta.main) await run()
