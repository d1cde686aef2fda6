/** Crawls a search from a cursor, page by page or through a feed, in chunks that are processed as a whole. */
import { HttpFailure } from '../kit/http/client.ts'
import type {
  Card,
  FeedSearch,
  PagedSearch,
  PortalRequest,
  SearchContext,
  SearchPageReading,
} from '../plugins/portal.ts'
import { CrawlFailure, redirectFailure, shorten, toCrawlFailure, unreadableFailure } from './failure.ts'
import { type FeedSource, readEntries } from './feed-entries.ts'
import { isLongPage } from './long-page.ts'
import type { FeedReply, PortalClient, Validators } from './portal-client.ts'
import { readInline } from './slow-readers.ts'

/** Where a crawl continues. Stored in the database after every chunk. */
export interface Cursor {
  /** The pages that are still to be fetched, in order. With `after`, the first one is partly processed. */
  requests: PortalRequest[]
  /** Set if a part of the search could not be read. */
  hasGaps?: true
  /** The id of the last processed listing of the first page. */
  after?: string | null
  /** For a feed: how many of its listings are processed, and the validators of that version of the feed. */
  feed?: { items: number } & Validators
}

/** Some listings of a search, and the cursor to continue from once they are processed. */
export interface Chunk {
  /** Each listing appears only once in the whole crawl. */
  cards: Card[]
  /** Listings that the portal reports as withdrawn. */
  withdrawnIds: string[]
  /** Listings of a feed that could not be parsed. */
  unreadableIds: string[]
  /** How many listings had already appeared in the crawl. */
  repeated: number
  /** 1 in the first chunk of a page, else 0. */
  pagesFetched: number
  /** The portal's own total for the whole search; null if unknown. */
  reportedTotal: number | null
  next: Cursor
}

export interface Crawl {
  chunks: AsyncGenerator<Chunk, void>
  /** The result of the crawl. Call it when `chunks` has ended. */
  end(): CrawlEnd
}

export interface CrawlEnd {
  /** True if every page and listing of the search was read, as far as the portal's replies show. */
  exhaustive: boolean
  /** True if the feed has not changed since the last run, so there was nothing to read. */
  isUnchanged: boolean
  /** For a feed: the validators of a conditional request in the next run. */
  validators: Validators | null
  /** Ids of all listings that appeared. For an incremental feed crawl also of those outside the search. */
  seenIds: ReadonlySet<string>
}

export interface CrawlOptions {
  client: PortalClient
  filters: Record<string, unknown>
  context: SearchContext
  /** Null to start from the beginning. */
  cursor: Cursor | null
}

const chunkCards = 100
/** The crawl ends after this many consecutive pages without listings that still link to further pages. */
const emptyPagesMax = 50
const feedAttemptsMax = 4

/** Crawls a paged search. `chunks` throws CrawlFailure if a page cannot be read. */
export function crawlPages(search: PagedSearch<object>, options: CrawlOptions): Crawl {
  const { filters, context, cursor } = options
  const seenIds = new Set<string>()
  const requestedPages = new Set<string>()
  let exhaustive = !cursor?.hasGaps

  async function* chunks(): AsyncGenerator<Chunk, void> {
    let requests = cursor?.requests ?? [search.start(filters, context)]
    let after = cursor?.after ?? null
    let isFirst = cursor === null
    let consecutiveEmpty = 0
    while (requests[0]) {
      const [request, ...remaining] = requests
      const requestKey = JSON.stringify(request)
      if (requestedPages.has(requestKey)) {
        // The page links back to an earlier one.
        exhaustive = false
        requests = remaining
        continue
      }
      requestedPages.add(requestKey)
      const page = await readPage(search, options, request, isFirst)
      isFirst = false
      exhaustive &&= page.exhaustive
      const index = after === null ? -1 : page.cards.findIndex(card => card.listingId === after)
      const cards = takeUnseen(page.cards.slice(index + 1), seenIds)
      // A page without new listings that links to further pages: the portal repeats itself.
      const isLooping = page.cards.length > 0 && cards.length === 0 && page.next.length > 0 && index === -1
      consecutiveEmpty = cards.length > 0 || page.withdrawnIds?.length ? 0 : consecutiveEmpty + 1
      const isEndless = consecutiveEmpty > emptyPagesMax
      // Without a total, a page of only known listings may stand for another page that was not served.
      const isRepeated = page.total === null && page.cards.length > 0 && cards.length === 0 && index === -1
      if (isLooping || isEndless || isRepeated) exhaustive = false
      requests = isEndless ? [] : isLooping ? remaining : [...page.next, ...remaining]
      after = null
      yield* splitIntoChunks(cards, {
        withdrawnIds: page.withdrawnIds ?? [],
        unreadableIds: [],
        reportedTotal: page.total,
        repeated: page.cards.length - (index + 1) - cards.length,
        cursorAfter: listingId => ({ requests: [request, ...remaining], after: listingId, ...toGapFlag() }),
        next: { requests, ...toGapFlag() },
      })
    }
  }
  const toGapFlag = () => (exhaustive ? {} : { hasGaps: true as const })
  const end = () => ({ exhaustive, isUnchanged: false, validators: null, seenIds })
  return { chunks: chunks(), end }
}

interface ReadPage extends Extract<SearchPageReading, { kind: 'page' }> {
  exhaustive: boolean
}

async function readPage(
  search: PagedSearch<object>,
  { client, filters, context }: CrawlOptions,
  request: PortalRequest,
  isFirst: boolean,
): Promise<ReadPage> {
  const reply = await client.fetchPage(request)
  if (reply.kind === 'disallowed')
    throw new CrawlFailure(
      'ROBOTS_DISALLOWED',
      `The portal's robots.txt does not allow ${shorten(request.path)}.`,
    )
  if (reply.kind === 'moved') throw redirectFailure(reply.to)
  if (reply.kind !== 'page') {
    // A later page may disappear as listings do. Without the first one there is no search.
    if (isFirst)
      throw new CrawlFailure(
        'PORTAL_UNAVAILABLE',
        'The portal does not know this search. Check the location.',
      )
    return { kind: 'page', total: null, cards: [], next: [], exhaustive: false }
  }
  const page = reply.document
  const reading = isLongPage(page)
    ? await page.read({ kind: 'search', filters, context })
    : readInline(search, () => search.read(page, filters, context))
  if (reading.kind === 'unreadable') throw unreadableFailure(reading)
  return { ...reading, total: isCount(reading.total) ? reading.total : null, exhaustive: true }
}

function isCount(total: number | null): boolean {
  return Number.isInteger(total) && total! >= 0 && total! < 2 ** 31
}

function takeUnseen(cards: Card[], seenIds: Set<string>): Card[] {
  return cards.filter(({ listingId }) => {
    if (seenIds.has(listingId)) return false
    seenIds.add(listingId)
    return true
  })
}

interface Slicing
  extends Pick<Chunk, 'withdrawnIds' | 'unreadableIds' | 'reportedTotal' | 'repeated' | 'next'> {
  /** The cursor that continues after this listing of the page. */
  cursorAfter(listingId: string): Cursor
}

/** Splits a page into chunks, because a sitemap page has thousands of listings. */
function* splitIntoChunks(cards: Card[], { cursorAfter, next, ...first }: Slicing): Generator<Chunk, void> {
  const count = Math.max(1, Math.ceil(cards.length / chunkCards))
  for (let slice = 0; slice < count; slice++) {
    const part = cards.slice(slice * chunkCards, (slice + 1) * chunkCards)
    const isLast = slice === count - 1
    yield {
      ...(slice === 0 ? first : { ...first, withdrawnIds: [], unreadableIds: [], repeated: 0 }),
      cards: part,
      pagesFetched: slice === 0 ? 1 : 0,
      next: isLast ? next : cursorAfter(part.at(-1)!.listingId),
    }
  }
}

export interface FeedCrawlOptions extends CrawlOptions {
  /** Read only what has changed since the last run. */
  isIncremental: boolean
  /** The validators of the feed version that the last incremental run read. */
  known?: Validators | undefined
}

/** Crawls a feed, and reopens it when the connection breaks. `chunks` throws CrawlFailure, or RequeueJob on a stop. */
export function crawlFeed(search: FeedSearch<object>, options: FeedCrawlOptions): Crawl {
  const { isIncremental } = options
  // Only matching listings: one that does not match may match at a later place or in another version of the feed.
  const matchedIds = new Set<string>()
  // A feed is long, and most of it does not match. A separate set is only needed for incremental runs.
  const seenIds = isIncremental ? new Set<string>() : matchedIds
  const state = { exhaustive: true, isUnchanged: false, validators: null as Validators | null }

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
      // In another version of the feed positions differ, so it is read from the start. Listings already yielded are
      // skipped.
      const from = cursor && isSameVersion(cursor, validators) ? cursor.items : 0
      const toCursor = (items: number): Cursor => ({ requests: [], feed: { items, ...validators } })
      let chunk = emptyChunk()
      let items = 0
      try {
        for await (const { listingId, card } of readEntries(toFeedSource(search, options, reply))) {
          items++
          if (isIncremental) seenIds.add(listingId)
          if (items <= from || card === undefined) continue
          if (card === null) chunk.unreadableIds.push(listingId)
          else if (matchedIds.has(listingId)) chunk.repeated++
          else {
            matchedIds.add(listingId)
            chunk.cards.push(card)
          }
          if (chunk.cards.length + chunk.unreadableIds.length < chunkCards) continue
          yield { ...chunk, pagesFetched, next: toCursor(items) }
          cursor = { items, ...validators }
          pagesFetched = 0
          chunk = emptyChunk()
        }
        yield { ...chunk, pagesFetched, next: toCursor(items) }
        return
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        if (attempt === feedAttemptsMax || error.kind === 'too-large') {
          // As with pages, listings read before the failure are kept.
          if (chunk.cards.length + chunk.unreadableIds.length > 0)
            yield { ...chunk, pagesFetched, next: toCursor(items) }
          throw toCrawlFailure(error)
        }
        // Listings that were read but not yielded must be yielded by the next attempt.
        for (const { listingId } of chunk.cards) matchedIds.delete(listingId)
      }
    }
  }
  return { chunks: chunks(), end: () => ({ ...state, seenIds }) }
}

const emptyChunk = () => ({
  cards: [] as Card[],
  unreadableIds: [] as string[],
  withdrawnIds: [],
  repeated: 0,
  reportedTotal: null,
})

async function openFeed(
  search: FeedSearch<object>,
  { client, filters, context }: CrawlOptions,
  known: Validators | undefined,
): Promise<Extract<FeedReply, { kind: 'feed' | 'unchanged' }>> {
  const request = search.request(filters, context)
  const reply = await client.openFeed(request, known)
  if (reply.kind === 'disallowed')
    throw new CrawlFailure(
      'ROBOTS_DISALLOWED',
      `The portal's robots.txt does not allow ${shorten(request.path)}.`,
    )
  if (reply.kind === 'moved') throw redirectFailure(reply.to)
  if (reply.kind === 'gone')
    throw new CrawlFailure('PORTAL_UNAVAILABLE', `The portal has no feed at ${shorten(request.path)}.`)
  return reply
}

function isSameVersion(one: Validators, other: Validators): boolean {
  if (one.etag !== null || other.etag !== null) return one.etag === other.etag
  return one.lastModified !== null && one.lastModified === other.lastModified
}

function toFeedSource(
  search: FeedSearch<object>,
  { filters, context }: CrawlOptions,
  { body, contentType, url, threadOptions }: Extract<FeedReply, { kind: 'feed' }>,
): FeedSource {
  return { search, searchContext: { contentType, url, filters, context }, body, threadOptions }
}
