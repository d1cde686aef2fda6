/** Search pages, adverts and writes at once: what is read is stored in order, and little of it is held at any time. */
import { HandBack } from '../../../kit/job.ts'
import type { Card } from '../../../plugins/portal.ts'
import { ExtractionFailure, unreadable } from './failure.ts'
import type { Known, Outcome } from './read-advert.ts'
import type { Chunk } from './walk.ts'

/** A chunk and what became of each of its adverts, in the order of the portal. */
export interface Done {
  chunk: Chunk
  outcomes: Outcome[]
  /** Adverts that this extraction had dealt with before. */
  repeated: number
  /** Whether all adverts up to its last were dealt with: only then may the walk go on behind it. */
  isWhole: boolean
}

export interface PipelineOptions {
  chunks: AsyncGenerator<Chunk, void>
  /** What is known of a chunk's adverts; `dealtWith` are those of this extraction's own. */
  lookUp(chunk: Chunk): Promise<{ known: Map<string, Known>; dealtWith: Set<string> }>
  read(card: Card, known: Known | undefined): Promise<Outcome>
  /** Whether an outcome is one of the leads that `room` limits. */
  counts(outcome: Outcome): boolean
  /** Stores chunks in their order. `isFull`: nothing more is wanted. */
  store(done: Done[]): Promise<{ isFull: boolean }>
  /** How many leads may still be brought. */
  room: number
  /** How many adverts are read at once. */
  concurrency: number
}

export interface PipelineEnd {
  /** Whether adverts were left, because there was no more room for them. */
  isCut: boolean
}

interface Slot {
  chunk: Chunk
  cards: Card[]
  known: Map<string, Known>
  repeated: number
  next: number
  outcomes: (Outcome | undefined)[]
  dealt: number
}

/** Adverts that wait or are under way, at most. */
const aheadMax = 320
/** Adverts that go into one transaction, and that wait for theirs: one that is slow, or a slow database, keeps back the rest. */
const batchMax = 600
/** A transaction costs as much as some dozens of adverts: fewer than these wait a moment for others. */
const batchWanted = 300
const lingerMs = 250
/** Of the last adverts, so many must have failed, and more than half, for the portal to be given up. */
const recentCount = 30
const failedMin = 5

/**
 * Runs until the walk ends or the room is used up. On an ExtractionFailure all that was read is stored, then it is thrown;
 * if it is a page that fails, what was found before is read first, and may suffice. On HandBack whole chunks alone are stored.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineEnd> {
  const { chunks, concurrency } = options
  const bell = createBell()
  const slots: Slot[] = []
  const recent: boolean[] = []
  let room = options.room
  let reading = 0
  let isWalked = false
  let isFull = false
  let wasFull = false
  let failure: { cause: unknown } | null = null
  /** Of a page of the search: what was found before it is still read. */
  let walkFailure: { cause: unknown } | null = null

  const fail = (cause: unknown) => {
    failure ??= { cause }
    bell.ring()
  }
  const isCut = () => isFull || (room <= 0 && reading === 0)
  const isOver = () => failure !== null || isCut()
  const count = (of: (slot: Slot) => number) => slots.reduce((sum, slot) => sum + of(slot), 0)
  /** Whether the adverts at hand are enough for now, or for the room that is left. */
  const hasEnough = () =>
    count(({ cards, dealt }) => cards.length - dealt) > aheadMax ||
    count(sizeOf) >= batchMax ||
    count(({ cards, next }) => cards.length - next) >= room

  const walk = async () => {
    // Nothing is asked for to be left unread.
    if (isOver()) return
    try {
      for await (const chunk of chunks) {
        const { known, dealtWith } = await options.lookUp(chunk)
        const cards = chunk.cards.filter(card => !dealtWith.has(card.listingId))
        const repeated = chunk.repeated + chunk.cards.length - cards.length
        slots.push({ chunk, cards, known, repeated, next: 0, outcomes: [], dealt: 0 })
        bell.ring()
        while (!isOver() && hasEnough()) await bell.rung()
        if (isOver()) return
      }
      isWalked = true
    } catch (error) {
      if (error instanceof HandBack) return fail(error)
      walkFailure = { cause: error }
      isWalked = true
    } finally {
      bell.ring()
    }
  }

  const readOn = async () => {
    while (!isOver()) {
      const slot = slots.find(({ next, cards }) => next < cards.length)
      if (!slot || room <= 0) {
        if (!slot && isWalked) return
        await bell.rung()
        continue
      }
      const at = slot.next++
      const card = slot.cards[at]!
      room--
      reading++
      try {
        const outcome = await options.read(card, slot.known.get(card.listingId))
        if (!options.counts(outcome)) room++
        slot.outcomes[at] = outcome
        slot.dealt++
        const trouble = troubleOf(outcome, recent)
        if (trouble) fail(trouble)
      } catch (error) {
        room++
        fail(error)
      }
      reading--
      bell.ring()
    }
    bell.ring()
  }

  /** Whether something was stored a moment ago: what is whole now waits for more, unless no more is to come. */
  let isLingering = false
  const linger = () => {
    isLingering = true
    setTimeout(() => {
      isLingering = false
      bell.ring()
    }, lingerMs).unref()
  }

  const storeOn = async () => {
    for (;;) {
      const batch = takeWhole(slots, isLingering && !isWalked && !isOver() ? batchWanted : 1)
      if (batch.length > 0) {
        const stored = await options.store(batch.map(doneOf))
        linger()
        if (stored.isFull) isFull = wasFull = true
        bell.ring()
        continue
      }
      // Of what is left when all have stopped, the first chunk holds the adverts that come next.
      if ((isOver() && reading === 0) || (isWalked && slots.length === 0)) {
        // A run that is to go on later reads them again; one that has ended keeps what it has read.
        const goesOn =
          failure !== null && !((failure as { cause: unknown }).cause instanceof ExtractionFailure)
        const rest = isFull || goesOn ? [] : slots.filter(slot => slot.dealt > 0)
        // One behind the first may be whole: the walk goes on at the first all the same.
        if (rest.length > 0) await options.store(rest.map(slot => ({ ...doneOf(slot), isWhole: false })))
        return
      }
      await bell.rung()
    }
  }

  const readers = Array.from({ length: concurrency }, readOn)
  const walking = walk()
  try {
    await storeOn()
  } catch (error) {
    fail(error)
  } finally {
    isFull = true
    bell.ring()
    await Promise.all(readers)
    await walking
    await chunks.return()
  }
  const wantedMore = room > 0 && !wasFull
  const cause = (failure ?? (wantedMore ? walkFailure : null)) as { cause: unknown } | null
  if (cause) throw cause.cause
  return { isCut: !isWalked || walkFailure !== null || slots.length > 0 }
}

/** The chunks at the head that are whole, at most a transaction's worth; none of them if they are less than `min`. */
function takeWhole(slots: Slot[], min: number): Slot[] {
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
function sizeOf({ chunk }: Slot): number {
  return chunk.cards.length + chunk.notUnderstood.length + 1
}

function doneOf(slot: Slot): Done {
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

/** The failure that most of the last adverts had, if they had. */
function troubleOf(outcome: Outcome, recent: boolean[]): ExtractionFailure | null {
  recent.push(outcome.kind === 'failed')
  if (recent.length > recentCount) recent.shift()
  const failed = recent.filter(Boolean).length
  return outcome.kind === 'failed' && failed >= failedMin && failed * 2 > recent.length
    ? outcome.failure
    : null
}

/** Wakes everybody who waits for it. */
function createBell() {
  let next = Promise.withResolvers<void>()
  return {
    ring() {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    rung: () => next.promise,
  }
}
