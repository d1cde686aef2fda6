/** One page of a search: which adverts to read, and what became of each. */
import type { Card, SearchPageReading } from '../../../plugins/portal.ts'
import type { IdentifiedListing } from '../../leads/service.ts'
import type { OpenPortal } from '../../platforms/service.ts'
import type { FailureCode } from '../schemas.ts'
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
  if (reply.kind === 'moved') throw sentElsewhere(reply.to)
  if (reply.kind === 'gone') {
    // A later page may vanish as adverts do; the first one is what was asked for.
    if (page > 1) return { promised: null, cards: [], hasNext: false }
    throw new ExtractionFailure('PORTAL_UNAVAILABLE', 'The portal has no such search: check the location.')
  }
  const reading = portal.definition.readSearchPage(reply.html, reply.url)
  if (reading.kind === 'unreadable') throw unreadable(reading)
  return { promised: reading.total, cards: reading.cards, hasNext: reading.hasNext }
}

/** Instead of a search it is a way of turning robots away; an advert may merely have moved, so most of them tell. */
function sentElsewhere(to: string): ExtractionFailure {
  return new ExtractionFailure('BLOCKED', `The portal sent us elsewhere (${to}) instead of showing the page.`)
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

export interface Wanted {
  /** What may be read, in the order of the portal. */
  cards: Card[]
  /** How many listings at most; an advert that is gone or fails makes room for the next one. */
  atMost: number
  includeDetails: boolean
}

/** Reads adverts, a few at a time. A challenge fails the extraction at once, failures of most adverts in the end. */
export async function readListings(
  portal: OpenPortal,
  client: PortalClient,
  { cards, atMost, includeDetails }: Wanted,
): Promise<ReadListings> {
  const read: ReadListings = { listings: [], skipped: [], failed: [] }
  if (!includeDetails) {
    read.listings = cards.slice(0, atMost).map(({ listingId, listing }) => ({ listingId, listing }))
    return read
  }
  const queue = [...cards]
  let room = atMost
  const readOn = async () => {
    while (room > 0 && queue.length > 0) {
      room--
      if (!(await readListing(portal, client, queue.shift()!, read))) room++
    }
  }
  const readers = Array.from({ length: portal.definition.politeness.concurrency }, readOn)
  try {
    await Promise.all(readers)
  } finally {
    // After a challenge the other readers finish what they have begun and ask for no more.
    queue.length = 0
  }
  const tried = read.listings.length + read.skipped.length + read.failed.length
  const mostFailed = read.failed.length >= 5 && read.failed.length * 2 > tried
  if (mostFailed) throw read.failed[0]!.failure
  // The order of the portal, not that in which the pages arrived.
  const place = new Map(cards.map((card, index) => [card.listingId, index]))
  read.listings.sort((a, b) => place.get(a.listingId)! - place.get(b.listingId)!)
  return read
}

/** Why no advert was read though some were there to read; null if they are just gone. */
export function whyNothing({ failed, skipped }: ReadListings): ExtractionFailure | null {
  if (failed[0]) return failed[0].failure
  if (!skipped.some(({ reason }) => reason === 'robotsDisallowed')) return null
  return new ExtractionFailure(
    'ROBOTS_DISALLOWED',
    "The portal's robots.txt does not allow the pages of adverts.",
  )
}

/** Whether a listing came of it. */
async function readListing(
  portal: OpenPortal,
  client: PortalClient,
  { listingId, path }: Card,
  read: ReadListings,
): Promise<boolean> {
  try {
    const reply = await client.fetchPage(path)
    if (reply.kind === 'moved') {
      read.failed.push({ listingId, failure: sentElsewhere(reply.to) })
      return false
    }
    if (reply.kind !== 'page') {
      read.skipped.push({ listingId, reason: reply.kind === 'gone' ? 'gone' : 'robotsDisallowed' })
      return false
    }
    const reading = portal.definition.readListing(reply.html, reply.url)
    if (reading.kind === 'listing') {
      read.listings.push({ listingId, listing: reading.listing })
      return true
    }
    if (reading.kind === 'unreadable') throw unreadable(reading)
    read.skipped.push({ listingId, reason: 'gone' })
  } catch (error) {
    if (!(error instanceof ExtractionFailure) || sparesNobody.has(error.code)) throw error
    read.failed.push({ listingId, failure: error })
  }
  return false
}

/** What the next advert would meet as well. */
const sparesNobody = new Set<FailureCode>(['BLOCKED', 'CREDENTIALS_INVALID'])
