/**
 * Extractions from each kind of portal, with simulator and program in separate processes, up to committed leads.
 * Limit: undici fetches the same pages. Peer: Crawlee's CheerioCrawler reads the same pages to a file.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { decodeReply } from '../src/crawl/decode.ts'
import { loadGazetteer } from '../src/features/platforms/gazetteer.ts'
import { createPortals } from '../src/features/platforms/service.ts'
import type { PortalDefinition, PortalRequest, SearchContext } from '../src/plugins/portal.ts'
import { builtInPortals } from '../src/plugins/portals/index.ts'
import { fetchPages, type Pages } from './extraction-limit.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { type Bench, extract, startSimulatorProcess, toSeconds, withBench } from './processes.ts'

const listings = 2500
const rounds = 3
const startCount = 40
const pairCount = 5
/** The town whose homes for sale are searched, by country of the portal. */
const townIds: Record<string, string> = { PT: 'PT-1106', IT: 'IT-058091', ES: 'ES-28079' }
/** Portals whose pages a web crawler can read. */
const peerPortals = new Set(['portal_a', 'portal_b', 'portal_d', 'portal_f'])

export async function run(): Promise<void> {
  let startMs = 0
  const rows: Record<string, object> = {}
  await withBench(async bench => {
    for (const definition of builtInPortals.filter(({ capabilities }) => capabilities.extract)) {
      // A simulator per portal: one hourly quota would not suffice for all rounds.
      const simulator = await startSimulatorProcess(60_000)
      try {
        startMs ||= await timeStarts(bench, simulator.portals.portal_a!)
        rows[definition.id] = await compare(bench, definition, simulator.portals[definition.id]!)
      } finally {
        await simulator.stop()
      }
    }
  })
  console.log(
    `extractions of up to ${listings} listings from each kind of portal, medians of ${rounds} rounds after a warm-up; simulator, program and PostgreSQL share the machine`,
  )
  console.table(rows)
  console.log(`from the request to RUNNING: ${startMs} ms, median of ${startCount}`)
  console.log(await compareWithoutMarket())
}

/** Short form: one portal. */
export async function short(): Promise<Ratios> {
  const definition = builtInPortals.find(({ id }) => id === 'portal_a')!
  const simulator = await startSimulatorProcess(60_000)
  let ratios: Ratios = {}
  try {
    await withBench(async bench => {
      const { rates, limits, aldaba } = await measureInTurn(bench, definition, simulator.portals.portal_a!, {
        listings: 1000,
        rounds: 3,
      })
      await aldaba.stop()
      ratios = { 'listings/s of the limit': computeRatio(rates, limits) }
    })
  } finally {
    await simulator.stop()
  }
  return ratios
}

function computeRatio(rates: number[], limits: number[]): number {
  return median(rates.map((rate, round) => rate / limits[round]!))
}

/**
 * Measures what the market costs: the same extraction without the market, with new listings, and with known listings; in
 * turn, with a separate database for each of the two servers.
 */
async function compareWithoutMarket(): Promise<string> {
  const definition = builtInPortals.find(({ id }) => id === 'portal_a')!
  const body = { platform: 'portal_a', filters: makeSearch(definition).filters, maxResults: listings }
  const simulator = await startSimulatorProcess(60_000)
  try {
    return await withBench(withMarket =>
      withBench(async withoutMarket => {
        const portals = { portal_a: simulator.portals.portal_a! }
        const serverWithMarket = await withMarket.startAldaba(portals)
        const preload = new URL('extraction-without-market.ts', import.meta.url).href
        const serverWithoutMarket = await withoutMarket.startAldaba(portals, {
          NODE_OPTIONS: `--import ${preload}`,
        })
        const measureRate = async (bench: Bench, url: string) => {
          const extraction = await extract(url, await bench.createLiveKey(), body)
          return extraction.progress.leadsCreated / toSeconds(extraction)
        }
        const measureWithMarket = async () => {
          await sql`truncate market_properties cascade`.execute(withMarket.deployment.database.owner)
          return {
            created: await measureRate(withMarket, serverWithMarket.url),
            unchanged: await measureRate(withMarket, serverWithMarket.url),
          }
        }
        const all: Rates[] = []
        for (let pair = 0; pair <= pairCount; pair++) {
          const before = pair % 2 === 0 ? await measureWithMarket() : null
          const without = await measureRate(withoutMarket, serverWithoutMarket.url)
          all.push({ withoutMarket: without, ...(before ?? (await measureWithMarket())) })
        }
        // The first run of each is a warm-up of the compiler.
        const rates = all.slice(1)
        await Promise.all([serverWithMarket.stop(), serverWithoutMarket.stop()])
        return (
          `cost of storing in the market: ${Math.round(median(rates.map(({ withoutMarket }) => withoutMarket)))} listings/s from portal_a without the market, ` +
          `${formatRates(rates, 'created')} new listings, ${formatRates(rates, 'unchanged')} known listings (medians of ${pairCount} pairs)`
        )
      }),
    )
  } finally {
    await simulator.stop()
  }
}

/** Listings per second. */
type Rates = Record<'withoutMarket' | 'created' | 'unchanged', number>

function formatRates(rates: Rates[], which: 'created' | 'unchanged'): string {
  const shares = rates.map(rate => rate[which] / rate.withoutMarket).sort((a, b) => a - b)
  const [middle, min, max] = [median(shares), shares[0]!, shares.at(-1)!].map(share => share.toFixed(2))
  return `${Math.round(median(rates.map(rate => rate[which])))} (${middle} of the rate without it, ${min} to ${max})`
}

async function compare(
  bench: Bench,
  definition: PortalDefinition,
  address: string,
): Promise<Record<string, string | number>> {
  const { id } = definition
  const { aldaba, requests, leads, limits, rates } = await measureInTurn(bench, definition, address, {
    listings,
    rounds,
  })
  const peakMb = await aldaba.readPeakMb()
  await aldaba.stop()
  return {
    leads,
    requests: requests.length,
    'limit, listings/s': Math.round(median(limits)),
    'aldaba, listings/s': Math.round(median(rates)),
    'share of the limit': computeRatio(rates, limits).toFixed(2),
    'peak MB': Math.round(peakMb),
    ...(peerPortals.has(id) ? await comparePeer(address, requests, leads, median(rates)) : {}),
  }
}

/** Measures program and limit in turn, after a first round. The program keeps running. */
async function measureInTurn(
  bench: Bench,
  definition: PortalDefinition,
  address: string,
  { listings, rounds }: { listings: number; rounds: number },
) {
  const { id } = definition
  const search = makeSearch(definition)
  const requests = await listRequests(definition, address, search, listings)
  const aldaba = await bench.startAldaba({ [id]: address })
  const body = { platform: id, filters: search.filters, maxResults: listings }
  // The warm-up compiles the code.
  await extract(aldaba.url, await bench.createLiveKey(), body)
  const limits: number[] = []
  const rates: number[] = []
  let leads = 0
  for (let round = 0; round < rounds; round++) {
    const pages = await fetchPages(address, definition, requests)
    const extraction = await extract(aldaba.url, await bench.createLiveKey(), body)
    leads = extraction.progress.leadsCreated
    limits.push(leads / pages.seconds)
    rates.push(leads / toSeconds(extraction))
  }
  return { aldaba, requests, leads, limits, rates }
}

/** Milliseconds from acceptance to start of an extraction, sequentially. */
async function timeStarts(bench: Bench, address: string): Promise<number> {
  const aldaba = await bench.startAldaba({ portal_a: address })
  const { filters } = makeSearch(builtInPortals[0] as PortalDefinition)
  const key = await bench.createLiveKey()
  const waits: number[] = []
  for (let start = 0; start < startCount; start++) {
    const { createdAt, startedAt } = await extract(aldaba.url, key, {
      platform: 'portal_a',
      filters,
      maxResults: 1,
    })
    waits.push(Date.parse(startedAt!) - Date.parse(createdAt))
  }
  await aldaba.stop()
  return median(waits)
}

interface Search {
  filters: Record<string, unknown>
  context: SearchContext
}

function makeSearch(definition: PortalDefinition): Search {
  const portals = createPortals({
    definitions: [definition],
    urls: {},
    simulated: [],
    findSimulatedUrl: async () => '',
    loadGazetteer,
  })
  const place = loadGazetteer().find(townIds[definition.country]!)!
  const location = { id: portals.findLocationId(definition.id, place)!, label: place.name }
  return {
    filters: { operation: 'sale', propertyType: 'homes', location },
    context: { place, since: null },
  }
}

/** Lists all requests of the extraction, by crawling the search once. */
async function listRequests(
  definition: PortalDefinition,
  address: string,
  { filters, context }: Search,
  listings: number,
): Promise<PortalRequest[]> {
  const { search, details } = definition
  if (search.kind === 'feed') return [search.request(filters, context)]
  const requests: PortalRequest[] = []
  let found = 0
  for (let queue = [search.start(filters, context)]; queue[0] && found < listings; ) {
    const [request, ...others] = queue
    const { bodies } = await fetchPages(address, definition, [request], true)
    const url = new URL(request.path, address)
    url.username = url.password = ''
    const reading = search.read({ text: decodeReply(bodies[0]!, undefined), url: url.href }, filters, context)
    if (reading.kind !== 'page') throw new Error(`${definition.id}: ${reading.detail}`)
    const cards = reading.cards.slice(0, listings - found)
    found += cards.length
    requests.push(
      request,
      ...(details ? cards.map(card => details.request?.(card) ?? { path: card.path }) : []),
    )
    queue = [...reading.next, ...others]
  }
  return requests
}

/** Runs the peer on the same pages in a separate process. */
async function comparePeer(
  address: string,
  requests: PortalRequest[],
  leads: number,
  rate: number,
): Promise<Record<string, string | number>> {
  const folder = await mkdtemp(join(tmpdir(), 'aldaba-peer-'))
  try {
    // The peer cannot read gzipped files, so such sitemaps are omitted.
    const urls = requests.map(({ path }) => new URL(path, address).href).filter(url => !url.endsWith('.gz'))
    await writeFile(join(folder, 'urls.json'), JSON.stringify(urls))
    const peer = new URL('extraction-peer.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, [peer, folder], { maxBuffer: 1e8 })
    const { seconds, peakMb } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Pages & { peakMb: number }
    return {
      'peer, listings/s': Math.round(leads / seconds),
      'times the peer': (rate / (leads / seconds)).toFixed(1),
      'peer, peak MB': Math.round(peakMb),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main) await run()
