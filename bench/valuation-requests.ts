/**
 * `POST /valuations` over a million properties with a fitted model, and its report. Limit: the two necessary parts
 * alone, finding the comparables and computing the estimate.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../src/domain/random.ts'
import { estimateValue } from '../src/domain/valuation/estimate.ts'
import { amenities, toAmenitySet } from '../src/domain/valuation/property.ts'
import { candidatesMax } from '../src/domain/valuation/similarity.ts'
import { createKey } from '../src/features/identity/service.ts'
import {
  findComparables,
  fitAndStoreMarket,
  getMarketModel,
  listMarketFits,
} from '../src/features/market/service.ts'
import type { Ratios } from './guard.ts'
import { median, percentile } from './load.ts'
import {
  city,
  fullMarket,
  type MarketBench,
  type MarketSize,
  openMarket,
  shortMarket,
  slug,
} from './market-dataset.ts'
import { findFreePort, startProcess } from './processes.ts'

const requestCount = 300
const concurrency = 8
const concurrentSeconds = 10
const reportCount = 30
const warmUps = 30
const market = {
  environment: 'live',
  operation: 'sale',
  propertyType: 'homes',
  currency: 'EUR',
  priceBasis: 'asking',
} as const

export async function run(): Promise<void> {
  const bench = await openMarket()
  try {
    const { database } = bench.deployment
    if ((await listMarketFits(database.unscoped, 'live')).length === 0) {
      console.log('fitting a model to 100,000 properties, only once …')
      await fitAndStoreMarket(database.unscoped, market)
    }
    await measureParts(bench)
    await withServer(bench, fullMarket, measureRequests)
  } finally {
    await bench.deployment.close()
  }
}

/** Short form: sequential requests over 50,000 properties, with default coefficients, because fitting takes minutes. */
export async function short(): Promise<Ratios> {
  const bench = await openMarket(shortMarket)
  try {
    return await withServer(bench, shortMarket, async request => {
      const paces: number[] = []
      const values: number[] = []
      for (const [index, subject] of makeSubjects(160).entries()) {
        // The order alternates, because the second one finds data in memory that the first one has read.
        const before = index % 2 === 0 ? await valueDirectly(bench, subject) : null
        const { ms, text } = await request('', toBody(subject))
        const direct = before ?? (await valueDirectly(bench, subject))
        if (index < warmUps) continue
        paces.push((direct.searchMs + direct.estimateMs) / ms)
        const { value } = (JSON.parse(text) as { estimate: { value: number } }).estimate
        values.push(Math.min(value, direct.value) / Math.max(value, direct.value))
      }
      return { 'valuations/s of search and estimate': median(paces), 'the same value': Math.min(...values) }
    })
  } finally {
    await bench.deployment.close()
  }
}

type Subject = ReturnType<typeof makeSubjects>[number]

/** Facts that the program derives from `toBody`. */
const assumedFacts = {
  plotSquareMeters: null,
  floor: 2,
  yearBuilt: null,
  subtype: null,
  isPartiallyDescribed: true,
  condition: 'good' as const,
  amenities: toAmenitySet(['lift']),
  amenitiesUnknown: toAmenitySet(amenities.filter(name => name !== 'lift')),
}

/** The limit: finds the comparables and computes the estimate, without HTTP. */
async function valueDirectly({ deployment: { database } }: MarketBench, subject: Subject) {
  const model = await getMarketModel(database.unscoped, market)
  const startMs = performance.now()
  const comparables = await findComparables(database.unscoped, {
    ...market,
    ...subject,
    area: { radiusKm: 5 },
    limit: candidatesMax,
  })
  const searchMs = performance.now() - startMs
  const characteristics = { ...subject, ...assumedFacts }
  const estimateStartMs = performance.now()
  const estimate = estimateValue({ characteristics, asOf: Temporal.Now.instant() }, comparables, model)
  return { searchMs, estimateMs: performance.now() - estimateStartMs, value: estimate!.value }
}

async function measureParts(bench: MarketBench): Promise<void> {
  const search: number[] = []
  const estimate: number[] = []
  for (const subject of makeSubjects(requestCount)) {
    const { searchMs, estimateMs } = await valueDirectly(bench, subject)
    search.push(searchMs)
    estimate.push(estimateMs)
  }
  console.log('\nvaluations over 1,000,000 properties, 5 km around places of a city of 250,000, ms')
  console.table({
    'finding 200 comparables': toFigures(search),
    'the estimate, with all adjustments': toFigures(estimate),
  })
}

type Request = (path: string, body?: object) => Promise<{ ms: number; text: string }>

/** Starts the program on the market. */
async function withServer<T>(
  { deployment }: MarketBench,
  { dataDir }: MarketSize,
  work: (request: Request) => Promise<T>,
): Promise<T> {
  const { owner } = deployment.database
  // One key may send 600 requests per minute.
  const keys = await Promise.all(
    Array.from({ length: 10 }, () =>
      createKey(owner, { workspace: slug, environment: 'live', name: 'bench' }),
    ),
  )
  const port = await findFreePort()
  const env = {
    DATABASE_URL: deployment.embedded!.databaseUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'error',
  }
  const server = await startProcess(['src/main.ts'], env, `http://127.0.0.1:${port}`, '/readyz')
  let sent = 0
  try {
    return await work(async (path, body) => {
      const headers = { 'x-api-key': keys[sent++ % keys.length]!, 'content-type': 'application/json' }
      const startMs = performance.now()
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      const reply = await fetch(`${server.url}/public/v1/valuations${path}`, init)
      const text = await reply.text()
      if (!reply.ok) throw new Error(text)
      return { ms: performance.now() - startMs, text }
    })
  } finally {
    await server.stop()
  }
}

async function measureRequests(request: Request): Promise<void> {
  const bodies = makeSubjects(requestCount * 4).map(toBody)
  for (const body of bodies.slice(0, warmUps)) await request('', body)
  const sequentialMs: number[] = []
  let last = ''
  for (const body of bodies.slice(0, requestCount)) {
    const { ms, text } = await request('', body)
    sequentialMs.push(ms)
    last = JSON.parse(text).id
  }
  const concurrentMs: number[] = []
  const endMs = performance.now() + concurrentSeconds * 1000
  await Promise.all(
    Array.from({ length: concurrency }, async (_, nth) => {
      for (let index = nth; performance.now() < endMs; index += concurrency)
        concurrentMs.push((await request('', bodies[index % bodies.length])).ms)
    }),
  )
  const [html, pdf]: [number[], number[]] = [[], []]
  for (let index = 0; index < reportCount; index++) {
    html.push((await request(`/${last}/report`)).ms)
    pdf.push((await request(`/${last}/report.pdf`)).ms)
    await sleep(5)
  }
  console.table({
    'POST /valuations, one at a time': toFigures(sequentialMs),
    [`POST /valuations, ${concurrency} concurrently`]: {
      ...toFigures(concurrentMs),
      'per second': Math.round(concurrentMs.length / concurrentSeconds),
    },
    'report as a page': toFigures(html),
    'report as PDF': toFigures(pdf),
  })
}

function makeSubjects(count: number) {
  const random = createRandom(41)
  return Array.from({ length: count }, () => ({
    latitude: city.latitude + (random() - 0.5) * 0.06,
    longitude: city.longitude + (random() - 0.5) * 0.08,
    squareMeters: 45 + Math.floor(random() * 90),
    bedrooms: 1 + Math.floor(random() * 4),
    bathrooms: 1 + Math.floor(random() * 2),
  }))
}

function toBody(subject: object) {
  return { ...subject, propertyType: 'homes', operation: 'sale', condition: 'good', floor: 2, hasLift: true }
}

function toFigures(ms: number[]) {
  return { p50: Number(median(ms).toFixed(1)), p99: Number(percentile(ms, 0.99).toFixed(1)) }
}
