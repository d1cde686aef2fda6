/** Walks a search from where it was left: page after page, or through a feed, in chunks that are dealt with as a whole. */
import { HttpFailure } from '../kit/http/client.ts'
import type {
  Card,
  FeedSearch,
  PagedSearch,
  PortalRequest,
  SearchContext,
  SearchPageReading,
} from '../plugins/portal.ts'
import { readInPlace } from './costly-reader.ts'
import { CrawlFailure, failureOf, sentElsewhere, shortened, unreadable } from './failure.ts'
import { type FeedToRead, readEntries } from './feed-entries.ts'
import { isLong } from './long-page.ts'
import type { FeedReply, PortalClient, Validators } from './portal-client.ts'

/** Where a walk goes on, kept in the database after every chunk. */
export interface Cursor {
  /** What is still to be asked for, in order; the first is under way if `after` is given. */
  requests: PortalRequest[]
  /** Whether something of the search could not be shown. */
  hasGaps?: true
  /** The advert up to which the first page is dealt with. */
  after?: string | null
  /** Of a feed: how many of its adverts are dealt with, and which edition of it that was. */
  feed?: { items: number } & Validators
}

/** Some adverts of a search, and where to go on once they are dealt with. */
export interface Chunk {
  /** Each only once in the whole walk. */
  cards: Card[]
  /** Adverts that the portal says are gone. */
  goneIds: string[]
  /** Adverts of a feed that could not be understood. */
  notUnderstood: string[]
  /** How many of its adverts had been met before. */
  repeated: number
  /** 1 for the first chunk of a page. */
  pagesFetched: number
  /** The portal's own count for the whole search. */
  promised: number | null
  next: Cursor
}

export interface Walk {
  chunks: AsyncGenerator<Chunk, void>
  /** How it ended; asked for when it has. */
  end(): WalkEnd
}

export interface WalkEnd {
  /** Whether every page and every advert of the search was shown, as far as the portal tells. */
  isComplete: boolean
  /** The feed is the very one that the last run read: there was nothing to walk. */
  isUnchanged: boolean
  /** Of a feed, to ask next time whether it has changed. */
  validators: Validators | null
  /** Ids of the adverts met; of a feed read for changes those not searched for, too. */
  present: ReadonlySet<string>
}

export interface WalkOptions {
  client: PortalClient
  filters: Record<string, unknown>
  context: SearchContext
  /** Null: from the start. */
  cursor: Cursor | null
}

const chunkCards = 100
/** Pages in a row that bring nothing and promise more: then the walk is given up. */
const emptyPagesMax = 50
const feedTriesMax = 4

/** Walks a paged search. Throws CrawlFailure if a page is not one of adverts. */
export function walkPages(search: PagedSearch<object>, options: WalkOptions): Walk {
  const { filters, context, cursor } = options
  const seen = new Set<string>()
  const asked = new Set<string>()
  let isComplete = !cursor?.hasGaps

  async function* chunks(): AsyncGenerator<Chunk, void> {
    let requests = cursor?.requests ?? [search.start(filters, context)]
    let after = cursor?.after ?? null
    let isFirst = cursor === null
    let emptyInARow = 0
    while (requests[0]) {
      const [request, ...others] = requests
      const name = JSON.stringify(request)
      if (asked.has(name)) {
        // A page that leads back to one before it.
        isComplete = false
        requests = others
        continue
      }
      asked.add(name)
      const page = await readPage(search, options, request, isFirst)
      isFirst = false
      isComplete &&= page.isComplete
      const place = after === null ? -1 : page.cards.findIndex(card => card.listingId === after)
      const cards = freshOf(page.cards.slice(place + 1), seen)
      // A page that brings nothing new but promises more is a portal going in circles.
      const inCircles = page.cards.length > 0 && cards.length === 0 && page.next.length > 0 && place === -1
      emptyInARow = cards.length > 0 || page.goneIds?.length ? 0 : emptyInARow + 1
      const isEndless = emptyInARow > emptyPagesMax
      // One that brings nothing new stands for another, unless a count tells that all were shown.
      const isRepeated = page.total === null && page.cards.length > 0 && cards.length === 0 && place === -1
      if (inCircles || isEndless || isRepeated) isComplete = false
      requests = isEndless ? [] : inCircles ? others : [...page.next, ...others]
      after = null
      yield* slices(cards, {
        ...{ goneIds: page.goneIds ?? [], notUnderstood: [], promised: page.total },
        repeated: page.cards.length - (place + 1) - cards.length,
        here: listingId => ({ requests: [request, ...others], after: listingId, ...gaps() }),
        next: { requests, ...gaps() },
      })
    }
  }
  const gaps = () => (isComplete ? {} : { hasGaps: true as const })
  const end = () => ({ isComplete, isUnchanged: false, validators: null, present: seen })
  return { chunks: chunks(), end }
}

interface ReadPage extends Extract<SearchPageReading, { kind: 'page' }> {
  isComplete: boolean
}

async function readPage(
  search: PagedSearch<object>,
  { client, filters, context }: WalkOptions,
  request: PortalRequest,
  isFirst: boolean,
): Promise<ReadPage> {
  const reply = await client.fetchPage(request)
  if (reply.kind === 'disallowed')
    throw new CrawlFailure(
      'ROBOTS_DISALLOWED',
      `The portal's robots.txt does not allow ${shortened(request.path)}.`,
    )
  if (reply.kind === 'moved') throw sentElsewhere(reply.to)
  if (reply.kind !== 'page') {
    // A later page may vanish as adverts do; the first one is what was asked for.
    if (isFirst)
      throw new CrawlFailure('PORTAL_UNAVAILABLE', 'The portal has no such search: check the location.')
    return { kind: 'page', total: null, cards: [], next: [], isComplete: false }
  }
  const page = reply.document
  const reading = isLong(page)
    ? await page.read({ kind: 'search', filters, context })
    : readInPlace(search, () => search.read(page, filters, context))
  if (reading.kind === 'unreadable') throw unreadable(reading)
  return { ...reading, total: isCount(reading.total) ? reading.total : null, isComplete: true }
}

function isCount(total: number | null): boolean {
  return Number.isInteger(total) && total! >= 0 && total! < 2 ** 31
}

function freshOf(cards: Card[], seen: Set<string>): Card[] {
  return cards.filter(({ listingId }) => {
    if (seen.has(listingId)) return false
    seen.add(listingId)
    return true
  })
}

interface Slicing extends Pick<Chunk, 'goneIds' | 'notUnderstood' | 'promised' | 'repeated' | 'next'> {
  /** Where to go on after this advert of the page. */
  here(listingId: string): Cursor
}

/** A page in chunks: a page of a sitemap holds thousands. */
function* slices(cards: Card[], { here, next, ...first }: Slicing): Generator<Chunk, void> {
  const count = Math.max(1, Math.ceil(cards.length / chunkCards))
  for (let slice = 0; slice < count; slice++) {
    const part = cards.slice(slice * chunkCards, (slice + 1) * chunkCards)
    const isLast = slice === count - 1
    yield {
      ...(slice === 0 ? first : { ...first, goneIds: [], notUnderstood: [], repeated: 0 }),
      cards: part,
      pagesFetched: slice === 0 ? 1 : 0,
      next: isLast ? next : here(part.at(-1)!.listingId),
    }
  }
}

export interface FeedWalkOptions extends WalkOptions {
  /** Only what has changed is wanted. */
  isIncremental: boolean
  /** Of the edition that the last run of an incremental search read. */
  known?: Validators | undefined
}

/** Walks a feed. */
export function walkFeed(search: FeedSearch<object>, options: FeedWalkOptions): Walk {
  const { isIncremental } = options
  // What was searched for: an advert that was not may be so in a later place or edition.
  const shown = new Set<string>()
  // A feed is long, and most of it was not searched for.
  const present = isIncremental ? new Set<string>() : shown
  const state = { isComplete: true, isUnchanged: false, validators: null as Validators | null }

  async function* chunks(): AsyncGenerator<Chunk, void> {
    let cursor = options.cursor?.feed ?? null
    let pagesFetched = options.cursor ? 0 : 1
    for (let attempt = 1; ; attempt++) {
      const reply = await openFeed(search, options, cursor ? undefined : options.known)
      if (reply.kind === 'unchanged') {
        Object.assign(state, { isUnchanged: true, validators: options.known })
        return
      }
      const { validators } = reply
      state.validators = validators
      // Another edition has its adverts elsewhere: it is read from the start, and what is known is known.
      const from = cursor && isSameEdition(cursor, validators) ? cursor.items : 0
      const at = (items: number): Cursor => ({ requests: [], feed: { items, ...validators } })
      let chunk = emptyChunk()
      let items = 0
      try {
        for await (const { listingId, card } of readEntries(toRead(search, options, reply))) {
          items++
          if (isIncremental) present.add(listingId)
          if (items <= from || card === undefined) continue
          if (card === null) chunk.notUnderstood.push(listingId)
          else if (shown.has(listingId)) chunk.repeated++
          else {
            shown.add(listingId)
            chunk.cards.push(card)
          }
          if (chunk.cards.length + chunk.notUnderstood.length < chunkCards) continue
          yield { ...chunk, pagesFetched, next: at(items) }
          cursor = { items, ...validators }
          pagesFetched = 0
          chunk = emptyChunk()
        }
        yield { ...chunk, pagesFetched, next: at(items) }
        return
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        if (attempt === feedTriesMax || error.kind === 'too-large') {
          // As of pages, what was met before the failure is kept.
          if (chunk.cards.length + chunk.notUnderstood.length > 0)
            yield { ...chunk, pagesFetched, next: at(items) }
          throw failureOf(error)
        }
        // What was met and not handed on is to be handed on by the next attempt.
        for (const { listingId } of chunk.cards) shown.delete(listingId)
      }
    }
  }
  return { chunks: chunks(), end: () => ({ ...state, present }) }
}

const emptyChunk = () => ({
  ...{ cards: [] as Card[], notUnderstood: [] as string[], goneIds: [] },
  ...{ repeated: 0, promised: null },
})

async function openFeed(
  search: FeedSearch<object>,
  { client, filters, context }: WalkOptions,
  known: Validators | undefined,
): Promise<Extract<FeedReply, { kind: 'feed' | 'unchanged' }>> {
  const request = search.request(filters, context)
  const reply = await client.openFeed(request, known)
  if (reply.kind === 'disallowed')
    throw new CrawlFailure(
      'ROBOTS_DISALLOWED',
      `The portal's robots.txt does not allow ${shortened(request.path)}.`,
    )
  if (reply.kind === 'moved') throw sentElsewhere(reply.to)
  if (reply.kind === 'gone')
    throw new CrawlFailure('PORTAL_UNAVAILABLE', `The portal has no feed at ${shortened(request.path)}.`)
  return reply
}

function isSameEdition(one: Validators, other: Validators): boolean {
  if (one.etag !== null || other.etag !== null) return one.etag === other.etag
  return one.lastModified !== null && one.lastModified === other.lastModified
}

function toRead(
  search: FeedSearch<object>,
  { filters, context }: WalkOptions,
  { body, contentType, url, onThread }: Extract<FeedReply, { kind: 'feed' }>,
): FeedToRead {
  return { search, searched: { contentType, url, filters, context }, body, onThread }
}
