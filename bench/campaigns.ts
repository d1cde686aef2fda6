/**
 * Campaigns of ten accounts whose recipients are all due at one instant, sent by one and by four worker processes to a Graph API at no
 * delay, without budget and throttle. Limit: undici posts the same messages from memory to the same server. Then campaigns below capacity:
 * how late their messages are.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type CampaignApi,
  joinPeople,
  makeApprovedTemplate,
  makeCampaign,
  startAt,
} from './campaign-accounts.ts'
import { type ChatAccount, connectAccounts, startGraphServer, toChatEnv } from './chat-accounts.ts'
import { readCpuMs } from './cpu-time.ts'
import type { Ratios } from './guard.ts'
import { percentile, postAll } from './load.ts'
import { type Bench, type BenchProcess, withBench } from './processes.ts'

/** `CAMPAIGN_RECIPIENTS=100000` takes some minutes more. */
const fullCount = Number(process.env.CAMPAIGN_RECIPIENTS ?? 10_000)
const shortCount = 1000
const workspaceCount = 5
/** Of each workspace. A campaign has an account of its own. */
const accountCount = 2
const campaignCount = workspaceCount * accountCount
/** Calls of the program to one account at the same time. */
const concurrentPosts = 8
/** Below capacity: messages of all campaigns, and in how many seconds they are due. */
const lightCount = 500
const lightSeconds = 20
/** The workers are ready when the recipients become due. */
const leadMs = 3000
/** They are watched for so long at most, for each message. */
const messageMaxMs = 50

interface Setting {
  bench: Bench
  graph: BenchProcess
  /** One for each workspace. */
  apis: CampaignApi[]
  accounts: { api: CampaignApi; account: ChatAccount; templateId: string }[]
  superuser: pg.Client
}

export async function run(): Promise<void> {
  await withSetting(async setting => {
    const before = await postFromMemory(setting, fullCount)
    const one = await drain(setting, { count: fullCount, workers: 1 })
    const four = await drain(setting, { count: fullCount, workers: 4 })
    const limit = (before + (await postFromMemory(setting, fullCount))) / 2
    const light = await drain(setting, { count: lightCount, workers: 1, seconds: lightSeconds })
    console.log(
      `${fullCount} recipients of ${campaignCount} campaigns in ${workspaceCount} workspaces, due at one instant; limit: undici, ${Math.round(limit)} messages/s. Below capacity: ${lightCount} messages in ${lightSeconds} s.`,
    )
    console.table({
      'one worker': toRow(one, limit),
      'four workers': toRow(four, limit),
      'below capacity': toRow(light, limit),
    })
  })
}

/** Short form: one worker. */
export async function short(): Promise<Ratios> {
  return withSetting(async setting => {
    const before = await postFromMemory(setting, shortCount)
    const { perSecond } = await drain(setting, { count: shortCount, workers: 1 })
    return {
      'messages/s of the limit': perSecond / ((before + (await postFromMemory(setting, shortCount))) / 2),
    }
  })
}

interface Figures {
  perSecond: number
  /** How late each message was sent, in ms. */
  latenessMs: number[]
  queries: number
  /** Processor time for a message, in ms. */
  workerMs: number
  databaseMs: number
}

const toRow = ({ perSecond, latenessMs, queries, workerMs, databaseMs }: Figures, limit: number) => ({
  'messages/s': Math.round(perSecond),
  'share of the limit': (perSecond / limit).toFixed(3),
  'late by p50 ms': Math.round(percentile(latenessMs, 0.5)),
  'p99 ms': Math.round(percentile(latenessMs, 0.99)),
  'queries per message': queries.toFixed(2),
  'CPU of workers, ms': workerMs.toFixed(2),
  'of PostgreSQL, ms': databaseMs.toFixed(2),
})

async function withSetting<T>(work: (setting: Setting) => Promise<T>): Promise<T> {
  return withBench(async bench => {
    const graph = await startGraphServer()
    const { database, embedded } = bench.deployment
    const superuser = new pg.Client({
      connectionString: embedded!.superuserUrl.replace('/postgres?', '/aldaba?'),
    })
    // It is lost when the database closes after an error, which says more.
    superuser.on('error', () => {})
    await superuser.connect()
    await superuser.query('create extension if not exists pg_stat_statements schema public')
    if (process.env.CAMPAIGN_STATEMENTS) {
      await superuser.query('alter system set pg_stat_statements.track_planning = on')
      await superuser.query('select pg_reload_conf()')
    }
    const program = await bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'api' })
    const keys: string[] = []
    for (let n = 0; n < workspaceCount; n++) keys.push(await bench.createLiveKey())
    await database.owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000_000 }).execute()
    const accounts: Setting['accounts'] = []
    for (const key of keys)
      for (const account of await connectAccounts(program.url, key, 'whatsapp_cloud', accountCount)) {
        const { rows } = await database.ownerPool.query<{ id: string }>(
          'select tenant_id as id from aldaba.accounts where id = $1',
          [account.id],
        )
        const api = { url: program.url, key, database, tenantId: rows[0]!.id }
        accounts.push({
          api,
          account,
          templateId: await makeApprovedTemplate(api, account.id, 'owners'),
        })
      }
    try {
      return await work({ bench, graph, apis: accounts.map(({ api }) => api), accounts, superuser })
    } finally {
      await superuser.end()
      await Promise.all([program.stop(), graph.stop()])
    }
  })
}

/** Starts campaigns whose recipients are due at one instant, or within `seconds`. Returns when all messages were sent. */
async function drain(
  { bench, graph, accounts, superuser }: Setting,
  { count, workers, seconds = 0 }: { count: number; workers: number; seconds?: number },
): Promise<Figures> {
  const share = count / campaignCount
  const campaigns: { api: CampaignApi; id: string }[] = []
  for (const { api, account, templateId } of accounts) {
    const id = await makeCampaign(api, account.id, { steps: [{ templateId, delayMinutes: 0 }] })
    await joinPeople(api, id, share)
    campaigns.push({ api, id })
  }
  // As a database is that did not get all its people within the last minute.
  await superuser.query('analyze')
  await superuser.query('checkpoint')
  await fetch(`${graph.url}/clear`)
  const programs = await Promise.all(
    Array.from({ length: workers }, () => bench.startAldaba({}, { ...toChatEnv(graph), ROLE: 'worker' })),
  )
  const at = new Date(Date.now() + leadMs)
  const gapMs = (seconds * 1000) / share
  for (const { api, id } of campaigns) await startAt(api, id, { at, gapMs })
  const ids = campaigns.map(({ id }) => id)
  const dueAt = await readDue(superuser, ids)
  await sleep(Math.max(0, at.getTime() - Date.now()))
  await superuser.query('select pg_stat_statements_reset()')
  const databasePid = await readDatabasePid(superuser)
  const readCpu = async () => ({
    workers: (await Promise.all(programs.map(({ pid }) => readCpuMs(pid)))).reduce(
      (sum, one) => sum + one,
      0,
    ),
    database: await readCpuMs(databasePid),
  })
  const cpuBefore = await readCpu()
  await waitUntilSent(graph, count, at)
  const lasted = (Date.now() - at.getTime()) / 1000
  // The last results are recorded.
  const sent = await readSent(superuser, ids, count)
  const cpu = await readCpu()
  const { rows } = await superuser.query<{ calls: string }>(
    'select sum(calls) as calls from pg_stat_statements',
  )
  if (process.env.CAMPAIGN_STATEMENTS) console.table(await readStatements(superuser))
  await Promise.all(programs.map(program => program.stop()))
  return {
    perSecond: count / lasted,
    latenessMs: [...sent].map(([id, sentAt]) => sentAt.getTime() - dueAt.get(id)!.getTime()),
    queries: Number(rows[0]!.calls) / count,
    workerMs: (cpu.workers - cpuBefore.workers) / count,
    databaseMs: (cpu.database - cpuBefore.database) / count,
  }
}

/** The statements that took most. */
async function readStatements(superuser: pg.Client): Promise<object[]> {
  const { rows } = await superuser.query(
    `select sum(calls)::int as calls, round(sum(total_exec_time)::numeric) as ms, round(sum(total_plan_time)::numeric) as plan,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query
    from pg_stat_statements group by rollup(4) order by sum(total_exec_time + total_plan_time) desc limit 60`,
  )
  return rows
}

async function waitUntilSent(graph: BenchProcess, count: number, at: Date): Promise<void> {
  const readCount = async () => Number(await (await fetch(graph.url)).text())
  const deadlineMs = at.getTime() + 60_000 + count * messageMaxMs
  while ((await readCount()) < count) {
    if (Date.now() > deadlineMs) throw new Error(`only ${await readCount()} of ${count} messages were sent`)
    await sleep(20)
  }
}

async function readDue(superuser: pg.Client, campaignIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await superuser.query<{ id: string; at: Date }>(
    'select id, due_at as at from aldaba.campaign_recipients where campaign_id = any($1)',
    [campaignIds],
  )
  return new Map(rows.map(({ id, at }) => [id, at]))
}

/** Waits until all are recorded. Throws if one was sent twice or not at all. */
async function readSent(
  superuser: pg.Client,
  campaignIds: string[],
  count: number,
): Promise<Map<string, Date>> {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await superuser.query<{ id: string; at: Date }>(
      `select s.recipient_id as id, m.sent_at as at from aldaba.campaign_sends s
        join aldaba.messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
        join aldaba.campaign_recipients r on r.tenant_id = s.tenant_id and r.id = s.recipient_id
      where s.campaign_id = any($1) and m.sent_at is not null and r.status = 'completed'`,
      [campaignIds],
    )
    if (rows.length === count) return new Map(rows.map(({ id, at }) => [id, at]))
    await sleep(50)
  }
  throw new Error('not all messages were recorded')
}

async function readDatabasePid(superuser: pg.Client): Promise<number> {
  const { rows } = await superuser.query<{ directory: string }>(
    `select current_setting('data_directory') as directory`,
  )
  return Number.parseInt(await readFile(join(rows[0]!.directory, 'postmaster.pid'), 'utf8'), 10)
}

async function postFromMemory({ graph, accounts }: Setting, count: number): Promise<number> {
  const requests = Array.from({ length: count }, (_, n) => ({
    url: `${graph.url}/v23.0/${accounts[n % accounts.length]!.account.number}/messages`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer a-token-of-the-benchmark-of-chat' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+34600000001',
      type: 'template',
      template: { name: 'owners', language: { code: 'es' }, components: [] },
      biz_opaque_callback_data: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    }),
  }))
  return (await postAll(requests, concurrentPosts * accounts.length)).perSecond
}

if (import.meta.main) await run()
