/** Fetches one listing of a search and decides its outcome. */
import { hash } from 'node:crypto'
import { findFailedFilters } from '../domain/listing/failed-filters.ts'
import type { Listing } from '../domain/listing/listing.ts'
import type { ParsedListing } from '../domain/listing/parse-listing.ts'
import type { Card, DetailReader, PortalRequest } from '../plugins/portal.ts'
import type { FailureCode } from './failure.ts'
import { CrawlFailure, redirectFailure, unreadableFailure } from './failure.ts'
import { isLongPage } from './long-page.ts'
import type { PortalClient, Validators } from './portal-client.ts'
import { readListingPage } from './read-page.ts'
import type { ResolvedPortal } from './resolved-portal.ts'
import { readInline } from './slow-readers.ts'

export type Outcome =
  | { kind: 'listing'; listingId: string; listing: Listing; sourceState: SourceState }
  /** A known lead whose listing has not changed. */
  | { kind: 'unchanged'; listingId: string; sourceState: SourceState | null }
  | { kind: 'skipped'; listingId: string; reason: 'gone' | 'robotsDisallowed' | 'outsideFilters' }
  | { kind: 'failed'; listingId: string; failure: CrawlFailure }

/** The stored state of a listing's source, used to skip reading it while it is unchanged. */
export interface SourceState extends Validators {
  path: string
  cardHash: string | null
  /** True if the listing's own page was read in this run. */
  isRead: boolean
}

/** The stored state of a listing before it is read. */
export interface KnownListing {
  cardHash: string | null
  /** True if the listing's own page was ever read; false if only its card was. */
  isRead: boolean
  /** Null to read the page unconditionally. */
  validators: Validators | null
}

export interface ListingOptions {
  portal: ResolvedPortal
  client: PortalClient
  filters: Record<string, unknown>
  includeDetails: boolean
  updateExisting: boolean
  incremental: boolean
}

/** Failures that every further listing would have too. */
const fatalCodes = new Set<FailureCode>(['BLOCKED', 'CREDENTIALS_INVALID'])

/** A hash of a card's facts; null if the card has only the listing's path. */
export function computeCardHash({ listing, changedAt }: Card): string | null {
  if (!listing && !changedAt) return null
  // Photo URLs are often signed for each visitor, so they are left out.
  const { images: _images, ...facts } = listing ?? { images: [] }
  return hash('sha256', JSON.stringify([facts, changedAt ?? null]), 'base64url').slice(0, 22)
}

/** True if a known listing need not be fetched. */
export function isUpToDate(card: Card, known: KnownListing | undefined, options: ListingOptions): boolean {
  if (!known) return false
  if (!options.updateExisting) return true
  const isEnough = known.isRead || !options.includeDetails || !options.portal.definition.details
  return (
    options.incremental && isEnough && known.cardHash !== null && known.cardHash === computeCardHash(card)
  )
}

/** Reads a listing. Throws CrawlFailure if every further listing would fail too, RequeueJob if the process stops. */
export async function fetchListing(
  card: Card,
  known: KnownListing | undefined,
  options: ListingOptions,
): Promise<Outcome> {
  const { listingId, path } = card
  const sourceState: SourceState = {
    path,
    cardHash: computeCardHash(card),
    etag: null,
    lastModified: null,
    isRead: false,
  }
  if (isUpToDate(card, known, options)) return { kind: 'unchanged', listingId, sourceState: null }
  const { details } = options.portal.definition
  if (!details || !options.includeDetails) {
    // Definitions whose cards have no facts must have details, and requests with includeDetails: false are refused for
    // them.
    return card.listing
      ? applyFilters(card.listing, sourceState, listingId, options)
      : createUnreadableOutcome(listingId, 'its card has no facts')
  }
  try {
    return await readDetails(card, details, known, sourceState, options)
  } catch (error) {
    if (!(error instanceof CrawlFailure) || fatalCodes.has(error.code)) throw error
    return { kind: 'failed', listingId, failure: error }
  }
}

async function readDetails(
  card: Card,
  details: DetailReader,
  known: KnownListing | undefined,
  sourceState: SourceState,
  options: ListingOptions,
): Promise<Outcome> {
  const { listingId, path } = card
  const request = details.request?.(card) ?? { path }
  const reply = await options.client.fetchPage(request, known?.validators ?? undefined)
  switch (reply.kind) {
    case 'unchanged':
      return { kind: 'unchanged', listingId, sourceState }
    case 'gone':
      return { kind: 'skipped', listingId, reason: 'gone' }
    case 'disallowed':
      return { kind: 'skipped', listingId, reason: 'robotsDisallowed' }
    case 'moved':
      return { kind: 'failed', listingId, failure: redirectFailure(reply.to) }
  }
  const page = reply.document
  const { reading, followUpRequest } = isLongPage(page)
    ? await page.read({ kind: 'details' })
    : readInline(details, () => readListingPage(details, page))
  if (reading.kind === 'gone') return { kind: 'skipped', listingId, reason: 'gone' }
  if (reading.kind === 'unreadable') throw unreadableFailure(reading)
  const completed = await fetchFollowUp(details, followUpRequest, reading, options.client)
  // If the second request failed, no validators and no hash are stored, so that the listing is read again next time.
  const finalState = completed ? { ...sourceState, ...reply.validators } : { ...sourceState, cardHash: null }
  return applyFilters((completed ?? reading).listing, { ...finalState, isRead: true }, listingId, options)
}

/** Completes a listing with the portal's second request. Null if it failed and should be repeated in the next run. */
async function fetchFollowUp(
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
    return isLongPage(page) ? await page.read({ kind: 'followUp', found }) : followUp.read(page, found)
  } catch (error) {
    if (error instanceof CrawlFailure) return null
    throw error
  }
}

function applyFilters(
  listing: Listing,
  sourceState: SourceState,
  listingId: string,
  { filters }: ListingOptions,
): Outcome {
  return findFailedFilters(listing, filters).length === 0
    ? { kind: 'listing', listingId, listing, sourceState }
    : { kind: 'skipped', listingId, reason: 'outsideFilters' }
}

function createUnreadableOutcome(listingId: string, detail: string): Outcome {
  return {
    kind: 'failed',
    listingId,
    failure: unreadableFailure({ kind: 'unreadable', reason: 'layout', detail }),
  }
}
