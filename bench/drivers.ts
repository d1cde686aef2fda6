/**
 * Compares PostgreSQL drivers. Each does the work of a list request (enter the tenant, read 50 leads as JSON, in one
 * transaction) on 16 connections, in its fastest mode. Limit: the statement only, with the tenant in its text.
 */
import pg from 'pg'
import postgres from 'postgres'
import { listLeads } from '../src/features/leads/service.ts'
import { openDatabase } from '../src/kit/db/index.ts'
import { type Dataset, type DatasetSize, fullSize, openDataset, shortSize } from './dataset.ts'
import type { Ratios } from './guard.ts'
import { compileLimitQuery, formatLimitPage } from './limit-query.ts'
import { connections, median } from './load.ts'

const full = { rounds: 5, seconds: 3 }
const poolSize = 10
const filter = { sort: '-createdAt', limit: 50 } as const
const options = '-c search_path=aldaba,public -c timezone=UTC -c role=aldaba_service'

type Request = (tenantId: string) => Promise<unknown>

const limitName = 'pg, statement alone (limit)'
const aldabaName = 'pg, both before one Sync (Aldaba)'

export async function run(): Promise<void> {
  const figures = await compare(fullSize, () => true, full)
  console.log(
    `drivers: enter a tenant and read 50 leads as JSON, ${connections} concurrent requests, ${full.rounds} rounds of ${full.seconds} s, medians`,
  )
  console.table(
    Object.fromEntries(
      [...figures].map(([name, rates]) => [
        name,
        {
          'requests/s': Math.round(median(rates)),
          'share of the limit': computeRatio(figures, name).toFixed(2),
        },
      ]),
    ),
  )
}

/** Short form: the program's driver and the limit. */
export async function short(): Promise<Ratios> {
  const selected = (name: string) => name === limitName || name === aldabaName
  const figures = await compare(shortSize, selected, { rounds: 5, seconds: 1 })
  return { 'requests/s of the limit': computeRatio(figures, aldabaName) }
}

function computeRatio(figures: Map<string, number[]>, name: string): number {
  const limit = figures.get(limitName)!
  return median(figures.get(name)!.map((rate, round) => rate / limit[round]!))
}

async function compare(
  size: DatasetSize,
  isSelected: (name: string) => boolean,
  { rounds, seconds }: typeof full,
): Promise<Map<string, number[]>> {
  const dataset = await openDataset(size)
  const { candidates, close } = openCandidates(dataset)
  try {
    const selected = Object.entries(candidates).filter(([name]) => isSelected(name))
    const figures = new Map(selected.map(([name]) => [name, [] as number[]]))
    for (let round = -1; round < rounds; round++) {
      for (const [name, request] of selected) {
        const rate = await measure(request, dataset.tenantIds, seconds)
        // The first round is a warm-up.
        if (round >= 0) figures.get(name)!.push(rate)
      }
    }
    return figures
  } finally {
    await close()
    await dataset.deployment.close()
  }
}

async function measure(request: Request, tenantIds: string[], seconds: number): Promise<number> {
  let done = 0
  const untilMs = performance.now() + seconds * 1000
  const sendRequests = async () => {
    while (performance.now() < untilMs) await request(tenantIds[done++ % tenantIds.length]!)
  }
  await Promise.all(Array.from({ length: connections }, sendRequests))
  return done / seconds
}

function openCandidates({ ownerUrl, superuserUrl }: Dataset): {
  candidates: Record<string, Request>
  close: () => Promise<unknown>
} {
  const limitPool = new pg.Pool({
    connectionString: superuserUrl,
    options: options.replace(/ -c role.*/, ''),
    max: poolSize,
  })
  const plainPool = new pg.Pool({ connectionString: ownerUrl, options, max: poolSize })
  const pipelinePool = new pg.Pool({
    connectionString: ownerUrl,
    options,
    max: poolSize,
    pipeline: true,
  } as pg.PoolConfig)
  const host = new URL(ownerUrl).searchParams.get('host')!
  const owner = new URL(ownerUrl)
  const postgresJs = postgres({
    path: `${host}/.s.PGSQL.${owner.port}`,
    database: owner.pathname.slice(1),
    username: owner.username,
    password: decodeURIComponent(owner.password),
    max: poolSize,
    connection: { search_path: 'aldaba,public', role: 'aldaba_service', TimeZone: 'UTC' } as never,
  })
  const database = openDatabase(ownerUrl, { onError: () => {} })
  const limitText = compileLimitQuery(filter)
  const text = limitText.replace('where l.tenant_id = $1', 'where true')
  const enter = 'select aldaba.enter_tenant($1)'

  const candidates: Record<string, Request> = {
    [limitName]: async tenantId =>
      formatLimitPage((await limitPool.query({ name: 'limit', text: limitText, values: [tenantId] })).rows),
    'pg, one after another': async tenantId => {
      const client = await plainPool.connect()
      await client.query('begin')
      await client.query({ name: 'enter', text: enter, values: [tenantId] })
      const { rows } = await client.query({ name: 'list', text })
      await client.query('commit')
      client.release()
      return formatLimitPage(rows)
    },
    'pg, pipelined': async tenantId => {
      const client = await pipelinePool.connect()
      const results = await Promise.all([
        client.query('begin'),
        client.query({ name: 'enter', text: enter, values: [tenantId] }),
        client.query({ name: 'list', text }),
        client.query('commit'),
      ])
      client.release()
      return formatLimitPage(results[2].rows)
    },
    [aldabaName]: tenantId => database.readTenant({ tenantId }, tx => listLeads(tx, filter, null)),
    'postgres.js, pipelined': tenantId =>
      postgresJs.begin(async sql => {
        const [, rows] = await Promise.all([
          sql.unsafe(enter, [tenantId], { prepare: true }),
          sql.unsafe(text, [], { prepare: true }),
        ])
        return formatLimitPage(rows as never)
      }),
  }
  return {
    candidates,
    close: () =>
      Promise.all([limitPool.end(), plainPool.end(), pipelinePool.end(), postgresJs.end(), database.close()]),
  }
}

if (import.meta.main) await run()
