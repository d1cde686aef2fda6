/**
 * Webhooks from commit to receipt, with one and with 50 subscriptions; receiver, program and PostgreSQL run in
 * separate processes. Limit: undici posts the same number of signed bodies from memory to the same receiver.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { describeFeatures } from '../src/app.ts'
import { leadUpdated } from '../src/features/leads/events.ts'
import { newSecret, sign } from '../src/features/webhooks/sending/signature.ts'
import { emitMany } from '../src/kit/events/emit.ts'
import { bindFeatures } from '../src/kit/feature.ts'
import { newId } from '../src/kit/id.ts'
import type { Ratios } from './guard.ts'
import { median, percentile } from './load.ts'
import { type Bench, type BenchProcess, findFreePort, startProcess, withBench } from './processes.ts'

const rounds = 3
/** Events per commit, as in imports and changes of many leads. */
const cases = [
  { subscriptions: 1, events: 10_000, perTransaction: 500 },
  { subscriptions: 50, events: 400, perTransaction: 20 },
]
/** The concurrency of the program per subscription. */
const concurrentPosts = 16
const latency = { events: 500, intervalMs: 20 }

export async function run(): Promise<void> {
  await withReceiver(async (bench, aldaba, receiver) => {
    const rows: Record<string, object> = {}
    for (const each of cases) {
      const { limits, rates } = await compare(bench, aldaba, receiver, each, rounds)
      rows[`${each.subscriptions} subscriptions`] = {
        events: each.events,
        'at a time': each.perTransaction,
        'limit, deliveries/s': Math.round(median(limits)),
        'aldaba, deliveries/s': Math.round(median(rates)),
        'share of the limit': computeRatio({ limits, rates }).toFixed(2),
        'aldaba, events/s': Math.round(median(rates) / each.subscriptions),
        'peak MB': Math.round(await aldaba.readPeakMb()),
      }
    }
    console.log(
      `from the first commit to the last receipt, medians of ${rounds} rounds after a warm-up; limit: undici, ${concurrentPosts} concurrent posts for each subscription`,
    )
    console.table(rows)
    console.table({ 'commit to receipt, one subscription': await timeReceipts(bench, aldaba, receiver) })
  })
}

export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withReceiver(async (bench, aldaba, receiver) => {
    const one = { subscriptions: 1, events: 2000, perTransaction: 500 }
    // The limit is five times as fast once its code is compiled.
    for (let round = 0; round < 3; round++) await postFromMemory(receiver, 1, one.events)
    ratios = { 'deliveries/s of the limit': computeRatio(await compare(bench, aldaba, receiver, one, 5)) }
  })
  return ratios
}

interface Rates {
  rates: number[]
  limits: number[]
}

function computeRatio({ rates, limits }: Rates): number {
  return median(rates.map((rate, round) => rate / limits[round]!))
}

async function withReceiver(
  work: (bench: Bench, aldaba: BenchProcess, receiver: BenchProcess) => Promise<void>,
): Promise<void> {
  await withBench(async bench => {
    // This process emits events.
    bindFeatures(bench.deployment.database, describeFeatures())
    const port = await findFreePort()
    const receiver = await startProcess(
      ['bench/webhook-receiver.ts', String(port)],
      {},
      `http://127.0.0.1:${port}`,
      '/',
    )
    const aldaba = await bench.startAldaba({}, { ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' })
    await work(bench, aldaba, receiver)
    await aldaba.stop()
    await receiver.stop()
  })
}

async function compare(
  bench: Bench,
  aldaba: BenchProcess,
  receiver: BenchProcess,
  load: (typeof cases)[number],
  rounds: number,
): Promise<Rates> {
  const { subscriptions, events } = load
  const rates: number[] = []
  const limits: number[] = []
  for (let round = 0; round <= rounds; round++) {
    // The limit runs before and after, so that disturbances affect both alike.
    const before = await postFromMemory(receiver, subscriptions, events)
    const rate = await deliver(bench, aldaba, receiver, load)
    const limit = (before + (await postFromMemory(receiver, subscriptions, events))) / 2
    if (round > 0) {
      limits.push(limit)
      rates.push(rate)
    }
  }
  return { rates, limits }
}

/** Creates subscriptions in a new workspace. Returns the tenant. */
async function subscribe(bench: Bench, aldaba: BenchProcess, receiver: BenchProcess, count: number) {
  const key = await bench.createLiveKey()
  for (let n = 0; n < count; n++) {
    const reply = await fetch(`${aldaba.url}/public/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${receiver.url}/${n}` }),
    })
    if (reply.status !== 201) throw new Error(await reply.text())
  }
  const { database } = bench.deployment
  const { rows } = await database.ownerPool.query(
    'select tenant_id from aldaba.api_keys order by id desc limit 1',
  )
  return (rows[0] as { tenant_id: string }).tenant_id
}

/** Emits the events. Returns deliveries per second, from the first commit to the last receipt. */
async function deliver(
  bench: Bench,
  aldaba: BenchProcess,
  receiver: BenchProcess,
  { subscriptions, events, perTransaction }: (typeof cases)[number],
): Promise<number> {
  const tenantId = await subscribe(bench, aldaba, receiver, subscriptions)
  await fetch(`${receiver.url}/clear`)
  const { database } = bench.deployment
  const startedMs = performance.timeOrigin + performance.now()
  for (let offset = 0; offset < events; offset += perTransaction)
    await database.withTenant({ tenantId }, tx =>
      emitMany(tx, leadUpdated, Array.from({ length: perTransaction }, makeEventData)),
    )
  const total = events * subscriptions
  while ((await fetchCount(receiver)) < total) await sleep(20)
  const receipts = await fetchReceipts(receiver)
  const eventIds = new Set(receipts.map(([id]) => id))
  if (receipts.length !== total || eventIds.size !== events)
    throw new Error(
      `${receipts.length} of ${total} deliveries arrived, for ${eventIds.size} of ${events} events`,
    )
  return total / ((Math.max(...receipts.map(([, atMs]) => atMs)) - startedMs) / 1000)
}

const makeEventData = () => ({ ...leadUpdated.example, leadId: newId() })

const fetchCount = async (receiver: BenchProcess) => Number(await (await fetch(receiver.url)).text())
const fetchReceipts = async (receiver: BenchProcess) =>
  (await (await fetch(`${receiver.url}/receipts`)).json()) as [id: string, atMs: number][]

/** Posts messages that were signed in advance. Returns requests per second. */
async function postFromMemory(
  receiver: BenchProcess,
  subscriptions: number,
  events: number,
): Promise<number> {
  const messages = Array.from({ length: events }, makeMessage)
  const agent = new Agent()
  const startedMs = performance.now()
  const post = (path: string, { headers, body }: (typeof messages)[number]) =>
    new Promise<void>((resolve, reject) =>
      agent.dispatch(
        { origin: receiver.url, path, method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      ),
    )
  await Promise.all(
    Array.from({ length: subscriptions }, async (_, n) => {
      const left = messages.values()
      await Promise.all(
        Array.from({ length: concurrentPosts }, async () => {
          for (const message of left) await post(`/${n}`, message)
        }),
      )
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  await agent.close()
  return (events * subscriptions) / seconds
}

function makeMessage() {
  const id = newId()
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const envelope = {
    timestamp: new Date().toISOString(),
    environment: 'live',
    workspaceId: newId(),
    sequence: 1,
  }
  const body = JSON.stringify({ id, type: leadUpdated.type, ...envelope, data: makeEventData() })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Aldaba-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': sign([secret], { id, timestampSeconds, body }),
  }
  return { headers, body }
}

const secret = newSecret()

/** Emits single events at a constant rate. Returns the time from commit to receipt. */
async function timeReceipts(bench: Bench, aldaba: BenchProcess, receiver: BenchProcess) {
  const tenantId = await subscribe(bench, aldaba, receiver, 1)
  await fetch(`${receiver.url}/clear`)
  const committedMs = new Map<string, number>()
  for (let n = 0; n < latency.events; n++) {
    const [id] = await bench.deployment.database.withTenant({ tenantId }, tx =>
      emitMany(tx, leadUpdated, [makeEventData()]),
    )
    committedMs.set(id!, performance.timeOrigin + performance.now())
    await sleep(latency.intervalMs)
  }
  while ((await fetchCount(receiver)) < latency.events) await sleep(20)
  const waits = (await fetchReceipts(receiver)).map(([id, atMs]) => atMs - committedMs.get(id)!)
  return {
    events: latency.events,
    'p50 ms': percentile(waits, 0.5).toFixed(1),
    'p99 ms': percentile(waits, 0.99).toFixed(1),
  }
}

if (import.meta.main) await run()
