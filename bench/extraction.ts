/** An extraction of 3,000 adverts from the simulator, beside fetching the same pages and doing nothing with them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import type { Extraction } from '../src/features/extractions/schemas.ts'
import { createKey } from '../src/features/identity/service.ts'
import { createHttpClient } from '../src/kit/http/client.ts'
import { createLog } from '../src/kit/log.ts'
import { portalA } from '../src/plugins/portals/portal-a.ts'
import { median } from './load.ts'

const adverts = 3000
const rounds = 3
const cities = ['madrid', 'barcelona', 'valencia']

export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-bench-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
  const log = createLog(config.logLevel)
  const deployment = await openDeployment(config, { mode: 'own', log })
  const app = createApp(config, deployment, log)
  const url = await app.start()
  const key = await createKey(deployment.database.owner, {
    workspace: 'demo',
    environment: 'test',
    name: 'bench',
  })
  const rates = { aldaba: [] as number[], limit: [] as number[] }
  try {
    for (let round = 0; round < rounds; round++) {
      // Another city each time, so that every advert is a new lead.
      const pages = await fetchAll(app, cities[round]!)
      rates.limit.push(pages.rate)
      rates.aldaba.push(await extract(url, key, cities[round]!, pages.adverts))
    }
  } finally {
    await app.stop()
    await deployment.close()
    await rm(dataDir, { recursive: true })
  }
  console.log(
    `extraction of up to ${adverts} adverts with details, simulator in the same process, ${rounds} cities, medians`,
  )
  console.table({
    'undici alone (limit)': { 'adverts/s': Math.round(median(rates.limit)), 'of the limit': '1.00' },
    aldaba: {
      'adverts/s': Math.round(median(rates.aldaba)),
      'of the limit': median(rates.aldaba.map((rate, round) => rate / rates.limit[round]!)).toFixed(2),
    },
  })
}

const filtersOf = (city: string) => ({
  operation: 'sale' as const,
  location: { id: city, label: city },
  propertyType: 'homes' as const,
})

async function fetchAll(app: App, city: string): Promise<{ rate: number; adverts: number }> {
  const http = createHttpClient({ reach: 'any' })
  const base = (await app.simulator()).portalUrl('portal_a')
  const get = async (path: string) =>
    (await http.fetch(base + path, { timeoutMs: 10_000, bodyMaxBytes: 1e7 })).body
  const startedMs = performance.now()
  let count = 0
  for (let page = 1, more = true; more && count < adverts; page++) {
    const html = (await get(portalA.searchPath(filtersOf(city), page))).toString()
    const paths = [
      ...new Set([...html.matchAll(/data-listing-id="([^"]+)"/g)].map(match => `/inmueble/${match[1]}/`)),
    ]
    const queue = [...paths]
    const work = async () => {
      for (let path = queue.shift(); path; path = queue.shift()) await get(path)
    }
    await Promise.all(Array.from({ length: portalA.politeness.concurrency }, work))
    count += paths.length
    more = html.includes('rel="next"')
  }
  await http.close()
  return { rate: count / ((performance.now() - startedMs) / 1000), adverts: count }
}

async function extract(url: string, key: string, city: string, count: number): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({
    platform: 'portal_a',
    filters: filtersOf(city),
    maxResults: Math.min(count, adverts),
  })
  const started = await fetch(`${url}/public/v1/extractions`, { method: 'POST', headers, body })
  let extraction = (await started.json()) as Extraction
  while (extraction.status === 'QUEUED' || extraction.status === 'RUNNING') {
    await sleep(50)
    extraction = (await (
      await fetch(`${url}/public/v1/extractions/${extraction.extractionId}`, { headers })
    ).json()) as Extraction
  }
  if (extraction.status !== 'COMPLETED') throw new Error(JSON.stringify(extraction))
  return (
    extraction.progress.leadsCreated /
    ((Date.parse(extraction.finishedAt!) - Date.parse(extraction.startedAt!)) / 1000)
  )
}

if (import.meta.main) await run()
