/** Simulated portals on loopback for extractions: realistic, deterministic for a seed, with faults on request. */

import { createControlListener } from './control.ts'
import type { Fault, FaultControl } from './faults.ts'
import { createFaults } from './faults.ts'
import type { SimulatedListing } from './listing.ts'
import { countries } from './places.ts'
import type { PortalId } from './portals.ts'
import { portalIds, portals } from './portals.ts'
import type { Search } from './search.ts'
import type { RequestCounts } from './server.ts'
import { createCounts, createPortalListener, listen, stop } from './server.ts'
import { createVisitorPortals, withCredentials } from './visitor-portals.ts'
import { createWorld, type ListingChange, type World } from './world.ts'

export type { ListingChange }

export interface SimulatorOptions {
  /** Determines listings, texts and photos; default 1. */
  seed?: number
  /** The present of the simulated world, ISO 8601; default 2026-11-01T00:00:00Z. */
  asOf?: string
  /** Number of generated Spanish listings; default 20,000. */
  listings?: number
  /** A CSV file (plain or gzipped) of real listings. They replace the generated ones of the same type and city. */
  dataFile?: string
  /** Port of the control server; any free one by default or if the port is in use. */
  port?: number
  /** Ports of the portals; any free one by default or if the port is in use. */
  ports?: Partial<Record<PortalId, number>>
  /** Delay of every answer of a portal, in milliseconds; default 0. */
  latencyMs?: number
  /** Initial faults. */
  faults?: readonly Fault[]
  /** Fields that the control address shows too. */
  shown?: Record<string, string>
}

export interface Simulator {
  /** Control address, `http://127.0.0.1:PORT`, without a slash at the end: `GET /__simulator`. */
  url: string
  /** The origin of a portal, `http://127.0.0.1:PORT`: robots.txt is at its root. */
  portalUrl(portal: PortalId): string
  /** `portalUrl` with the portal's credentials, if it requires any. */
  portalAddress(portal: PortalId): string
  /** Every published listing of every country: the expected result of a complete extraction. */
  listings: Iterable<SimulatedListing>
  /** Finds a listing by its id, withdrawn or not. */
  findListing(listingId: string): SimulatedListing | undefined
  /** The listings that a search finds, newest first, as the portals show them. */
  findListings(search: Search): SimulatedListing[]
  /** Changes the price of a published listing. Throws for an unknown id. */
  change(listingId: string, change: { price: number }): void
  /** Withdraws a listing: searches omit it, and its page answers 410. Throws for an unknown id. */
  withdraw(listingId: string): void
  /**
   * Like `portalAddress`, but for a copy of the portal that only `visitor` sees, with these changes applied in order.
   * The address of a visitor stays the same until the copies of many later visitors evict it.
   */
  getVisitorAddress(visitor: string, changes: readonly ListingChange[], portal: PortalId): Promise<string>
  faults: FaultControl
  /** Request counts of each portal. */
  requests: Readonly<Record<PortalId, RequestCounts>>
  /** Stops at once, and aborts hanging requests. */
  close(): Promise<void>
}

/** Ports of the portals, in order. */
export function toPorts(first: number): Record<PortalId, number> {
  return Object.fromEntries(portalIds.map((id, index) => [id, first + index])) as Record<PortalId, number>
}

/** Starts the portals, each on its own port of 127.0.0.1, and the control address. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { seed = 1, asOf = '2026-11-01T00:00:00Z', latencyMs = 0, listings, dataFile } = options
  const asOfMs = Date.parse(asOf)
  if (Number.isNaN(asOfMs)) throw new Error(`asOf is not an ISO 8601 date: ${asOf}`)
  const world = await createWorld({
    seed,
    asOf: asOfMs,
    ...(listings === undefined ? {} : { listings }),
    ...(dataFile === undefined ? {} : { dataFile }),
  })
  const faults = createFaults(options.faults)
  const requests = Object.fromEntries(portalIds.map(id => [id, createCounts()])) as Record<
    PortalId,
    RequestCounts
  >
  const control = await listen(options.port ?? 0)
  const servers = [control.server]
  const origins = {} as Record<PortalId, string>
  const addresses = {} as Record<PortalId, string>
  for (const id of portalIds) {
    const { server, origin } = await listen(options.ports?.[id] ?? 0)
    const portal = portals[id](world, origin)
    server.on(
      'request',
      createPortalListener({ id, portal, origin, faults, counts: requests[id], latencyMs }),
    )
    servers.push(server)
    origins[id] = origin
    addresses[id] = withCredentials(portal, origin)
  }
  const visitorPortals = createVisitorPortals(world, (portal, origin, id) =>
    createPortalListener({ id, portal, origin, faults, counts: requests[id], latencyMs }),
  )
  const status = () => ({
    portals: origins,
    addresses,
    ...options.shown,
    ...toStatus(world),
    requests: toSummary(requests),
    faults: toShownFaults(faults),
  })
  control.server.on('request', createControlListener(faults, portalIds, status))
  return {
    url: control.origin,
    portalUrl: portal => origins[portal],
    portalAddress: portal => addresses[portal],
    listings: { [Symbol.iterator]: () => listPublished(world).map(world.listing) },
    findListing: id => {
      const index = world.findIndex(id)
      return index === undefined ? undefined : world.listing(index)
    },
    findListings: search => world.select(search).map(index => world.listing(index)),
    change: world.change,
    withdraw: world.withdraw,
    getVisitorAddress: async (visitor, changes, portal) =>
      changes.length === 0 ? addresses[portal] : visitorPortals.getVisitorAddress(visitor, changes, portal),
    faults,
    requests,
    close: async () => {
      await Promise.all([...servers.map(stop), visitorPortals.close()])
    },
  }
}

function listPublished(world: World): IteratorObject<number> {
  return Iterator.from(countries).flatMap(country => world.published(country))
}

function toStatus(world: World) {
  return { asOf: new Date(world.asOf).toISOString(), listings: [...listPublished(world)].length }
}

function toSummary(requests: Record<PortalId, RequestCounts>) {
  return Object.fromEntries(Object.entries(requests).map(([id, { byPath, ...counts }]) => [id, counts]))
}

function toShownFaults(faults: FaultControl) {
  return faults
    .list()
    .map(fault => (fault.match instanceof RegExp ? { ...fault, match: String(fault.match) } : fault))
}
