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
import { CrawlFailure, redirected, shorten, toCrawlFailure, unreadablePage } from './failure.ts'
import { type FeedSource, readEntries } from './feed-entries.ts'
import { isLong } from './long-page.ts'
import type { FeedReply, PortalClient, Validators } from './portal-client.ts'
import { readInline } from './slow-readers.ts'

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
  withdrawnIds: string[]
  /** Adverts of a feed that could not be understood. */
  unreadableIds: string[]
  /** How many of its adverts had been met before. */
  repeated: number
  /** 1 for the first chunk of a page. */
  pagesFetched: number
  /** The portal's own count for the whole search. */
  reportedTotal: number | null
  next: Cursor
}

export interface Crawl {
  chunks: AsyncGenerator<Chunk, void>
  /** How it ended; asked for when it has. */
  end(): CrawlEnd
}

export interface CrawlEnd {
  /** Whether every page and every advert of the search was shown, as far as the portal tells. */
  exhaustive: boolean
  /** The feed is the very one that the last run read: there was nothing to walk. */
  isUnchanged: boolean
  /** Of a feed, to ask next time whether it has changed. */
  validators: Validators | null
  /** Ids of the adverts met; of a feed read for changes those not searched for, too. */
  seenIds: ReadonlySet<string>
}

export interface CrawlOptions {
  client: PortalClient
  filters: Record<string, unknown>
  context: SearchContext
  /** Null: from the start. */
  cursor: Cursor | null
}

const chunkCards = 100
/** Pages in a row that bring nothing and promise more: then the walk is given up. */
const emptyPagesMax = 50
const feedAttemptsMax = 4

/** Walks a paged search. Throws CrawlFailure if a page is not one of adverts. */
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
      const name = JSON.stringify(request)
      if (requestedPages.has(name)) {
        // A page that leads back to one before it.
        exhaustive = false
        requests = remaining
        continue
      }
      requestedPages.add(name)
      const page = await readPage(search, options, request, isFirst)
      isFirst = false
      exhaustive &&= page.exhaustive
      const index = after === null ? -1 : page.cards.findIndex(card => card.listingId === after)
      const cards = takeUnseen(page.cards.slice(index + 1), seenIds)
      // A page that brings nothing new but promises more is a portal going in circles.
      const isLooping = page.cards.length > 0 && cards.length === 0 && page.next.length > 0 && index === -1
      consecutiveEmpty = cards.length > 0 || page.withdrawnIds?.length ? 0 : consecutiveEmpty + 1
      const isEndless = consecutiveEmpty > emptyPagesMax
      // One that brings nothing new stands for another, unless a count tells that all were shown.
      const isRepeated = page.total === null && page.cards.length > 0 && cards.length === 0 && index === -1
      if (isLooping || isEndless || isRepeated) exhaustive = false
      requests = isEndless ? [] : isLooping ? remaining : [...page.next, ...remaining]
      after = null
      yield* splitIntoChunks(cards, {
        withdrawnIds: page.withdrawnIds ?? [],
        unreadableIds: [],
        reportedTotal: page.total,
        repeated: page.cards.length - (index + 1) - cards.length,
        cursorAfter: listingId => ({ requests: [request, ...remaining], after: listingId, ...gaps() }),
        next: { requests, ...gaps() },
      })
    }
  }
  const gaps = () => (exhaustive ? {} : { hasGaps: true as const })
  const end = () => ({ exhaustive, isUnchanged: false, validators: null, seenIds: seenIds })
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
  if (reply.kind === 'moved') throw redirected(reply.to)
  if (reply.kind !== 'page') {
    // A later page may vanish as adverts do; the first one is what was asked for.
    if (isFirst)
      throw new CrawlFailure('PORTAL_UNAVAILABLE', 'The portal has no such search: check the location.')
    return { kind: 'page', total: null, cards: [], next: [], exhaustive: false }
  }
  const page = reply.document
  const reading = isLong(page)
    ? await page.read({ kind: 'search', filters, context })
    : readInline(search, () => search.read(page, filters, context))
  if (reading.kind === 'unreadable') throw unreadablePage(reading)
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
  /** Where to go on after this advert of the page. */
  cursorAfter(listingId: string): Cursor
}

/** A page in chunks: a page of a sitemap holds thousands. */
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
  /** Only what has changed is wanted. */
  isIncremental: boolean
  /** Of the edition that the last run of an incremental search read. */
  known?: Validators | undefined
}

/** Walks a feed. */
export function crawlFeed(search: FeedSearch<object>, options: FeedCrawlOptions): Crawl {
  const { isIncremental } = options
  // What was searched for: an advert that was not may be so in a later place or edition.
  const shown = new Set<string>()
  // A feed is long, and most of it was not searched for.
  const seenIds = isIncremental ? new Set<string>() : shown
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
      // Another edition has its adverts elsewhere: it is read from the start, and what is known is known.
      const from = cursor && isSameVersion(cursor, validators) ? cursor.items : 0
      const at = (items: number): Cursor => ({ requests: [], feed: { items, ...validators } })
      let chunk = emptyChunk()
      let items = 0
      try {
        for await (const { listingId, card } of readEntries(toFeedSource(search, options, reply))) {
          items++
          if (isIncremental) seenIds.add(listingId)
          if (items <= from || card === undefined) continue
          if (card === null) chunk.unreadableIds.push(listingId)
          else if (shown.has(listingId)) chunk.repeated++
          else {
            shown.add(listingId)
            chunk.cards.push(card)
          }
          if (chunk.cards.length + chunk.unreadableIds.length < chunkCards) continue
          yield { ...chunk, pagesFetched, next: at(items) }
          cursor = { items, ...validators }
          pagesFetched = 0
          chunk = emptyChunk()
        }
        yield { ...chunk, pagesFetched, next: at(items) }
        return
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        if (attempt === feedAttemptsMax || error.kind === 'too-large') {
          // As of pages, what was met before the failure is kept.
          if (chunk.cards.length + chunk.unreadableIds.length > 0)
            yield { ...chunk, pagesFetched, next: at(items) }
          throw toCrawlFailure(error)
        }
        // What was met and not handed on is to be handed on by the next attempt.
        for (const { listingId } of chunk.cards) shown.delete(listingId)
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
  if (reply.kind === 'moved') throw redirected(reply.to)
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
