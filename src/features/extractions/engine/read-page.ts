/** One page of a search: which adverts to read, and what became of each. */
import type { Card, SearchPageReading } from '../../../plugins/portal.ts'
import type { IdentifiedListing } from '../../leads/service.ts'
import type { OpenPortal } from '../../platforms/service.ts'
import { ExtractionFailure } from './failure.ts'
import type { PortalClient } from './portal-client.ts'

export interface SearchPage {
  promised: number | null
  cards: Card[]
  hasNext: boolean
}

/** What was asked for on the portal, page N. Throws if the page is not one of adverts. */
export async function readSearchPage(
  portal: OpenPortal,
  client: PortalClient,
  filters: Record<string, unknown>,
  page: number,
): Promise<SearchPage> {
  const path = portal.definition.searchPath(filters, page)
  const reply = await client.fetchPage(path)
  if (reply.kind === 'disallowed') {
    throw new ExtractionFailure('ROBOTS_DISALLOWED', `The portal's robots.txt does not allow ${path}.`)
  }
  if (reply.kind === 'gone') {
    // A later page may vanish as adverts do; the first one is what was asked for.
    if (page > 1) return { promised: null, cards: [], hasNext: false }
    throw new ExtractionFailure('PORTAL_UNAVAILABLE', 'The portal has no such search: check the location.')
  }
  const reading = portal.definition.readSearchPage(reply.html, reply.url)
  if (reading.kind === 'unreadable') throw unreadable(reading)
  return { promised: reading.total, cards: reading.cards, hasNext: reading.hasNext }
}

function unreadable({ reason, detail }: SearchPageReading & { kind: 'unreadable' }): ExtractionFailure {
  if (reason === 'challenge')
    return new ExtractionFailure(
      'BLOCKED',
      'The portal took us for a robot and showed a check instead of adverts.',
    )
  if (reason === 'login')
    return new ExtractionFailure('BLOCKED', 'The portal asks for a sign-in instead of showing adverts.')
  return new ExtractionFailure(
    'LAYOUT_CHANGED',
    `The page is not laid out as this portal's pages were: ${detail}.`,
  )
}

export interface ReadListings {
  listings: IdentifiedListing[]
  skipped: { listingId: string; reason: string }[]
  failed: { listingId: string; failure: ExtractionFailure }[]
}

/** Reads the adverts of these cards, a few at a time. A challenge, and failures of most adverts, fail the extraction. */
export async function readListings(
  portal: OpenPortal,
  client: PortalClient,
  cards: Card[],
  includeDetails: boolean,
): Promise<ReadListings> {
  const read: ReadListings = { listings: [], skipped: [], failed: [] }
  if (!includeDetails) {
    read.listings = cards.map(({ listingId, listing }) => ({ listingId, listing }))
    return read
  }
  const queue = [...cards]
  const readOn = async () => {
    for (let card = queue.shift(); card; card = queue.shift()) await readListing(portal, client, card, read)
  }
  await Promise.all(Array.from({ length: portal.definition.politeness.concurrency }, readOn))
  const mostFailed = read.failed.length >= 5 && read.failed.length * 2 > cards.length
  if (mostFailed) throw read.failed[0]!.failure
  // The order of the portal, not that in which the pages arrived.
  const place = new Map(cards.map((card, index) => [card.listingId, index]))
  read.listings.sort((a, b) => place.get(a.listingId)! - place.get(b.listingId)!)
  return read
}

async function readListing(
  portal: OpenPortal,
  client: PortalClient,
  { listingId, path }: Card,
  read: ReadListings,
): Promise<void> {
  try {
    const reply = await client.fetchPage(path)
    if (reply.kind !== 'page') {
      read.skipped.push({ listingId, reason: reply.kind === 'gone' ? 'gone' : 'robotsDisallowed' })
      return
    }
    const reading = portal.definition.readListing(reply.html, reply.url)
    if (reading.kind === 'listing') read.listings.push({ listingId, listing: reading.listing })
    else if (reading.kind === 'gone') read.skipped.push({ listingId, reason: 'gone' })
    else if (reading.reason === 'layout') read.failed.push({ listingId, failure: unreadable(reading) })
    else throw unreadable(reading)
  } catch (error) {
    if (
      !(error instanceof ExtractionFailure) ||
      error.code === 'BLOCKED' ||
      error.code === 'CREDENTIALS_INVALID'
    )
      throw error
    read.failed.push({ listingId, failure: error })
  }
}
