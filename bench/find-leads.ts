/** `GET /leads` with each filter in each order, and free text, of an agency with a million leads, beside its limit. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { leadRows } from '../src/features/leads/list/lead-list.ts'
import { planSearch } from '../src/features/leads/list/lead-search.ts'
import type { LeadFilter } from '../src/features/leads/schemas.ts'
import { createLog } from '../src/kit/log.ts'
import { type Agency, agencyDataDir, openAgency } from './agency-dataset.ts'
import { bareSettings, compileQuery } from './limit-query.ts'
import { median } from './load.ts'

const sorts = ['-createdAt', '-updatedAt', 'price', '-price'] as const
const requests = 20

type Filters = Record<string, Record<string, string>>

const searches: Filters = {
  'a common word': { q: 'piso' },
  'a street': { q: 'carrer de mallorca' },
  'two letters': { q: 'ma' },
  'a name': { q: 'raquel montcada' },
  'a telephone': { q: '612 345' },
  'two words': { q: 'ático terraza' },
  'no such word': { q: 'xyzzy' },
}

async function filtersOf({ deployment, tenantId }: Agency): Promise<Filters> {
  const some = await deployment.database.withTenant({ tenantId }, tx =>
    tx
      .selectFrom('leads')
      .select(['campaign_id', 'owner_user_id'])
      .where('owner_user_id', 'is not', null)
      .orderBy('id')
      .offset(100_000)
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  return {
    none: {},
    'status, most': { status: 'new' },
    'status, few and old': { status: 'won' },
    platform: { platform: 'portal_c' },
    campaign: { campaignId: some.campaign_id! },
    owner: { ownerUserId: some.owner_user_id! },
    'tag of five': { tag: 'vip' },
    'tag of 10,000': { tag: 'hot' },
    'tag of a quarter': { tag: 'El Born' },
    advertiser: { advertiserType: 'agency' },
    operation: { operation: 'rent' },
    'property type': { propertyType: 'garages' },
    'narrow price': { minPrice: '251000', maxPrice: '251500' },
    town: { municipality: 'barcelona' },
    'no such town': { municipality: 'Nowhere' },
    'small area': { bbox: '2.16,41.38,2.165,41.385' },
    city: { bbox: '2.05,41.3,2.25,41.5' },
    'without phone': { hasPhone: 'false' },
    'created lately': { createdAfter: '2026-10-10T00:00:00Z' },
    'changed lately': { updatedAfter: '2026-10-10T00:00:00Z' },
    'four at once': { status: 'new', municipality: 'Barcelona', operation: 'sale', minPrice: '200000' },
    'three that are few': { status: 'won', propertyType: 'garages', advertiserType: 'private' },
  }
}

export async function run(): Promise<void> {
  const agency = await openAgency()
  const child = fork(import.meta.filename, {
    env: { ...process.env, DATABASE_URL: agency.ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
  })
  const limit = await startLimit(agency)
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const filters = await filtersOf(agency)
    await report('a filter in each order', filters, agency, `http://127.0.0.1:${port}`, limit)
    await report('free text in each order', searches, agency, `http://127.0.0.1:${port}`, limit)
  } finally {
    child.kill()
    await limit.close()
    await agency.deployment.close()
  }
}

interface Limit {
  url: string
  prepare(filter: LeadFilter): Promise<void>
  close(): Promise<void>
}

/** Bare node:http and the same statement with the tenant in its text, beside no row level security. */
async function startLimit({ superuserUrl, deployment, tenantId }: Agency): Promise<Limit> {
  // The view of the documents asks for the tenant that is entered.
  const options = `${bareSettings} -c aldaba.tenant_id=${tenantId}`
  const pool = new pg.Pool({ connectionString: superuserUrl, options })
  let statement = { text: '', values: [] as unknown[] }
  const server = createServer((_request, response) => {
    pool.query(statement).then(
      ({ rows }) => response.setHeader('content-type', 'application/json').end(rows[0].page),
      error => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async prepare(filter) {
      const search = await deployment.database.readTenant({ tenantId }, tx => planSearch(tx, filter))
      const { sql, parameters } = compileQuery(leadRows(filter, null, search))
      const page = `select '{"data":' || coalesce(json_agg(json), '[]')::text || '}' as page from (${sql}) page`
      statement = { text: page, values: [...parameters] }
    },
    async close() {
      server.close()
      await pool.end()
    },
  }
}

async function report(
  title: string,
  filters: Filters,
  { key }: Agency,
  url: string,
  limit: Limit,
): Promise<void> {
  const table: Record<string, Record<string, string>> = {}
  const all: { ours: number[]; limits: number[] }[] = []
  for (const [name, filter] of Object.entries(filters)) {
    table[name] = {}
    for (const sort of sorts) {
      const query = new URLSearchParams({ ...filter, sort, limit: '50' })
      await limit.prepare(toFilter(filter, sort))
      const measured = { ours: [] as number[], limits: [] as number[] }
      for (let n = 0; n < requests + 5; n++) {
        const ours = await timed(`${url}/public/v1/leads?${query}`, key)
        const bare = await timed(limit.url, key)
        // The first ones warm up both.
        if (n < 5) continue
        measured.ours.push(ours)
        measured.limits.push(bare)
      }
      all.push(measured)
      table[name][sort] =
        `${high(measured.ours).toFixed(1)} (${(median(measured.limits) / median(measured.ours)).toFixed(2)})`
    }
  }
  const worst = Math.max(...all.map(({ ours }) => high(ours)))
  const p99 = high(all.flatMap(({ ours }) => ours))
  const ratio = median(all.map(({ ours, limits }) => median(limits) / median(ours)))
  console.log(
    `GET /leads, ${title}: 50 of 1,000,000 leads of one workspace, one after another, ${requests} each. ms, p99 of each (of the limit's pace, medians)`,
  )
  console.table(table)
  console.log(
    `p99 of all ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms; ${ratio.toFixed(2)} of the limit`,
  )
}

function toFilter(filter: Record<string, string>, sort: (typeof sorts)[number]): LeadFilter {
  const { minPrice, maxPrice, hasPhone, ...rest } = filter
  return {
    ...rest,
    ...(minPrice ? { minPrice: Number(minPrice) } : {}),
    ...(maxPrice ? { maxPrice: Number(maxPrice) } : {}),
    ...(hasPhone ? { hasPhone: hasPhone === 'true' } : {}),
    sort,
    limit: 50,
  } as LeadFilter
}

const high = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!

async function timed(url: string, key: string): Promise<number> {
  const startedMs = performance.now()
  const reply = await fetch(url, { headers: { 'x-api-key': key } })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  return performance.now() - startedMs
}

/** As a child: the program itself, as an API process. */
async function serveAldaba(): Promise<void> {
  const config = loadConfig({ ...process.env, ROLE: 'api', DATA_DIR: agencyDataDir })
  const log = createLog(config.logLevel)
  const app = createApp(config, await openDeployment(config, { mode: 'own', log }), log)
  process.send!({ port: Number(new URL(await app.start()).port) })
}

process.once('SIGINT', () => process.exit())
if (import.meta.main) await (process.send ? serveAldaba() : run())
