/** Chunks on their way through the pipeline, from the walk to the database. */
import type { Card } from '../plugins/portal.ts'
import { unreadable } from './failure.ts'
import type { Known, Outcome } from './read-advert.ts'
import type { Chunk } from './walk.ts'

/** A chunk and what became of each of its adverts, in the order of the portal. */
export interface Done {
  chunk: Chunk
  outcomes: Outcome[]
  /** Adverts that this extraction, or one that it goes on with, had dealt with before. */
  repeated: number
  /** Whether all adverts up to its last were dealt with: only then may the walk go on behind it. */
  isWhole: boolean
}

/** A chunk whose adverts wait, are being read, or have been. */
export interface Slot {
  chunk: Chunk
  cards: Card[]
  known: Map<string, Known>
  repeated: number
  next: number
  outcomes: (Outcome | undefined)[]
  dealt: number
}

/** Adverts that go into one transaction, and that wait for theirs: one that is slow, or a slow database, keeps back the rest. */
export const batchMax = 400

/** The chunks at the head that are whole, at most a transaction's worth; none of them if they are less than `min`. */
export function takeWhole(slots: Slot[], min: number): Slot[] {
  let count = 0
  let adverts = 0
  for (const slot of slots) {
    if (!isWhole(slot) || (count > 0 && adverts + sizeOf(slot) > batchMax)) break
    adverts += sizeOf(slot)
    count++
  }
  return adverts < min ? [] : slots.splice(0, count)
}

function isWhole({ dealt, cards }: Slot): boolean {
  return dealt === cards.length
}

/** An empty page weighs something too. */
export function sizeOf({ chunk }: Slot): number {
  return chunk.cards.length + chunk.notUnderstood.length + 1
}

export function doneOf(slot: Slot): Done {
  const outcomes = slot.outcomes.filter(outcome => outcome !== undefined)
  const { chunk, repeated } = slot
  const misread = chunk.notUnderstood.map(
    (listingId): Outcome => ({
      kind: 'failed',
      listingId,
      failure: unreadable({ kind: 'unreadable', reason: 'layout', detail: 'an advert of the feed' }),
    }),
  )
  return {
    chunk,
    repeated,
    outcomes: [...outcomes, ...misread],
    isWhole: isWhole(slot),
  }
}

/** The chunk without what was read of it. */
export function remainderOf({ chunk, cards, known, outcomes }: Slot): Slot {
  return {
    chunk: { ...chunk, goneIds: [], notUnderstood: [], pagesFetched: 0 },
    cards: cards.filter((_, at) => outcomes[at] === undefined),
    ...{ known, repeated: 0, next: 0, outcomes: [], dealt: 0 },
  }
}
