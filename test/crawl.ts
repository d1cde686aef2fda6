/** Runs crawls and collects their chunks; makes feeds for tests. */

import { type Chunk, type Crawl, type CrawlEnd, type Cursor, crawlFeed } from '../src/crawl/crawl.ts'
import type { FeedReply, PortalClient, Validators } from '../src/crawl/portal-client.ts'
import { HttpFailure } from '../src/kit/http/client.ts'
import type { FactsCard, FeedItem, FeedSearch, SearchContext } from '../src/plugins/portal.ts'
import { makeListing } from './make.ts'

export const origin = 'https://portal.example'
export const context = { place: {}, since: null } as unknown as SearchContext
export const neverCalled = () => Promise.reject(new Error('must not be called'))
export const noValidators: Validators = { etag: null, lastModified: null }
export const toListingIds = (chunks: Chunk[]) =>
  chunks.flatMap(({ cards }) => cards.map(({ listingId }) => listingId))
/** Stores and loads a cursor as the database does. */
export const roundTrip = (cursor: Cursor): Cursor => JSON.parse(JSON.stringify(cursor))

/** Returns all chunks of a crawl, and its end. */
export async function collectCrawl({ chunks, end }: Crawl): Promise<{ chunks: Chunk[]; end: CrawlEnd }> {
  return { chunks: await Array.fromAsync(chunks), end: end() }
}

export type FeedAnswer =
  | {
      bytes: Buffer
      validators?: Validators
      contentType?: string
      cutOffsets?: number[]
      breaksAt?: number
      breaksWith?: Error
    }
  | Exclude<FeedReply, { kind: 'feed' }>

/**
 * A client whose feed gives these answers in order and repeats the last. Its listings are lines `id;word`; the last
 * line is `end.`.
 */
export function makeFeedClient(...answers: FeedAnswer[]) {
  const validatorsSent: (Validators | undefined)[] = []
  let closedCount = 0
  const client: PortalClient = {
    fetchPage: neverCalled,
    async openFeed(_request, validators) {
      const answer = answers[Math.min(validatorsSent.length, answers.length - 1)]!
      validatorsSent.push(validators)
      if ('kind' in answer) return answer
      const body = async function* () {
        try {
          yield* splitBytes(answer)
        } finally {
          closedCount++
        }
      }
      const { contentType, validators: answerValidators = noValidators } = answer
      return {
        kind: 'feed' as const,
        body: body(),
        contentType,
        url: `${origin}/feed.xml`,
        validators: answerValidators,
        threadOptions: null,
      }
    },
  }
  return {
    validatorsSent,
    closedCount: () => closedCount,
    crawl: (cursor: Cursor | null = null, knownValidators?: Validators) =>
      crawlFeed(feed, { client, filters: {}, context, cursor, isIncremental: true, known: knownValidators }),
  }
}

function* splitBytes({
  bytes,
  cutOffsets = [],
  breaksAt,
  breaksWith,
}: Exclude<FeedAnswer, { kind: string }>): Generator<Buffer> {
  const whole = breaksAt === undefined ? bytes : bytes.subarray(0, breaksAt)
  const offsets = [...new Set([0, ...cutOffsets.filter(cut => cut < whole.length), whole.length])].sort(
    (a, b) => a - b,
  )
  for (const [index, offset] of offsets.slice(1).entries()) yield whole.subarray(offsets[index], offset)
  if (breaksAt !== undefined) throw breaksWith ?? new HttpFailure('unreachable', 'other side closed')
}

/** Listings with the word `other` do not match the search; those with `broken` cannot be parsed. */
export const feed: FeedSearch<object> = {
  kind: 'feed',
  request: () => ({ path: '/feed.xml' }),
  createReader() {
    let rest = ''
    let isEnded = false
    return {
      push(text) {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        return lines.flatMap((line): FeedItem[] => {
          isEnded ||= line === 'end.'
          const [listingId, title] = line.split(';')
          if (title === undefined) return []
          const card: FactsCard = {
            listingId: listingId!,
            path: `/${listingId}`,
            listing: makeListing({ title }),
            provenance: {},
          }
          return [{ listingId: listingId!, card: title === 'broken' ? null : card }]
        })
      },
      end: () => (isEnded ? null : { kind: 'unreadable', reason: 'layout', detail: 'the feed is cut short' }),
    }
  },
  matches: ({ listing: { title } }) => title !== 'other',
}

export const makeFeedText = (lines: string[], end = 'end.') => [...lines, end, ''].join('\n')
/** Listings with the ids `from` to `to - 1`. */
export const makeLines = (from: number, to: number, word = 'piso') =>
  Array.from({ length: to - from }, (_, index) => `${from + index};${word}`)
export const makeIds = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${from + index}`)
