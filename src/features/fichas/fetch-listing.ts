/** Fetches the page of one listing for a sheet, and reads it with the portal's reader and the general one. */
import { CrawlFailure, redirectFailure, unreadableFailure } from '../../crawl/failure.ts'
import { isLongPage } from '../../crawl/long-page.ts'
import type { PageReply, PortalClient } from '../../crawl/portal-client.ts'
import { readWholeListing, type WholeListingReading } from '../../crawl/read-page.ts'
import type { ResolvedPortal } from '../../crawl/resolved-portal.ts'
import { readInline } from '../../crawl/slow-readers.ts'
import { findListingId } from '../../domain/listing/listing-path.ts'
import type { ParsedListing } from '../../domain/listing/parse-listing.ts'
import type { ListingValues, PageListing } from '../../domain/listing/reader/page-listing.ts'
import { storageFull } from '../../kit/blobs/problems.ts'
import { Problem } from '../../kit/problem.ts'
import { listingBlocked, listingGone, listingUnavailable, listingUnreadable } from './problems.ts'

/** Why no sheet can be made. `code`: one of `generationProblems`. */
export class GenerationFailure extends Error {
  readonly code: string
  constructor({ code }: { code: string }, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** One of both readers has understood the page. */
export interface FetchedListing {
  /** From the portal's reader; null: it does not know the layout of the page. */
  parsed: ParsedListing | null
  general: PageListing | null
  /** What the page says that its photos show, by their URLs. */
  captions: Map<string, string>
}

const redirectsMax = 3

/** Throws GenerationFailure or CrawlFailure. */
export async function fetchListing(
  { definition, baseUrl }: ResolvedPortal,
  client: PortalClient,
  { listingId, path }: { listingId: string; path: string },
): Promise<FetchedListing> {
  const details = definition.details!
  let request = details.request?.({ listingId, path }) ?? { path }
  let reply = await client.fetchPage(request)
  for (let redirects = 0; reply.kind === 'moved' && redirects < redirectsMax; redirects++) {
    const to = URL.parse(reply.to, new URL(request.path, baseUrl))
    if (!to || to.origin !== new URL(baseUrl).origin) break
    if (findListingId(definition.listingPath, to) !== listingId) break
    request = { path: to.pathname + to.search }
    reply = await client.fetchPage(request)
  }
  const page = toPage(reply)
  if (isLongPage(page)) return toFetched(await page.read({ kind: 'wholeListing' }))
  return toFetched(readInline(details, () => readWholeListing(definition, details, page)))
}

function toPage(reply: PageReply): Extract<PageReply, { kind: 'page' }>['document'] {
  switch (reply.kind) {
    case 'page':
      return reply.document
    case 'gone':
      throw gone()
    case 'disallowed':
      throw new GenerationFailure(
        listingBlocked,
        "The portal's robots.txt does not allow programs to read this listing.",
      )
    case 'moved':
      throw redirectFailure(reply.to)
    case 'unchanged':
      throw new Error('the portal answered 304 to a request without validators')
  }
}

function toFetched({ reading, general, captions }: WholeListingReading): FetchedListing {
  if (reading.kind === 'gone') throw gone()
  if (reading.kind === 'unreadable' && reading.reason !== 'layout') throw unreadableFailure(reading)
  // Portal readers do not know every mark of a listing that is sold, let or withdrawn.
  if (general?.values.status === 'withdrawn') throw gone()
  if (reading.kind === 'listing') return { parsed: reading, general, captions }
  // The portal has changed its layout: the general reader may still understand the page.
  if (general && isEnough(general.values)) return { parsed: null, general, captions }
  throw new GenerationFailure(
    listingUnreadable,
    `The page is not understood as a listing: ${reading.detail}. Understood: ${describe(general)}.`,
  )
}

const gone = () => new GenerationFailure(listingGone, listingGone.example)

/** A sheet without these facts would be worth nothing. */
function isEnough({ title, operation, price, squareMeters, bedrooms, rooms }: ListingValues): boolean {
  return (
    title !== null && operation !== null && price !== null && (squareMeters ?? bedrooms ?? rooms) !== null
  )
}

const describedLengthMax = 100

function describe(general: PageListing | null): string {
  if (!general) return 'nothing'
  const { title, operation, price, currency, squareMeters, bedrooms, municipality } = general.values
  const facts = { title, operation, price, currency, squareMeters, bedrooms, municipality }
  const stated = Object.entries(facts).filter(([, value]) => value !== null)
  if (stated.length === 0) return 'nothing'
  const toText = (value: unknown) => String(value).slice(0, describedLengthMax).toWellFormed()
  return stated.map(([field, value]) => `${field} ${toText(value)}`).join(', ')
}

/** The reason for the client; null: an unexpected error. */
export function toGenerationFailure(error: unknown): { code: string; message: string } | null {
  if (error instanceof GenerationFailure) return { code: error.code, message: error.message }
  if (error instanceof Problem && error.code === storageFull.code) return error
  if (!(error instanceof CrawlFailure)) return null
  const types = {
    BLOCKED: listingBlocked,
    ROBOTS_DISALLOWED: listingBlocked,
    LAYOUT_CHANGED: listingUnreadable,
    PORTAL_UNAVAILABLE: listingUnavailable,
    CREDENTIALS_INVALID: listingUnavailable,
    TIMEOUT: listingUnavailable,
    INTERNAL: listingUnavailable,
  }
  return { code: types[error.code].code, message: error.message }
}
