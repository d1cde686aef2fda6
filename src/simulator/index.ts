// A small honest world on loopback: portals to extract from that look real, answer the same for the same seed, and fail on request.
import type { Advert } from './advert.ts'
import { controlListener } from './control.ts'
import type { Fault, FaultControl } from './faults.ts'
import { createFaults } from './faults.ts'
import { COUNTRIES } from './places.ts'
import type { PortalId } from './portals.ts'
import { PORTAL_IDS, PORTALS } from './portals.ts'
import type { Search } from './search.ts'
import type { RequestCounts } from './server.ts'
import { createCounts, listen, portalListener, stop } from './server.ts'
import { addressOf, createViews } from './views.ts'
import { createWorld, type ListingChange, type World } from './world.ts'

export type { ListingChange }

export interface SimulatorOptions {
  /** Adverts, texts and photos depend on it alone; default 1. */
  seed?: number
  /** The present of the simulated world, ISO 8601; default 2026-11-01T00:00:00Z. */
  asOf?: string
  /** How many Spanish adverts are made up; default 20,000. */
  adverts?: number
  /** A CSV file (plain or gzipped) of real adverts, which take the place of the made-up ones of their kind and city. */
  dataFile?: string
  /** Port of the control address; any free one by default, and when the wanted one is taken. */
  port?: number
  /** Ports of the portals, likewise. */
  ports?: Partial<Record<PortalId, number>>
  /** Wait before every answer of a portal; default 0. */
  latencyMs?: number
  /** Faults in force from the start. */
  faults?: readonly Fault[]
}

export interface Simulator {
  /** Control address, `http://127.0.0.1:PORT`, without a slash at the end: `GET /__simulator`. */
  url: string
  /** A portal's own origin, `http://127.0.0.1:PORT`: robots.txt is at its root. */
  portalUrl(portal: PortalId): string
  /** The same with the credentials that the portal asks of its partners, if it does. */
  portalAddress(portal: PortalId): string
  /** Every published advert of every country: what a perfect reader would bring home. */
  listings: Iterable<Advert>
  /** An advert by its id, withdrawn or not. */
  advert(listingId: string): Advert | undefined
  /** The adverts that a search finds, newest first, as the portals show them. */
  advertsOf(search: Search): Advert[]
  /** Gives a published advert another price. Throws for an unknown id. */
  change(listingId: string, change: { price: number }): void
  /** Takes an advert off the portals: gone from searches, its page answers 410. Throws for an unknown id. */
  withdraw(listingId: string): void
  /**
   * As `portalAddress`, of a portal that shows the adverts with these changes to `visitor` alone, in the order of the changes. It
   * is the same for each visitor until as many others have come since that it is forgotten.
   */
  addressFor(visitor: string, changes: readonly ListingChange[], portal: PortalId): Promise<string>
  faults: FaultControl
  /** How often each portal was asked for what. */
  requests: Readonly<Record<PortalId, RequestCounts>>
  /** Stops at once, whatever hangs. */
  close(): Promise<void>
}

/** Ports of the portals, one after the other. */
export function portsFrom(first: number): Record<PortalId, number> {
  return Object.fromEntries(PORTAL_IDS.map((id, at) => [id, first + at])) as Record<PortalId, number>
}

/** Starts the portals, each on its own port of 127.0.0.1, and the control address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 1, asOf = '2026-11-01T00:00:00Z', latencyMs = 0, adverts, dataFile } = options
  const asOfMs = Date.parse(asOf)
  if (Number.isNaN(asOfMs)) throw new Error(`asOf is not an ISO 8601 date: ${asOf}`)
  const world = await createWorld({
    seed,
    asOf: asOfMs,
    ...(adverts === undefined ? {} : { adverts }),
    ...(dataFile === undefined ? {} : { dataFile }),
  })
  const faults = createFaults(options.faults)
  const requests = Object.fromEntries(PORTAL_IDS.map(id => [id, createCounts()])) as Record<
    PortalId,
    RequestCounts
  >
  const control = await listen(options.port ?? 0)
  const servers = [control.server]
  const origins = {} as Record<PortalId, string>
  const addresses = {} as Record<PortalId, string>
  for (const id of PORTAL_IDS) {
    const { server, origin } = await listen(options.ports?.[id] ?? 0)
    const portal = PORTALS[id](world, origin)
    server.on('request', portalListener({ id, portal, origin, faults, counts: requests[id], latencyMs }))
    servers.push(server)
    origins[id] = origin
    addresses[id] = addressOf(portal, origin)
  }
  const views = createViews(world, (portal, origin, id) =>
    portalListener({ id, portal, origin, faults, counts: requests[id], latencyMs }),
  )
  const status = () => ({
    portals: origins,
    addresses,
    ...statusOf(world),
    requests: summary(requests),
    faults: shown(faults),
  })
  control.server.on('request', controlListener(faults, PORTAL_IDS, status))
  return {
    url: control.origin,
    portalUrl: portal => origins[portal],
    portalAddress: portal => addresses[portal],
    listings: { [Symbol.iterator]: () => publishedIn(world).map(world.advert) },
    advert: id => {
      const index = world.find(id)
      return index === undefined ? undefined : world.advert(index)
    },
    advertsOf: search => world.select(search).map(index => world.advert(index)),
    change: world.change,
    withdraw: world.withdraw,
    addressFor: async (visitor, changes, portal) =>
      changes.length === 0 ? addresses[portal] : views.addressFor(visitor, changes, portal),
    faults,
    requests,
    close: async () => {
      await Promise.all([...servers.map(stop), views.close()])
    },
  }
}

function publishedIn(world: World): IteratorObject<number> {
  return Iterator.from(COUNTRIES).flatMap(country => world.published(country))
}

function statusOf(world: World) {
  return { asOf: new Date(world.asOf).toISOString(), adverts: [...publishedIn(world)].length }
}

function summary(requests: Record<PortalId, RequestCounts>) {
  return Object.fromEntries(Object.entries(requests).map(([id, { byPath, ...counts }]) => [id, counts]))
}

function shown(faults: FaultControl) {
  return faults
    .list()
    .map(fault => (fault.match instanceof RegExp ? { ...fault, match: String(fault.match) } : fault))
}
