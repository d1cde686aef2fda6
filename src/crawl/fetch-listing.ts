/** One advert of a search: what becomes of it. */
import { hash } from 'node:crypto'
import { findFailedFilters } from '../domain/listing/failed-filters.ts'
import type { Listing } from '../domain/listing/listing.ts'
import type { ParsedListing } from '../domain/listing/parse-listing.ts'
import type { Card, DetailReader, PortalRequest } from '../plugins/portal.ts'
import type { FailureCode } from './failure.ts'
import { CrawlFailure, redirected, unreadablePage } from './failure.ts'
import { isLong } from './long-page.ts'
import type { OpenPortal } from './open-portal.ts'
import type { PortalClient, Validators } from './portal-client.ts'
import { readListingPage } from './read-page.ts'
import { readInline } from './slow-readers.ts'

export type Outcome =
  | { kind: 'listing'; listingId: string; listing: Listing; trace: SourceState }
  /** A known lead whose advert is as it was. */
  | { kind: 'unchanged'; listingId: string; trace: SourceState | null }
  | { kind: 'skipped'; listingId: string; reason: 'gone' | 'robotsDisallowed' | 'outsideFilters' }
  | { kind: 'failed'; listingId: string; failure: CrawlFailure }

/** What is kept of an advert beside what it says, so that it need not be read again while it stays as it is. */
export interface SourceState extends Validators {
  path: string
  cardHash: string | null
  /** Whether its own page was read just now. */
  isRead: boolean
}

/** What is known of an advert before it is read. */
export interface KnownListing {
  cardHash: string | null
  /** Whether its own page was ever read; if not, it is known by its card alone. */
  isRead: boolean
  /** Null: to be read anew, whatever the portal says. */
  validators: Validators | null
}

export interface ListingOptions {
  portal: OpenPortal
  client: PortalClient
  filters: Record<string, unknown>
  includeDetails: boolean
  updateExisting: boolean
  incremental: boolean
}

/** What the failures of one advert would be for the next as well. */
const fatalCodes = new Set<FailureCode>(['BLOCKED', 'CREDENTIALS_INVALID'])

/** What a card says, condensed; null if it says nothing but where its advert is. */
export function computeCardHash({ listing, changedAt }: Card): string | null {
  if (!listing && !changedAt) return null
  // Photos' addresses are often signed anew for each visitor.
  const { images: _images, ...facts } = listing ?? { images: [] }
  return hash('sha256', JSON.stringify([facts, changedAt ?? null]), 'base64url').slice(0, 22)
}

/** Whether a known advert need not be asked for. */
export function isUpToDate(card: Card, known: KnownListing | undefined, options: ListingOptions): boolean {
  if (!known) return false
  if (!options.updateExisting) return true
  const isEnough = known.isRead || !options.includeDetails || !options.portal.definition.details
  return (
    options.incremental && isEnough && known.cardHash !== null && known.cardHash === computeCardHash(card)
  )
}

/** Reads an advert. Throws CrawlFailure if the next one would meet the same, RequeueJob when we are to stop. */
export async function fetchListing(
  card: Card,
  known: KnownListing | undefined,
  options: ListingOptions,
): Promise<Outcome> {
  const { listingId, path } = card
  const trace: SourceState = {
    path,
    cardHash: computeCardHash(card),
    etag: null,
    lastModified: null,
    isRead: false,
  }
  if (isUpToDate(card, known, options)) return { kind: 'unchanged', listingId, trace: null }
  const { details } = options.portal.definition
  if (!details || !options.includeDetails) {
    // A definition whose cards are addresses has details, and includeDetails is refused for it.
    return card.listing
      ? applyFilters(card.listing, trace, listingId, options)
      : createUnreadable(listingId, 'no facts on its card')
  }
  try {
    return await readDetails(card, details, known, trace, options)
  } catch (error) {
    if (!(error instanceof CrawlFailure) || fatalCodes.has(error.code)) throw error
    return { kind: 'failed', listingId, failure: error }
  }
}

async function readDetails(
  card: Card,
  details: DetailReader,
  known: KnownListing | undefined,
  trace: SourceState,
  options: ListingOptions,
): Promise<Outcome> {
  const { listingId, path } = card
  const request = details.request?.(card) ?? { path }
  const reply = await options.client.fetchPage(request, known?.validators ?? undefined)
  switch (reply.kind) {
    case 'unchanged':
      return { kind: 'unchanged', listingId, trace }
    case 'gone':
      return { kind: 'skipped', listingId, reason: 'gone' }
    case 'disallowed':
      return { kind: 'skipped', listingId, reason: 'robotsDisallowed' }
    case 'moved':
      return { kind: 'failed', listingId, failure: redirected(reply.to) }
  }
  const page = reply.document
  const { reading, followUpRequest } = isLong(page)
    ? await page.read({ kind: 'details' })
    : readInline(details, () => readListingPage(details, page))
  if (reading.kind === 'gone') return { kind: 'skipped', listingId, reason: 'gone' }
  if (reading.kind === 'unreadable') throw unreadablePage(reading)
  const whole = await followUp(details, followUpRequest, reading, options.client)
  // What is missing is asked for again: nothing may vouch until then for what is there.
  const newState = whole ? { ...trace, ...reply.validators } : { ...trace, cardHash: null }
  return applyFilters((whole ?? reading).listing, { ...newState, isRead: true }, listingId, options)
}

/** The listing with what the portal gives on a second request; null if that failed, and may not the next time. */
async function followUp(
  { followUp }: DetailReader,
  request: PortalRequest | null,
  found: ParsedListing,
  client: PortalClient,
): Promise<ParsedListing | null> {
  if (!followUp || !request) return found
  try {
    const reply = await client.fetchPage(request)
    if (reply.kind !== 'page') return found
    const page = reply.document
    return isLong(page) ? await page.read({ kind: 'followUp', found }) : followUp.read(page, found)
  } catch (error) {
    if (error instanceof CrawlFailure) return null
    throw error
  }
}

function applyFilters(
  listing: Listing,
  trace: SourceState,
  listingId: string,
  { filters }: ListingOptions,
): Outcome {
  return findFailedFilters(listing, filters).length === 0
    ? { kind: 'listing', listingId, listing, trace }
    : { kind: 'skipped', listingId, reason: 'outsideFilters' }
}

function createUnreadable(listingId: string, detail: string): Outcome {
  return {
    kind: 'failed',
    listingId,
    failure: unreadablePage({ kind: 'unreadable', reason: 'layout', detail }),
  }
}
