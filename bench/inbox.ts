/**
 * `GET /conversations` with each filter and with words, and the search within a conversation of 5,000 messages, of an
 * agency with a million messages in 100,000 conversations. Compared with the fastest possible server, the limit:
 * node:http that reads the 50 newest conversations with their last messages.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { createLog } from '../src/kit/log.ts'
import { createApp } from '../src/server.ts'
import type { Ratios } from './guard.ts'
import { fullInbox, type Inbox, type InboxSize, openInbox, shortInbox, toId } from './inbox-dataset.ts'
import { bareSettings } from './limit-query.ts'
import { median, percentile } from './load.ts'

type Requests = Record<string, string>

const user = toId('user 3')

/** Every filter, alone and with others: common, rare, rare and old, without a result. */
const filters: Requests = {
  none: '',
  open: 'status=open',
  closed: 'status=closed',
  unread: 'unread=true',
  'unread and open': 'unread=true&status=open',
  read: 'unread=false',
  assigned: `assignedUserId=${user}`,
  'assigned and open': `assignedUserId=${user}&status=open`,
  'assigned to nobody known': `assignedUserId=${toId('nobody')}`,
  'large account': `accountId=${toId('account 1')}`,
  'small account, pending': `accountId=${toId('account 3')}&status=pending`,
  'no such account': `accountId=${toId('nobody')}`,
  'common label': 'label=visita',
  'rare label': 'label=vip',
  'no such label': 'label=nada',
  'rare label, open': 'label=vip&status=open',
  'rare label, assigned': `label=vip&assignedUserId=${user}`,
  'two rare conditions': 'label=precio&status=pending&unread=true',
  snoozed: 'snoozed=true',
  'snoozed, unread': 'snoozed=true&unread=true',
  'snoozed, rare label': 'snoozed=true&label=vip',
}

const searches: Requests = {
  'a very common word': 'q=piso',
  'a common word': 'q=hipoteca',
  'a rare word': 'q=embarcadero',
  'a word of 1,000 messages': 'q=trastero',
  'half a word': 'q=embarc',
  'two common words': 'q=calle+mallorca',
  'a common and a rare word': 'q=piso+embarcadero',
  'two common words that never meet': 'q=mallorca+balmes',
  'two rare words that never meet': 'q=trastero+embarcadero',
  'the beginning of 2,000 references': 'q=ref471',
  'the beginning of all references': 'q=ref',
  'no such word': 'q=xyzzy',
  'an accent': 'q=documentaci%C3%B3n',
  'a reference': 'q=ref4711',
  'a name': 'q=marta+soler+4711',
  'a phone': 'q=600+00+47+11',
  'a common word, open': 'q=terraza&status=open',
  'a rare word, unread': 'q=trastero&unread=true',
  'the beginning of all phones': 'q=600',
}

/** Within the conversation with 5,000 messages. */
const withinConversation: Requests = {
  'the newest messages': '',
  'within it: a very common word': 'q=piso',
  'within it: a rare word': 'q=trastero',
  'within it: two common words': 'q=calle+mallorca',
  'within it: no such word': 'q=xyzzy',
}

const requests = 100
/** The aim of every request. */
const aimMs = 30

export async function run(): Promise<void> {
  await withInbox(fullInbox, async (inbox, url, limitUrl) => {
    const list = '/conversations'
    const groups: [string, string, Requests][] = [
      ['GET /conversations with each filter, 50 of 100,000 conversations', list, filters],
      ['GET /conversations with words, 1,005,000 messages', list, searches],
      [
        'GET /conversations/{id}/messages, 5,000 messages',
        `${list}/${inbox.longConversationId}/messages`,
        withinConversation,
      ],
    ]
    for (const [title, path, queries] of groups) {
      const all = await measure(path, queries, inbox, url, limitUrl, requests)
      console.log(
        `${title}, sequentially, ${requests} requests each. ms; limit: node:http that reads the 50 newest conversations`,
      )
      console.table(Object.fromEntries(all.map(measured => [measured.name, toRow(measured)])))
      const ours = all.flatMap(measured => measured.ours)
      const slow = all.filter(measured => percentile(measured.ours, 0.99) >= aimMs).length
      console.log(
        `p99 of all ${percentile(ours, 0.99).toFixed(1)} ms; ${slow} of ${all.length} not under ${aimMs} ms; ${computeRatio(all).toFixed(2)} of the speed of the limit`,
      )
    }
  })
}

function toRow({ ours, limits }: Measured) {
  const p99 = percentile(ours, 0.99)
  return {
    median: median(ours).toFixed(1),
    p99: p99.toFixed(1),
    'limit, median': median(limits).toFixed(1),
    'limit, p99': percentile(limits, 0.99).toFixed(1),
    'share of the limit': (median(limits) / median(ours)).toFixed(2),
    ' ': p99 < aimMs ? '' : `← ${aimMs} ms or more`,
  }
}

/** Short form: 5,000 conversations. */
export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withInbox(shortInbox, async (inbox, url, limitUrl) => {
    const filtered = await measure('/conversations', filters, inbox, url, limitUrl, 8)
    const found = await measure('/conversations', searches, inbox, url, limitUrl, 8)
    ratios = { 'filters of the limit': computeRatio(filtered), 'words of the limit': computeRatio(found) }
  })
  return ratios
}

async function withInbox(
  size: InboxSize,
  work: (inbox: Inbox, url: string, limitUrl: string) => Promise<void>,
): Promise<void> {
  const inbox = await openInbox(size)
  const child = fork(import.meta.filename, [size.dataDir], {
    env: { ...process.env, DATABASE_URL: inbox.ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
  })
  const limit = await startLimit(inbox)
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    await work(inbox, `http://127.0.0.1:${port}`, limit.url)
  } finally {
    child.kill()
    await limit.close()
    await inbox.deployment.close()
  }
}

/** Without row level security, filters and the other fields of a conversation. */
const limitSql = `
  select coalesce(json_agg(row_to_json(page)), '[]')::text as json from (
    select c.id, c.status, c.unread_count, c.labels, c.last_message_at, m.text
    from conversations c left join messages m on m.tenant_id = c.tenant_id and m.id = c.last_message_id
    where c.tenant_id = $1 order by c.last_message_at desc, c.id desc limit 50) page`

async function startLimit({
  superuserUrl,
  tenantId,
}: Inbox): Promise<{ url: string; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: superuserUrl, options: bareSettings })
  const server = createServer((_request, response) => {
    pool.query({ name: 'page', text: limitSql, values: [tenantId] }).then(
      ({ rows }) => response.setHeader('content-type', 'application/json').end(rows[0].json),
      error => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      await pool.end()
    },
  }
}

/** Milliseconds of one query. */
interface Measured {
  name: string
  ours: number[]
  limits: number[]
}

async function measure(
  path: string,
  queries: Requests,
  { key }: Inbox,
  url: string,
  limitUrl: string,
  count: number,
): Promise<Measured[]> {
  const all: Measured[] = []
  for (const [name, query] of Object.entries(queries)) {
    const measured: Measured = { name, ours: [], limits: [] }
    for (let n = 0; n < count + 5; n++) {
      const ours = await measureMs(`${url}/public/v1${path}?limit=50&${query}`, key)
      const bare = await measureMs(limitUrl, key)
      // The first requests are a warm-up of both.
      if (n < 5) continue
      measured.ours.push(ours)
      measured.limits.push(bare)
    }
    all.push(measured)
  }
  return all
}

const computeRatio = (all: Measured[]): number =>
  median(all.map(({ ours, limits }) => median(limits) / median(ours)))

async function measureMs(url: string, key: string): Promise<number> {
  const startedMs = performance.now()
  const reply = await fetch(url, { headers: { 'x-api-key': key } })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  return performance.now() - startedMs
}

/** Runs in a child process: the program as an API process. */
async function serveAldaba(): Promise<void> {
  const config = loadConfig({ ...process.env, ROLE: 'api', DATA_DIR: process.argv[2]! })
  const log = createLog(config.logLevel)
  const app = createApp(config, await openDeployment(config, { mode: 'own', log }), log)
  process.send!({ port: Number(new URL(await app.start()).port) })
}

process.once('SIGINT', () => process.exit())
if (import.meta.main) await (process.send ? serveAldaba() : run())
