/**
 * Outgoing messages per second of ten WhatsApp accounts, to a Graph API at no delay. Limit: undici posts the same
 * bodies from memory to the same server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChatAccount,
  connectAccounts,
  makeInboundBody,
  signBody,
  startGraphServer,
  toChatEnv,
} from './chat-accounts.ts'
import type { Ratios } from './guard.ts'
import { connections, type PreparedRequest, postAll } from './load.ts'
import { type Bench, type BenchProcess, withBench } from './processes.ts'

const accountCount = 10
/** Who may be answered, by account. */
export const people = 20
/** Calls of the program to one account at the same time. */
const concurrentPosts = 8
/** The worker is watched for so long at most. */
const secondsMax = 30

export async function run(): Promise<void> {
  const { rate, limit } = await measure(4000)
  console.log(
    `messages of ${accountCount} accounts to ${people} people each; limit: undici, ${concurrentPosts} concurrent posts for each account`,
  )
  console.table({
    'messages/s': {
      limit: Math.round(limit),
      aldaba: Math.round(rate),
      'share of the limit': (rate / limit).toFixed(3),
    },
  })
}

export async function short(): Promise<Ratios> {
  const { rate, limit } = await measure(1000)
  return { 'messages/s of the limit': rate / limit }
}

/** Queues this many messages, then starts the worker. Returns messages per second. */
function measure(count: number): Promise<{ rate: number; limit: number }> {
  return withBench(async bench => {
    const graph = await startGraphServer()
    const worker = () => bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'worker' })
    const api = await bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'api' })
    const key = await bench.createLiveKey()
    await bench.deployment.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: 1_000_000_000 })
      .execute()
    const accounts = await connectAccounts(api.url, key, 'whatsapp_cloud', accountCount)
    const receiver = await worker()
    const conversations = await startConversations(bench, api, accounts)
    await receiver.stop()
    await queueMessages(api, key, conversations, count)
    // As a database is that did not get all its messages within the last minute.
    await bench.deployment.database.ownerPool.query('analyze')
    const before = await postFromMemory(graph, accounts, count)
    await fetch(`${graph.url}/clear`)
    const sender = await worker()
    const rate = await measureSending(graph, count)
    await sender.stop()
    const limit = (before + (await postFromMemory(graph, accounts, count))) / 2
    await Promise.all([api.stop(), graph.stop()])
    return { rate, limit }
  })
}

/** Each account has people of its own. */
export const toPerson = (account: number, n: number): number => account * people + (n % people) + 1

/** People write to the accounts, because WhatsApp allows only answers. Returns the ids of their conversations. */
export async function startConversations(
  { deployment }: Bench,
  { url }: BenchProcess,
  accounts: ChatAccount[],
): Promise<string[]> {
  const requests = accounts.flatMap(({ number, webhook }, account) =>
    Array.from({ length: people }, (_, person): PreparedRequest => {
      const body = makeInboundBody(number, toPerson(account, person))
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signBody(body) }
      return { url: url + new URL(webhook!.url).pathname, headers, body }
    }),
  )
  await postAll(requests, connections)
  for (;;) {
    const { rows } = await deployment.database.ownerPool.query<{ id: string }>(
      'select distinct conversation_id as id from aldaba.messages where account_id = any($1)',
      [accounts.map(({ id }) => id)],
    )
    if (rows.length === requests.length) return rows.map(({ id }) => id)
    await sleep(100)
  }
}

export function queueMessages(
  { url }: BenchProcess,
  key: string,
  conversations: string[],
  count: number,
): Promise<unknown> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const requests = Array.from({ length: count }, (_, n) => ({
    url: `${url}/public/v1/conversations/${conversations[n % conversations.length]}/messages`,
    headers,
    body: JSON.stringify({ text: `El piso sigue en venta. Lo puede visitar el jueves a las ${n}.` }),
  }))
  return postAll(requests, concurrentPosts)
}

/** Returns messages per second after the first one. */
async function measureSending(graph: BenchProcess, count: number): Promise<number> {
  const readCount = async () => Number(await (await fetch(graph.url)).text())
  while ((await readCount()) === 0) await sleep(20)
  const first = await readCount()
  const startedMs = performance.now()
  let sent = first
  let seconds = 0
  while (sent < count && seconds < secondsMax) {
    await sleep(20)
    sent = await readCount()
    seconds = (performance.now() - startedMs) / 1000
  }
  return (sent - first) / seconds
}

async function postFromMemory(graph: BenchProcess, accounts: ChatAccount[], count: number): Promise<number> {
  const requests = Array.from({ length: count }, (_, n) => ({
    url: `${graph.url}/v23.0/${accounts[n % accounts.length]!.number}/messages`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer a-token-of-the-benchmark-of-chat' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+34600000001',
      type: 'text',
      text: { body: `El piso sigue en venta. Lo puede visitar el jueves a las ${n}.`, preview_url: false },
      biz_opaque_callback_data: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    }),
  }))
  return (await postAll(requests, concurrentPosts * accounts.length)).perSecond
}

if (import.meta.main) await run()
