/** Chunks on their way through the pipeline, from the walk to the database. */
import type { Card } from '../plugins/portal.ts'
import type { Chunk } from './crawl.ts'
import { unreadablePage } from './failure.ts'
import type { KnownListing, Outcome } from './fetch-listing.ts'

/** A chunk and what became of each of its adverts, in the order of the portal. */
export interface ProcessedChunk {
  chunk: Chunk
  outcomes: Outcome[]
  /** Adverts that this extraction, or one that it goes on with, had dealt with before. */
  repeated: number
  /** Whether all adverts up to its last were dealt with: only then may the walk go on behind it. */
  isComplete: boolean
}

/** A chunk whose adverts wait, are being read, or have been. */
export interface QueuedChunk {
  chunk: Chunk
  cards: Card[]
  known: Map<string, KnownListing>
  repeated: number
  next: number
  outcomes: (Outcome | undefined)[]
  processedCount: number
}

/** Adverts that go into one transaction, and that wait for theirs: one that is slow, or a slow database, keeps back the rest. */
export const batchMax = 400

/** The chunks at the head that are whole, at most a transaction's worth; none of them if they are less than `min`. */
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

/** An empty page weighs something too. */
export function getSize({ chunk }: QueuedChunk): number {
  return chunk.cards.length + chunk.unreadableIds.length + 1
}

export function toProcessedChunk(queued: QueuedChunk): ProcessedChunk {
  const outcomes = queued.outcomes.filter(outcome => outcome !== undefined)
  const { chunk, repeated } = queued
  const createUnreadable = chunk.unreadableIds.map(
    (listingId): Outcome => ({
      kind: 'failed',
      listingId,
      failure: unreadablePage({ kind: 'unreadable', reason: 'layout', detail: 'an advert of the feed' }),
    }),
  )
  return {
    chunk,
    repeated,
    outcomes: [...outcomes, ...createUnreadable],
    isComplete: isComplete(queued),
  }
}

/** The chunk without what was read of it. */
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
