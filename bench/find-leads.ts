/**
 * `GET /leads` with each filter and with free text, in each order, of an agency with a million leads. Compared with the
 * fastest possible server, the limit: node:http that runs the same statement without row level security.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { selectLeadPage } from '../src/features/leads/list/lead-list.ts'
import { planSearch } from '../src/features/leads/list/lead-search.ts'
import type { LeadFilter } from '../src/features/leads/schemas.ts'
import { createLog } from '../src/kit/log.ts'
import { createApp } from '../src/server.ts'
import { type Agency, type AgencySize, fullAgency, openAgency, shortAgency } from './agency-dataset.ts'
import type { Ratios } from './guard.ts'
import { bareSettings, compileQuery, formatLimitPage } from './limit-query.ts'
import { median } from './load.ts'

const sorts = ['-createdAt', '-updatedAt', 'updatedAt', 'price', '-price'] as const
type Sort = (typeof sorts)[number]
const full = { requests: 20, sorts }

type Filters = Record<string, Record<string, string>>

const searches: Filters = {
  'a common word': { q: 'piso' },
  'a street': { q: 'carrer de mallorca' },
  'two letters': { q: 'ma' },
  'a name': { q: 'raquel montcada' },
  'a phone': { q: '612 345' },
  'two words': { q: 'ático terraza' },
  'no such word': { q: 'xyzzy' },
}

async function readFilters({ deployment, tenantId, leads }: Agency): Promise<Filters> {
  const sample = await deployment.database.withTenant({ tenantId }, tx =>
    tx
      .selectFrom('leads')
      .select(['campaign_id', 'owner_user_id', 'external_id'])
      .where('owner_user_id', 'is not', null)
      .where('external_id', 'is not', null)
      .orderBy('id')
      .offset(leads / 1000)
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  return {
    none: {},
    'status, most': { status: 'new' },
    'status, few and old': { status: 'won' },
    platform: { platform: 'portal_c' },
    campaign: { campaignId: sample.campaign_id! },
    owner: { ownerUserId: sample.owner_user_id! },
    'tag of five': { tag: 'vip' },
    'tag of 10,000': { tag: 'hot' },
    'tag of a quarter': { tag: 'El Born' },
    'several tags, few': { tag: 'vip,hot' },
    'several tags, many': { tag: 'El Born,Gràcia,archive' },
    'several statuses, most': { status: 'new,lost' },
    'several statuses, few and old': { status: 'won,qualified' },
    'several platforms': { platform: 'portal_b,portal_c' },
    'external id': { externalId: sample.external_id! },
    'no such external id': { externalId: 'nobody' },
    advertiser: { advertiserType: 'agency' },
    operation: { operation: 'rent' },
    'property type': { propertyType: 'garages' },
    'narrow price': { minPrice: '251000', maxPrice: '251500' },
    town: { municipality: 'barcelona' },
    'no such town': { municipality: 'Nowhere' },
    province: { province: 'barcelona' },
    'small province': { province: 'Lugo' },
    'no such province': { province: 'Nowhere' },
    withdrawn: { withdrawn: 'true' },
    'not withdrawn': { withdrawn: 'false' },
    'may be contacted': { contactable: 'true' },
    'may not be contacted': { contactable: 'false' },
    'small area': { bbox: '2.16,41.38,2.165,41.385' },
    city: { bbox: '2.05,41.3,2.25,41.5' },
    'without phone': { hasPhone: 'false' },
    'created recently': { createdAfter: '2026-10-10T00:00:00Z' },
    'created recently, province': { province: 'barcelona', createdAfter: '2026-10-10T00:00:00Z' },
    'changed recently': { updatedAfter: '2026-10-10T00:00:00Z' },
    'four filters': { status: 'new', municipality: 'Barcelona', operation: 'sale', minPrice: '200000' },
    'three rare values': { status: 'won', propertyType: 'garages', advertiserType: 'private' },
  }
}

export async function run(): Promise<void> {
  await withAgency(fullAgency, async (agency, url, limit) => {
    await printResults('a filter in each order', await readFilters(agency), agency, url, limit)
    await printResults('free text in each order', searches, agency, url, limit)
  })
}

/** Short form: 20,000 leads, in one order. */
export async function short(): Promise<Ratios> {
  let ratios: Ratios = {}
  await withAgency(shortAgency, async (agency, url, limit) => {
    const times = { requests: 8, sorts: ['-updatedAt'] } as const
    const filtered = await measure(await readFilters(agency), agency, url, limit, times)
    const found = await measure(searches, agency, url, limit, times)
    ratios = { 'filters of the limit': computeRatio(filtered), 'words of the limit': computeRatio(found) }
  })
  return ratios
}

async function withAgency(
  size: AgencySize,
  work: (agency: Agency, url: string, limit: Limit) => Promise<void>,
): Promise<void> {
  const agency = await openAgency(size)
  const child = fork(import.meta.filename, [size.dataDir], {
    env: { ...process.env, DATABASE_URL: agency.ownerUrl, PORT: '0', LOG_LEVEL: 'warn' },
  })
  const limit = await startLimit(agency)
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    await work(agency, `http://127.0.0.1:${port}`, limit)
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

/** The limit: bare node:http and the same statement with the tenant in its text, without row level security. */
async function startLimit({ superuserUrl, deployment, tenantId }: Agency): Promise<Limit> {
  // The view of the documents filters by the entered tenant.
  const options = `${bareSettings} -c aldaba.tenant_id=${tenantId}`
  const pool = new pg.Pool({ connectionString: superuserUrl, options })
  let statement = { text: '', values: [] as unknown[] }
  const server = createServer((_request, response) => {
    pool.query(statement).then(
      ({ rows }) => response.setHeader('content-type', 'application/json').end(formatLimitPage(rows)),
      error => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async prepare(filter) {
      const { sql, parameters } = await deployment.database.readTenant({ tenantId }, async tx =>
        compileQuery(selectLeadPage(tx, filter, null, await planSearch(tx, filter))),
      )
      statement = { text: sql, values: [...parameters] }
    },
    async close() {
      server.close()
      await pool.end()
    },
  }
}

/** Milliseconds of one filter in one order. */
interface Measured {
  filter: string
  sort: string
  ours: number[]
  limits: number[]
}

async function measure(
  filters: Filters,
  { key }: Agency,
  url: string,
  limit: Limit,
  { requests, sorts }: { requests: number; sorts: readonly Sort[] },
): Promise<Measured[]> {
  const all: Measured[] = []
  for (const [name, filter] of Object.entries(filters)) {
    for (const sort of sorts) {
      const query = new URLSearchParams({ ...filter, sort, limit: '50' })
      await limit.prepare(toFilter(filter, sort))
      const measured: Measured = { filter: name, sort, ours: [], limits: [] }
      for (let n = 0; n < requests + 5; n++) {
        const ours = await measureMs(`${url}/public/v1/leads?${query}`, key)
        const bare = await measureMs(limit.url, key)
        // The first requests are a warm-up of both.
        if (n < 5) continue
        measured.ours.push(ours)
        measured.limits.push(bare)
      }
      all.push(measured)
    }
  }
  return all
}

function computeRatio(all: Measured[]): number {
  return median(all.map(({ ours, limits }) => median(limits) / median(ours)))
}

async function printResults(
  title: string,
  filters: Filters,
  agency: Agency,
  url: string,
  limit: Limit,
): Promise<void> {
  const all = await measure(filters, agency, url, limit, full)
  const table: Record<string, Record<string, string>> = {}
  for (const one of all) {
    table[one.filter] ??= {}
    table[one.filter]![one.sort] = `${computeP99(one.ours).toFixed(1)} (${computeRatio([one]).toFixed(2)})`
  }
  const worst = Math.max(...all.map(({ ours }) => computeP99(ours)))
  const p99 = computeP99(all.flatMap(({ ours }) => ours))
  console.log(
    `GET /leads, ${title}: 50 of 1,000,000 leads of one workspace, sequentially, ${full.requests} each. p99 in ms (median speed as a share of the limit's)`,
  )
  console.table(table)
  console.log(
    `p99 of all ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms; ${computeRatio(all).toFixed(2)} of the speed of the limit`,
  )
}

function toFilter(filter: Record<string, string>, sort: Sort): LeadFilter {
  const { minPrice, maxPrice, hasPhone, contactable, withdrawn, ...rest } = filter
  return {
    ...rest,
    ...(minPrice ? { minPrice: Number(minPrice) } : {}),
    ...(maxPrice ? { maxPrice: Number(maxPrice) } : {}),
    ...(hasPhone ? { hasPhone: hasPhone === 'true' } : {}),
    ...(contactable ? { contactable: contactable === 'true' } : {}),
    ...(withdrawn ? { withdrawn: withdrawn === 'true' } : {}),
    sort,
    limit: 50,
  } as LeadFilter
}

const computeP99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!

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
