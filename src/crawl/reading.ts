/** What is to be read of a page, and what comes of it: plain data both, so that a thread can be given the work. */
import type { FoundListing } from '../domain/listing/read-listing.ts'
import type {
  Details,
  ListingReading,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchContext,
  SearchPageReading,
} from '../plugins/portal.ts'

export interface Orders {
  search: { filters: Record<string, unknown>; context: SearchContext }
  details: object
  followUp: { found: FoundListing }
}

export interface Readings {
  search: SearchPageReading
  details: AdvertReading
  followUp: FoundListing
}

/** What the page of an advert says, and what to ask for besides. */
export interface AdvertReading {
  reading: ListingReading
  more: PortalRequest | null
}

export type Order<Kind extends keyof Orders = keyof Orders> = { kind: Kind } & Orders[Kind]

export function readAdvertPage(details: Details, page: PortalDocument): AdvertReading {
  const reading = details.read(page)
  const more = reading.kind === 'listing' ? details.followUp?.request(page, reading) : null
  return { reading, more: more ?? null }
}

/** Carries out an order. Throws if the definition has nothing to do it with. */
export function readPage(
  { search, details }: PortalDefinition,
  page: PortalDocument,
  order: Order,
): Readings[keyof Readings] {
  if (isOf(order, 'search') && search.kind === 'pages') return search.read(page, order.filters, order.context)
  if (isOf(order, 'details') && details) return readAdvertPage(details, page)
  if (isOf(order, 'followUp') && details?.followUp) return details.followUp.read(page, order.found)
  throw new Error(`The definition has nothing to read ${order.kind} with.`)
}

function isOf<Kind extends keyof Orders>(order: Order, kind: Kind): order is Order<Kind> {
  return order.kind === kind
}
