/** Fetches the page of one listing for a sheet. */
import { CrawlFailure, redirectFailure, unreadableFailure } from '../../crawl/failure.ts'
import { isLongPage } from '../../crawl/long-page.ts'
import type { PageReply, PortalClient } from '../../crawl/portal-client.ts'
import { readListingPage } from '../../crawl/read-page.ts'
import type { ResolvedPortal } from '../../crawl/resolved-portal.ts'
import { readInline } from '../../crawl/slow-readers.ts'
import type { ParsedListing } from '../../domain/listing/parse-listing.ts'
import { listingBlocked, listingGone, listingUnavailable, listingUnreadable } from './problems.ts'

/** Why no sheet can be made. `code`: one of `generationProblems`. */
export class GenerationFailure extends Error {
  readonly code: string
  constructor({ code }: { code: string }, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const redirectsMax = 3

/** Throws GenerationFailure or CrawlFailure. */
export async function fetchListing(
  { definition, baseUrl }: ResolvedPortal,
  client: PortalClient,
  { listingId, path }: { listingId: string; path: string },
): Promise<ParsedListing> {
  const details = definition.details!
  let request = details.request?.({ listingId, path }) ?? { path }
  let reply = await client.fetchPage(request)
  for (let redirects = 0; reply.kind === 'moved' && redirects < redirectsMax; redirects++) {
    const to = URL.parse(reply.to, new URL(request.path, baseUrl))
    const isSameListing = definition.listingPath.exec(to?.pathname ?? '')?.groups?.listingId === listingId
    if (!to || !isSameListing || to.origin !== new URL(baseUrl).origin) break
    request = { path: to.pathname + to.search }
    reply = await client.fetchPage(request)
  }
  const page = toPage(reply)
  const { reading } = isLongPage(page)
    ? await page.read({ kind: 'details' })
    : readInline(details, () => readListingPage(details, page))
  if (reading.kind === 'gone') throw gone()
  if (reading.kind === 'unreadable') throw unreadableFailure(reading)
  return reading
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

const gone = () => new GenerationFailure(listingGone, listingGone.example)

/** The reason for the client; null: an unexpected error. */
export function toGenerationFailure(error: unknown): { code: string; message: string } | null {
  if (error instanceof GenerationFailure) return { code: error.code, message: error.message }
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
