/** The adverts of a feed, in small batches, on whichever thread. */
import { HttpFailure } from '../kit/http/client.ts'
import type { FactsCard, FeedSearch, SearchContext, UnreadablePage } from '../plugins/portal.ts'
import { decodeText } from './feed-body.ts'

export interface FeedSearchContext {
  contentType: string | undefined
  url: string
  filters: Record<string, unknown>
  context: SearchContext
}

/** `card`: of an advert that was searched for; null: it could not be understood. */
export type FeedEntry = { listingId: string; card?: FactsCard | null }

export interface FeedBatch {
  /** In the order of the feed. */
  entries: FeedEntry[]
  /** Of the last batch: why the document is not a whole feed. */
  problem: UnreadablePage | null
  /** Of the last batch: what the bytes are that no text could be made of. */
  failure: { kind: HttpFailure['kind']; message: string } | null
}

const entriesMax = 100

/** Batches of what each piece of text completes, and a last one. */
export async function* readFeed(
  search: FeedSearch<object>,
  { contentType, url, filters, context }: FeedSearchContext,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<FeedBatch, void> {
  const reader = search.open(url)
  const last = { entries: [], problem: null, failure: null }
  try {
    for await (const text of decodeText(pieces, contentType)) {
      const entries = reader.push(text).map(({ listingId, card }): FeedEntry => {
        if (!card) return { listingId, card: null }
        return search.matches(card, filters, context) ? { listingId, card } : { listingId }
      })
      for (let at = 0; at < entries.length; at += entriesMax)
        yield { ...last, entries: entries.slice(at, at + entriesMax) }
    }
    yield { ...last, problem: reader.end() }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    yield { ...last, failure: { kind: error.kind, message: error.message } }
  }
}
