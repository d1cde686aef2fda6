/** Reads the listings of a feed in small batches, on any thread. */
import { HttpFailure } from '../kit/http/client.ts'
import type { FactsCard, FeedSearch, SearchContext, UnreadablePage } from '../plugins/portal.ts'
import { decodeText } from './feed-body.ts'

export interface FeedSearchContext {
  contentType: string | undefined
  url: string
  filters: Record<string, unknown>
  context: SearchContext
}

/** `card` is missing for a listing that does not match the search, and null if it could not be parsed. */
export type FeedEntry = { listingId: string; card?: FactsCard | null }

export interface FeedBatch {
  /** In the order of the feed. */
  entries: FeedEntry[]
  /** Set in the last batch if the document is not a complete feed. */
  problem: UnreadablePage | null
  /** Set in the last batch if the bytes could not be received or decoded. */
  failure: { kind: HttpFailure['kind']; message: string } | null
}

const entriesMax = 100

/** Yields batches with the listings that each chunk of text completes, and a last batch. */
export async function* readFeed(
  search: FeedSearch<object>,
  { contentType, url, filters, context }: FeedSearchContext,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<FeedBatch, void> {
  const reader = search.createReader(url)
  const emptyBatch = { entries: [], problem: null, failure: null }
  try {
    for await (const text of decodeText(chunks, contentType)) {
      const entries = reader.push(text).map(({ listingId, card }): FeedEntry => {
        if (!card) return { listingId, card: null }
        return search.matches(card, filters, context) ? { listingId, card } : { listingId }
      })
      for (let at = 0; at < entries.length; at += entriesMax)
        yield { ...emptyBatch, entries: entries.slice(at, at + entriesMax) }
    }
    yield { ...emptyBatch, problem: reader.end() }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    yield { ...emptyBatch, failure: { kind: error.kind, message: error.message } }
  }
}
