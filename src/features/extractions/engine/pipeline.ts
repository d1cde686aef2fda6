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
  /** Adverts that this extraction, or one that it goes on with, had dealt with before. */
  repeated: number
  /** Whether all adverts up to its last were dealt with: only then may the walk go on behind it. */
  isWhole: boolean
}

export interface PipelineOptions {
  chunks: AsyncGenerator<Chunk, void>
  /** What is known of a chunk's adverts; `dealtWith` need not be read again. */
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

/** What walker, readers and writer share. */
interface Run extends PipelineOptions {
  /** Rung at every change. */
  bell: ReturnType<typeof createBell>
  /** In the order of the portal; stored ones are gone. */
  slots: Slot[]
  /** How many adverts are being read. */
  reading: number
  /** Of the last adverts, which failed. */
  recent: boolean[]
  isWalked: boolean
  /** No more is wanted, or can be stored. */
  isFull: boolean
  /** Runs since something was stored: until it ends, what is whole waits for more. */
  lingering: NodeJS.Timeout | null
  failure: Failure | null
  /** Of a page of the search: what was found before it is still read. */
  walkFailure: Failure | null
}

interface Failure {
  cause: unknown
}

/**
 * Runs until the walk ends or the room is used up. On an ExtractionFailure all that was read is stored, then it is thrown;
 * if it is a page that fails, what was found before is read first, and may suffice. On HandBack whole chunks alone are stored.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineEnd> {
  const run: Run = {
    ...options,
    ...{ bell: createBell(), slots: [], reading: 0, recent: [] },
    ...{ isWalked: false, isFull: false, lingering: null, failure: null, walkFailure: null },
  }
  const readers = Array.from({ length: options.concurrency }, () => readOn(run))
  const walking = walk(run)
  let wasFull = false
  try {
    await storeOn(run)
    wasFull = run.isFull
  } catch (error) {
    fail(run, error)
  } finally {
    run.isFull = true
    run.bell.ring()
    await Promise.all(readers)
    await walking
    await run.chunks.return()
  }
  const wantedMore = run.room > 0 && !wasFull
  const failure = run.failure ?? (wantedMore ? run.walkFailure : null)
  if (failure) throw failure.cause
  return { isCut: !run.isWalked || run.walkFailure !== null || run.slots.length > 0 }
}

async function walk(run: Run): Promise<void> {
  // Nothing is asked for to be left unread.
  if (isOver(run)) return
  try {
    for await (const chunk of run.chunks) {
      const { known, dealtWith } = await run.lookUp(chunk)
      const cards = chunk.cards.filter(card => !dealtWith.has(card.listingId))
      const repeated = chunk.repeated + chunk.cards.length - cards.length
      run.slots.push({ chunk, cards, known, repeated, next: 0, outcomes: [], dealt: 0 })
      run.bell.ring()
      while (!isOver(run) && hasEnough(run)) await run.bell.rung()
      if (isOver(run)) return
    }
    run.isWalked = true
  } catch (error) {
    if (error instanceof HandBack) return fail(run, error)
    run.walkFailure = { cause: error }
    run.isWalked = true
  } finally {
    run.bell.ring()
  }
}

async function readOn(run: Run): Promise<void> {
  while (!isOver(run)) {
    const slot = run.slots.find(({ next, cards }) => next < cards.length)
    if (slot && run.room > 0) await readNext(run, slot)
    else if (!slot && run.isWalked) return
    else await run.bell.rung()
  }
  run.bell.ring()
}

/** Reads the next advert of a chunk. */
async function readNext(run: Run, slot: Slot): Promise<void> {
  const at = slot.next++
  const card = slot.cards[at]!
  run.room--
  run.reading++
  try {
    const outcome = await run.read(card, slot.known.get(card.listingId))
    if (!run.counts(outcome)) run.room++
    slot.outcomes[at] = outcome
    slot.dealt++
    const trouble = troubleOf(outcome, run.recent)
    if (trouble) fail(run, trouble)
  } catch (error) {
    run.room++
    fail(run, error)
  }
  run.reading--
  run.bell.ring()
}

async function storeOn(run: Run): Promise<void> {
  for (;;) {
    const mayWait = run.lingering !== null && !run.isWalked && !isOver(run)
    const batch = takeWhole(run.slots, mayWait ? batchWanted : 1)
    if (batch.length > 0) {
      const { isFull } = await run.store(batch.map(doneOf))
      if (isFull) run.isFull = true
      linger(run)
      run.bell.ring()
      continue
    }
    // Of what is left when all have stopped, the first chunk holds the adverts that come next.
    if ((isOver(run) && run.reading === 0) || (run.isWalked && run.slots.length === 0)) {
      // A run that is to go on later reads them again; one that has ended keeps what it has read.
      const goesOn = run.failure !== null && !(run.failure.cause instanceof ExtractionFailure)
      const rest = run.isFull || goesOn ? [] : run.slots.filter(slot => slot.dealt > 0)
      // One behind the first may be whole: the walk goes on at the first all the same.
      if (rest.length > 0) await run.store(rest.map(slot => ({ ...doneOf(slot), isWhole: false })))
      return
    }
    await run.bell.rung()
  }
}

function linger(run: Run): void {
  if (run.lingering) clearTimeout(run.lingering)
  run.lingering = setTimeout(() => {
    run.lingering = null
    run.bell.ring()
  }, lingerMs).unref()
}

function fail(run: Run, cause: unknown): void {
  run.failure ??= { cause }
  run.bell.ring()
}

/** Whether nothing more is to be read. */
function isOver({ failure, isFull, room, reading }: Run): boolean {
  return failure !== null || isFull || (room <= 0 && reading === 0)
}

/** Whether the adverts at hand are enough for now, or for the room that is left. */
function hasEnough({ slots, room }: Run): boolean {
  const count = (of: (slot: Slot) => number) => slots.reduce((sum, slot) => sum + of(slot), 0)
  return (
    count(({ cards, dealt }) => cards.length - dealt) > aheadMax ||
    count(sizeOf) >= batchMax ||
    count(({ cards, next }) => cards.length - next) >= room
  )
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
