/** Chunks in the pipeline, from the crawl to the database. */
import type { Card } from '../plugins/portal.ts'
import type { Chunk } from './crawl.ts'
import { unreadableFailure } from './failure.ts'
import type { KnownListing, Outcome } from './fetch-listing.ts'

/** A chunk and the outcome of each listing, in the portal's order. */
export interface ProcessedChunk {
  chunk: Chunk
  outcomes: Outcome[]
  /** Listings that this extraction, or the one that it resumes, had already processed. */
  repeated: number
  /** True if all its listings were processed. Only then may the cursor move past the chunk. */
  isComplete: boolean
}

/** A chunk whose listings are waiting, being read, or processed. */
export interface QueuedChunk {
  chunk: Chunk
  cards: Card[]
  known: Map<string, KnownListing>
  repeated: number
  /** The index of the next card to start. */
  next: number
  outcomes: (Outcome | undefined)[]
  processedCount: number
}

/** The most listings per transaction. Also limits how many wait behind a slow listing or a slow database. */
export const batchMax = 400

/**
 * Removes and returns the complete chunks at the head, at most `batchMax` listings. Returns none if
 * there are fewer than `min`.
 */
export function takeComplete(queue: QueuedChunk[], min: number): QueuedChunk[] {
  let count = 0
  let listingCount = 0
  for (const queued of queue) {
    if (!isComplete(queued) || (count > 0 && listingCount + getSize(queued) > batchMax)) break
    listingCount += getSize(queued)
    count++
  }
  return listingCount < min ? [] : queue.splice(0, count)
}

function isComplete({ processedCount, cards }: QueuedChunk): boolean {
  return processedCount === cards.length
}

/** The number of listings, plus one so that empty pages count too. */
export function getSize({ chunk }: QueuedChunk): number {
  return chunk.cards.length + chunk.unreadableIds.length + 1
}

export function toProcessedChunk(queued: QueuedChunk): ProcessedChunk {
  const outcomes = queued.outcomes.filter(outcome => outcome !== undefined)
  const { chunk, repeated } = queued
  const unreadableOutcomes = chunk.unreadableIds.map(
    (listingId): Outcome => ({
      kind: 'failed',
      listingId,
      failure: unreadableFailure({
        kind: 'unreadable',
        reason: 'layout',
        detail: 'a listing of the feed could not be parsed',
      }),
    }),
  )
  return {
    chunk,
    repeated,
    outcomes: [...outcomes, ...unreadableOutcomes],
    isComplete: isComplete(queued),
  }
}

/** The part of a chunk that has not been processed yet. */
export function toRemainder({ chunk, cards, known, outcomes }: QueuedChunk): QueuedChunk {
  return {
    chunk: { ...chunk, withdrawnIds: [], unreadableIds: [], pagesFetched: 0 },
    cards: cards.filter((_, at) => outcomes[at] === undefined),
    known,
    repeated: 0,
    next: 0,
    outcomes: [],
    processedCount: 0,
  }
}
