/** Tasks of reading a page, and their results. Both are plain data, so that a thread can do the work. */
import type { ParsedListing } from '../domain/listing/parse-listing.ts'
import { findPhotoCaptions } from '../domain/listing/photo-captions.ts'
import type { PageListing } from '../domain/listing/reader/page-listing.ts'
import { readListing } from '../domain/listing/reader/read-listing.ts'
import type {
  DetailReader,
  ListingReading,
  PortalDefinition,
  PortalDocument,
  PortalRequest,
  SearchContext,
  SearchPageReading,
} from '../plugins/portal.ts'

export interface ReadTasks {
  search: { filters: Record<string, unknown>; context: SearchContext }
  details: object
  followUp: { found: ParsedListing }
  /** Like `details`, and with the general reader. */
  wholeListing: object
}

export interface Readings {
  search: SearchPageReading
  details: ListingPageReading
  followUp: ParsedListing
  wholeListing: WholeListingReading
}

/** The result of reading a listing's page, and an optional second request. */
export interface ListingPageReading {
  reading: ListingReading
  followUpRequest: PortalRequest | null
}

/** What the portal's own reader and the general reader find on the page of a listing. */
export interface WholeListingReading {
  reading: ListingReading
  /** Null: the general reader finds no listing of a property. */
  general: PageListing | null
  /** What the page says that its photos show, by their URLs. */
  captions: Map<string, string>
}

export type ReadTask<Kind extends keyof ReadTasks = keyof ReadTasks> = { kind: Kind } & ReadTasks[Kind]

export function readListingPage(details: DetailReader, page: PortalDocument): ListingPageReading {
  const reading = details.read(page)
  const followUpRequest = reading.kind === 'listing' ? details.followUp?.request(page, reading) : null
  return { reading, followUpRequest: followUpRequest ?? null }
}

/** Reads the page with both readers, and parses it only once if the portal's own stands on the general one. */
export function readWholeListing(
  { country, currency }: Pick<PortalDefinition, 'country' | 'currency'>,
  details: DetailReader,
  page: PortalDocument,
): WholeListingReading {
  const general = readListing({ html: page.text, url: page.url, country, currency })
  const reading = details.fromGeneral?.(page, general) ?? details.read(page)
  const listing = reading.kind === 'listing' ? reading.listing : null
  const captions = findPhotoCaptions(page.text, {
    url: page.url,
    title: listing?.title ?? general?.values.title ?? null,
    photoUrls: [...new Set([...(listing?.images ?? []), ...(general?.values.images ?? [])])],
  })
  return { reading, general, captions }
}

/** Runs a task. Throws if the definition has no reader for it. */
export function readPage(
  definition: PortalDefinition,
  page: PortalDocument,
  task: ReadTask,
): Readings[keyof Readings] {
  const { search, details } = definition
  if (isTask(task, 'search') && search.kind === 'pages') return search.read(page, task.filters, task.context)
  if (isTask(task, 'details') && details) return readListingPage(details, page)
  if (isTask(task, 'wholeListing') && details) return readWholeListing(definition, details, page)
  if (isTask(task, 'followUp') && details?.followUp) return details.followUp.read(page, task.found)
  throw new Error(`The definition has no reader for ${task.kind}.`)
}

function isTask<Kind extends keyof ReadTasks>(task: ReadTask, kind: Kind): task is ReadTask<Kind> {
  return task.kind === kind
}
