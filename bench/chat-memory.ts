/**
 * Memory of one process while ten WhatsApp accounts receive and send 100,000 messages. Limit: node:http that verifies the
 * same bodies and inserts them.
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
import { queueMessages, startConversations, toPerson } from './chat-outbound.ts'
import type { Ratios } from './guard.ts'
import { openHeapReader } from './live-heap.ts'
import { connections, postAll } from './load.ts'
import { type Bench, type BenchProcess, findFreePort, startProcess, withBench } from './processes.ts'

/** Messages of one workspace wait for each other. */
const workspaceCount = 5
/** Of each workspace. */
const accountCount = 2
/** As many are received, and as many sent, before it waits until all are stored. */
const round = 2500
/** The same of the short form. */
const shortRound = 250
const checkpoints = [10_000, 50_000, 100_000]
/** Then it stops, and prints how far it came. */
const secondsMax = 1200

interface Setting {
  bench: Bench
  program: BenchProcess
  graph: BenchProcess
  limit: BenchProcess
  readHeapMb(): Promise<number>
  workspaces: { key: string; accounts: ChatAccount[]; conversations: string[] }[]
}

export async function run(): Promise<void> {
  await withSetting(async setting => {
    const rows: Record<string, object> = { 'at the start': await readRow(setting) }
    const startedMs = performance.now()
    let messages = 0
    let seconds = 0
    while (messages < checkpoints.at(-1)! && seconds < secondsMax) {
      await exchange(setting, messages / 2, round)
      messages += 2 * round
      seconds = (performance.now() - startedMs) / 1000
      if (checkpoints.includes(messages) || seconds >= secondsMax)
        rows[messages.toLocaleString('en')] = await readRow(setting)
    }
    console.log(
      `memory of one process, ${workspaceCount * accountCount} accounts of ${workspaceCount} workspaces: half of the messages are received, half are sent; ${Math.round(messages / seconds)} messages/s`,
    )
    console.table(rows)
  })
}

/** Short form: the live heap after 1,000 messages, as a share of that after 3,000. */
export async function short(): Promise<Ratios> {
  const readings: number[] = []
  await withSetting(async setting => {
    for (let n = 0; n < 6; n++) {
      await exchange(setting, n * shortRound, shortRound)
      readings.push(await setting.readHeapMb())
    }
  })
  return { 'live heap at first of that at the end': readings[1]! / readings.at(-1)! }
}

async function withSetting(work: (setting: Setting) => Promise<void>): Promise<void> {
  await withBench(async bench => {
    const graph = await startGraphServer()
    const port = await findFreePort()
    const limit = await startProcess(
      ['bench/webhook-limit-server.ts', String(port), bench.deployment.embedded!.superuserUrl, appSecret],
      {},
      `http://127.0.0.1:${port}`,
      '/',
    )
    const heap = await openHeapReader()
    const program = await bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'all', ...heap.env })
    const keys: string[] = []
    for (let n = 0; n < workspaceCount; n++) keys.push(await bench.createLiveKey())
    await bench.deployment.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: 1_000_000_000 })
      .execute()
    const workspaces = await Promise.all(
      keys.map(async key => {
        const accounts = await connectAccounts(program.url, key, 'whatsapp_cloud', accountCount)
        return { key, accounts, conversations: await startConversations(bench, program, accounts) }
      }),
    )
    await fetch(`${graph.url}/clear`)
    await work({ bench, program, graph, limit, readHeapMb: heap.readMb, workspaces })
    await Promise.all([program.stop(), limit.stop(), graph.stop()])
  })
}

/** Receives and sends `count` messages, and waits until all are stored and sent. `before`: how many of each were. */
async function exchange(setting: Setting, before: number, count: number): Promise<void> {
  const { bench, program, graph, limit, workspaces } = setting
  const accounts = workspaces.flatMap(workspace => workspace.accounts)
  const bodies = Array.from({ length: count }, (_, n) => {
    const index = n % accounts.length
    const account = accounts[index]!
    const body = makeInboundBody(
      account.number,
      toPerson(index % accountCount, Math.floor(n / accounts.length)),
    )
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signBody(body) }
    return { account, headers, body }
  })
  await postAll(
    bodies.map(({ headers, body }) => ({ url: limit.url, headers, body })),
    connections,
  )
  await Promise.all([
    postAll(
      bodies.map(({ account, headers, body }) => ({
        url: program.url + new URL(account.webhook!.url).pathname,
        headers,
        body,
      })),
      connections,
    ),
    ...workspaces.map(({ key, conversations }) =>
      queueMessages(program, key, conversations, count / workspaceCount),
    ),
  ])
  const isDone = async () => {
    const sent = Number(await (await fetch(graph.url)).text())
    return sent >= before + count && !(await hasWaitingBodies(bench))
  }
  while (!(await isDone())) await sleep(50)
}

async function hasWaitingBodies({ deployment }: Bench): Promise<boolean> {
  const { rows } = await deployment.database.ownerPool.query(
    'select from aldaba.inbound_bodies where next_attempt_at is not null limit 1',
  )
  return rows.length > 0
}

async function readRow({ program, limit, readHeapMb }: Setting) {
  const [ours, bare] = await Promise.all([program.readMemoryMb(), limit.readMemoryMb()])
  return {
    'live heap, MB': Math.round(await readHeapMb()),
    'RSS, MB': Math.round(ours.current),
    'peak, MB': Math.round(ours.peak),
    'limit, RSS, MB': Math.round(bare.current),
    'limit, peak, MB': Math.round(bare.peak),
  }
}

if (import.meta.main) await run()
