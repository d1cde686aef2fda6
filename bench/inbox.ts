/**
 * `GET /conversations` with each filter and with words, and the search within a conversation of 5,000 messages, of an
 * agency with a million messages in 100,000 conversations. Compared with a limit, the bare statement for the ids of the
 * page through pg, and with a peer, the statement of Chatwoot's search.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { createLog } from '../src/kit/log.ts'
import { createApp } from '../src/server.ts'
import type { Ratios } from './guard.ts'
import {
  type BareClient,
  type BareStatements,
  openBareClient,
  toListStatements,
  toMessageStatements,
} from './inbox-bare.ts'
import { fullInbox, type Inbox, type InboxSize, openInbox, shortInbox } from './inbox-dataset.ts'
import { filters, type Requests, searches, withinConversation } from './inbox-requests.ts'
import { measureGet, median, percentile } from './load.ts'
import { serverOptions } from './processes.ts'

/** How often each request is measured; its limit and its peer for at most some seconds. */
const counts = { full: 200, short: 8 }
/** A tenth more is a warm-up, and at least this. */
const warmUpMin = 5
const bareMaxMs = 3000
/** The aim of every request. */
const aimMs = 30

export async function run(): Promise<void> {
  await withInbox(fullInbox, async bench => {
    const { messages, conversations } = await bench.bare.count()
    console.log(
      `${messages} messages in ${conversations} conversations of one agency; pages of 50, ${counts.full} requests each, one after the other; ms`,
    )
    console.log(
      'limit: the bare statement through pg, ids only, without row level security; peer: the search of Chatwoot, messages by ILIKE with an index of trigrams',
    )
    printResults(await measureList(bench, filters, counts.full), 'GET /conversations with each filter')
    printResults(await measureList(bench, searches, counts.full), 'GET /conversations with words')
    printResults(
      await measureWithin(bench, counts.full),
      'GET /conversations/{id}/messages of a conversation of 5,000 messages',
    )
  })
}

/** Short form: 5,000 conversations. */
export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withInbox(shortInbox, async bench => {
    ratios = {
      'filters of the limit': computeRatio(await measureList(bench, filters, counts.short)),
      'words of the limit': computeRatio(await measureList(bench, searches, counts.short)),
    }
  })
  return ratios
}

interface Bench {
  inbox: Inbox
  url: string
  bare: BareClient
}

async function withInbox(size: InboxSize, work: (bench: Bench) => Promise<void>): Promise<void> {
  const inbox = await openInbox(size)
  const child = fork(import.meta.filename, [size.dataDir], {
    execArgv: serverOptions,
    env: { ...process.env, DATABASE_URL: inbox.ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
  })
  const bare = await openBareClient(inbox.superuserUrl)
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    await work({ inbox, url: `http://127.0.0.1:${port}/public/v1`, bare })
  } finally {
    child.kill()
    await bare.close()
    await inbox.deployment.close()
  }
}

/** Milliseconds of one request. */
interface Measured {
  name: string
  ours: number[]
  limits: number[]
  peers: number[]
}

const measureList = (bench: Bench, requests: Requests, count: number): Promise<Measured[]> =>
  measure(bench, requests, count, {
    path: '/conversations',
    toStatements: query => toListStatements(bench.inbox.tenantId, query),
  })

const measureWithin = (bench: Bench, count: number): Promise<Measured[]> => {
  const { tenantId, longConversationId } = bench.inbox
  return measure(bench, withinConversation, count, {
    path: `/conversations/${longConversationId}/messages`,
    toStatements: query => toMessageStatements(tenantId, longConversationId, query),
  })
}

async function measure(
  { inbox: { key }, url, bare }: Bench,
  requests: Requests,
  count: number,
  { path, toStatements }: { path: string; toStatements: (query: URLSearchParams) => BareStatements },
): Promise<Measured[]> {
  const all: Measured[] = []
  for (const [name, query] of Object.entries(requests)) {
    const { limits, peer } = toStatements(new URLSearchParams(query))
    const limit = await bare.findFastest(limits)
    all.push({
      name,
      ours: await repeat(count, () => measureGet(`${url}${path}?limit=50&${query}`, { 'x-api-key': key })),
      limits: await repeat(count, () => bare.measure(limit), bareMaxMs),
      peers: peer === null ? [] : await repeat(count, () => bare.measure(peer), bareMaxMs),
    })
  }
  return all
}

async function repeat(
  count: number,
  measureOnce: () => Promise<number>,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const untilMs = performance.now() + maxMs
  for (let n = 0; n < Math.max(warmUpMin, count / 10) && performance.now() < untilMs; n++) await measureOnce()
  const all = [await measureOnce()]
  while (all.length < count && performance.now() < untilMs) all.push(await measureOnce())
  return all
}

function printResults(all: Measured[], title: string): void {
  console.log(title)
  console.table(Object.fromEntries(all.map(measured => [measured.name, toRow(measured)])))
  const p99 = percentile(
    all.flatMap(({ ours }) => ours),
    0.99,
  )
  const slow = all.filter(({ ours }) => percentile(ours, 0.99) >= aimMs).length
  console.log(
    `p99 of all ${p99.toFixed(1)} ms; ${slow} of ${all.length} not under ${aimMs} ms; ${computeRatio(all).toFixed(2)} of the speed of the limit`,
  )
}

function toRow({ ours, limits, peers }: Measured) {
  const format = (times: number[], share: number) =>
    times.length === 0 ? '' : percentile(times, share).toFixed(1)
  return {
    p50: format(ours, 0.5),
    p99: format(ours, 0.99),
    'limit p50': format(limits, 0.5),
    'limit p99': format(limits, 0.99),
    'peer p50': format(peers, 0.5),
    'peer p99': format(peers, 0.99),
    ' ': percentile(ours, 0.99) < aimMs ? '' : `← ${aimMs} ms or more`,
  }
}

const computeRatio = (all: Measured[]): number =>
  median(all.map(({ ours, limits }) => median(limits) / median(ours)))

/** Runs in a child process: the program as an API process. */
async function serveAldaba(): Promise<void> {
  const config = loadConfig({ ...process.env, ROLE: 'api', DATA_DIR: process.argv[2]! })
  const log = createLog(config.logLevel)
  const app = createApp(config, await openDeployment(config, { mode: 'own', log }), log)
  process.send!({ port: Number(new URL(await app.start()).port) })
}

process.once('SIGINT', () => process.exit())
if (import.meta.main) await (process.send ? serveAldaba() : run())
