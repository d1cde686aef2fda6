/** The cases of the fault table: each fault, and the result of a correct extraction. */
import { constants, gunzipSync } from 'node:zlib'
import type { FailureCode } from '../src/crawl/failure.ts'
import { portalA } from '../src/plugins/portals/portal-a.ts'
import type { Fault } from '../src/simulator/faults.ts'
import type { Simulator } from '../src/simulator/index.ts'
import type { Operation, PropertyType } from '../src/simulator/listing.ts'

/** Status and outcome of an extraction. `capped`: it stopped at `maxResults`, and the portal has more. */
export type ExpectedEnd =
  | 'COMPLETED full'
  | 'COMPLETED capped'
  | 'COMPLETED partial'
  | `FAILED ${FailureCode}`

export interface Case {
  fault: string
  platform: string
  /** Set before the extraction starts. */
  faults: Fault[]
  /** The body of `POST /extractions`. */
  body: object
  /** Minimum and maximum number of leads at the end. */
  leads: [number, number]
  end: ExpectedEnd
}

/** `maxResults` of most cases. */
const selectedListings = 40
/** Listings on each search page of portal_a. */
const listingsPerPage = 30
/** More than any of the searches finds. */
const allListings = 10_000
/** Addresses in each file of portal_f's sitemap. */
const listingsPerSitemap = 200
/** Listings in each reply of portal_g. */
const listingsPerReply = 200

/** Paths of portal_a with a fault: all search pages, the second one, all detail pages, or only the fifth. */
type FaultTarget = 'search' | 'page2' | 'listings' | 'fifth'
type FaultsByTarget = Partial<Record<FaultTarget, Fault>>

const statusFault = (code: number, more: Partial<Fault> = {}): Fault => ({
  kind: 'status',
  status: code,
  ...more,
})
const failOnce = (kind: Fault['kind']): FaultsByTarget => ({
  search: { kind, times: 1 },
  fifth: { kind, times: 1 },
})
const busy = statusFault(429, { retryAfterSeconds: 1, times: 3 })

const completes = (fault: string, targets: FaultsByTarget) =>
  toRow(fault, targets, 'COMPLETED capped', selectedListings)
const failsWith = (fault: string, targets: FaultsByTarget, code: FailureCode, leads = 0) =>
  toRow(fault, targets, `FAILED ${code}`, leads)
const toRow = (fault: string, targets: FaultsByTarget, end: ExpectedEnd, leads: number) => ({
  fault,
  targets,
  end,
  leads,
})

const pageFaults = [
  completes('search hangs, twice', { search: { kind: 'hang', times: 2 } }),
  completes('search drips a byte every 20 ms, once', { search: { kind: 'drip', times: 1 } }),
  completes('listing hangs, once', { fifth: { kind: 'hang', times: 1 } }),
  completes('search and listing: 500, once', failOnce('status')),
  completes('search: 503, Retry-After 2, once', {
    search: statusFault(503, { retryAfterSeconds: 2, times: 1 }),
  }),
  completes('search: 429, Retry-After 1, three times', { search: busy }),
  completes('listings: 429, Retry-After 1, three times', { listings: busy }),
  completes('search and listing closed early, once', failOnce('close')),
  completes('search and listing with a wrong length, once', failOnce('length')),
  failsWith('search hangs, always', { search: { kind: 'hang' } }, 'TIMEOUT'),
  failsWith('search: 500, always', { search: statusFault(500) }, 'PORTAL_UNAVAILABLE'),
  failsWith('second page: 500, always', { page2: statusFault(500) }, 'PORTAL_UNAVAILABLE', listingsPerPage),
  failsWith('search closed early, always', { search: { kind: 'close' } }, 'PORTAL_UNAVAILABLE'),
  failsWith('search with a wrong length, always', { search: { kind: 'length' } }, 'PORTAL_UNAVAILABLE'),
  failsWith('search page of 50 MB', { search: { kind: 'huge' } }, 'PORTAL_UNAVAILABLE'),
  failsWith('search: 429, always', { search: statusFault(429) }, 'BLOCKED'),
  failsWith('search: 403', { search: statusFault(403) }, 'BLOCKED'),
  failsWith('robot check for a search, 403', { search: { kind: 'challenge', status: 403 } }, 'BLOCKED'),
  failsWith('robot check for a search, 200', { search: { kind: 'challenge', status: 200 } }, 'BLOCKED'),
  failsWith('robot check for listings, 200', { listings: { kind: 'challenge', status: 200 } }, 'BLOCKED'),
  failsWith('search redirects to login', { search: { kind: 'redirectToLogin' } }, 'BLOCKED'),
  failsWith('listings redirect to login', { listings: { kind: 'redirectToLogin' } }, 'BLOCKED'),
  failsWith('search emptied', { search: { kind: 'empty' } }, 'LAYOUT_CHANGED'),
  failsWith('second page emptied', { page2: { kind: 'empty' } }, 'LAYOUT_CHANGED', listingsPerPage),
  failsWith('search in another layout', { search: { kind: 'layout' } }, 'LAYOUT_CHANGED'),
  failsWith('listings in another layout', { listings: { kind: 'layout' } }, 'LAYOUT_CHANGED'),
  toRow('pagination loops', { search: { kind: 'loop' } }, 'COMPLETED partial', listingsPerPage),
]

interface Search {
  operation: Operation
  propertyType: PropertyType
  city: string
}

const cities = 'madrid barcelona valencia sevilla malaga alicante palma zaragoza murcia'.split(' ')
const searches = cities.flatMap(city =>
  (['offices', 'premises', 'garages'] as const).flatMap(propertyType =>
    (['sale', 'rent'] as const).map((operation): Search => ({ operation, propertyType, city })),
  ),
)

/** Faults of portal_a, each for a different search, so that they run concurrently. */
export function pageCases(simulator: Simulator): Case[] {
  const large = searches.filter(search => simulator.findListings(search).length > selectedListings)
  return pageFaults.map(({ fault, targets, end, leads }, index) => {
    const search = large[index]!
    const { city, ...kind } = search
    const filters = { ...kind, location: { id: city, label: city } }
    const { path } = portalA.search.start(filters, {} as never)
    const ids = simulator.findListings(search).map(listing => listing.id)
    const matches: Record<FaultTarget, string | RegExp> = {
      search: path,
      page2: `${path}?page=2`,
      listings: new RegExp(`^/inmueble/(${ids.join('|')})/`),
      fifth: `/inmueble/${ids[4]}/`,
    }
    return {
      fault,
      end,
      platform: 'portal_a',
      leads: [leads, leads],
      faults: Object.entries(targets).map(([target, one]) => ({
        ...one,
        match: matches[target as FaultTarget],
      })),
      body: { platform: 'portal_a', filters, maxResults: selectedListings },
    }
  })
}

const homesForSale = { operation: 'sale', propertyType: 'homes' } as const

const listHomes = (simulator: Simulator, city: string) => simulator.findListings({ ...homesForSale, city })

function toBody(platform: string, location: string, maxResults: number): object {
  return {
    platform,
    maxResults,
    filters: { ...homesForSale, location: { id: location, label: location } },
  }
}

/** An extraction from portal_a that is slow enough to be disturbed before its end. */
export function slowCase(fault: string, city: string, simulator: Simulator): Case {
  const { length } = listHomes(simulator, city)
  return {
    fault,
    platform: 'portal_a',
    leads: [length, length],
    end: 'COMPLETED full',
    faults: [{ kind: 'latency', latencyMs: 25, match: '/inmueble/' }],
    body: toBody('portal_a', city, allListings),
  }
}

/** A portal whose robots.txt disallows everything or is unavailable, so nothing is requested. */
export function closedCase(fault: string, platform: string, location: string): Case {
  return {
    fault,
    platform,
    leads: [0, 0],
    end: 'FAILED ROBOTS_DISALLOWED',
    faults: [],
    body: toBody(platform, location, selectedListings),
  }
}

const createCaseMaker =
  (platform: string, location: string) =>
  (
    fault: string,
    faultRule: Fault,
    end: ExpectedEnd,
    leads: number | [number, number],
    maxResults = allListings,
  ): Case => ({
    fault,
    platform,
    end,
    faults: [faultRule],
    body: toBody(platform, location, maxResults),
    leads: typeof leads === 'number' ? [leads, leads] : leads,
  })

/** Faults of a partner interface. The first one runs without a cached token. */
export function partnerCases(): Case[] {
  const c = createCaseMaker('portal_c', '0-EU-ES-28-079')
  const capped = (fault: string, faultRule: Fault) =>
    c(fault, faultRule, 'COMPLETED capped', selectedListings, selectedListings)
  const token = { match: '/oauth/token' }
  const search = { match: '/3.5/', times: 1 }
  return [
    c('token refused', statusFault(401, token), 'FAILED CREDENTIALS_INVALID', 0),
    capped('token service: 503, once', statusFault(503, { ...token, times: 1 })),
    capped('token expired: 401, once', statusFault(401, search)),
    capped('quota: 429, Retry-After 3, once', statusFault(429, { ...search, retryAfterSeconds: 3 })),
    c('fields under other names', { kind: 'layout', match: '/3.5/' }, 'FAILED LAYOUT_CHANGED', 0),
  ]
}

/** Faults of a feed. */
export async function feedCases(simulator: Simulator): Promise<Case[]> {
  const e = createCaseMaker('portal_e', 'spain_madrid_madrid')
  const feed = '/feeds/'
  const listed = listHomes(simulator, 'madrid').map(listing => `<id>E${listing.id}</id>`)
  const reply = await fetch(`${simulator.portalUrl('portal_e')}/feeds/kyero-v3.xml.gz`)
  const compressed = Buffer.from(await reply.arrayBuffer())
  const half = gunzipSync(compressed.subarray(0, compressed.length >> 1), {
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  const inHalf = listed.filter(id => half.includes(id)).length
  return [
    e(
      'feed cut in the middle, once',
      { kind: 'close', match: feed, times: 1 },
      'COMPLETED full',
      listed.length,
    ),
    e('feed cut in the middle, always', { kind: 'close', match: feed }, 'FAILED PORTAL_UNAVAILABLE', [
      1,
      inHalf,
    ]),
    e('feed emptied', { kind: 'empty', match: feed }, 'FAILED LAYOUT_CHANGED', 0),
    e('feed in another format', { kind: 'layout', match: feed }, 'FAILED LAYOUT_CHANGED', 0),
  ]
}

/** Faults of a sitemap of several files. */
export function sitemapCases(): Case[] {
  const f = createCaseMaker('portal_f', 'roma-rm')
  const second = { match: '/sitemaps/annunci-vendita-case-roma-rm-2.' }
  return [
    f(
      'second file of the sitemap missing',
      statusFault(404, second),
      'COMPLETED partial',
      listingsPerSitemap,
    ),
    f(
      'second file of the sitemap: 500, always',
      statusFault(500, second),
      'FAILED PORTAL_UNAVAILABLE',
      listingsPerSitemap,
    ),
  ]
}

/** Faults of an OData service. */
export function odataCases(): Case[] {
  const g = createCaseMaker('portal_g', '28079')
  const match = '/odata/'
  return [
    g(
      'error page, 500, once',
      statusFault(500, { match, times: 1 }),
      'COMPLETED capped',
      selectedListings,
      selectedListings,
    ),
    g('error page, 500, always', statusFault(500, { match }), 'FAILED PORTAL_UNAVAILABLE', 0),
    g('error page, 200', { kind: 'challenge', status: 200, match }, 'FAILED BLOCKED', 0),
    g('pagination loops', { kind: 'loop', match }, 'COMPLETED partial', listingsPerReply),
  ]
}
