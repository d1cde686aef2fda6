/** Search pages, adverts and writes at once: what is read is stored in order, and little of it is held at any time. */
import { HandBack } from '../kit/jobs/job.ts'
import type { Card } from '../plugins/portal.ts'
import { CrawlFailure } from './failure.ts'
import type { Known, Outcome } from './read-advert.ts'
import { batchMax, type Done, doneOf, remainderOf, type Slot, sizeOf, takeWhole } from './slot.ts'
import type { Chunk } from './walk.ts'

export interface PipelineOptions {
  chunks: AsyncGenerator<Chunk, void>
  /** What is known of a chunk's adverts; `dealtWith` need not be read again. */
  lookUp(chunk: Chunk): Promise<{ known: Map<string, Known>; dealtWith: Set<string> }>
  read(card: Card, known: Known | undefined): Promise<Outcome>
  /** Whether an outcome is one of the leads that `room` limits. */
  counts(outcome: Outcome): boolean
  /** Stores chunks in their order. */
  store(done: Done[]): Promise<Stored>
  /** How many leads may still be brought. */
  room: number
  /** How many adverts are read at once. */
  concurrency: number
}

export interface Stored {
  /** Nothing more is wanted. */
  isFull: boolean
  /** How many of the adverts that were counted turned out to be none of those that `room` limits. */
  uncounted: number
}

export interface PipelineEnd {
  /** Whether adverts were left, because there was no more room for them. */
  isCut: boolean
}

/** Adverts that wait or are under way, at most. */
const aheadMax = 320
/** A transaction costs as much as a dozen adverts: fewer than these wait a moment for others. */
const batchWanted = 200
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
  /** All is stored that will be. */
  isStored: boolean
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
 * Runs until the walk ends or the room is used up. On an CrawlFailure all that was read is stored, then it is thrown;
 * if it is a page that fails, what was found before is read first, and may suffice. On HandBack whole chunks alone are stored.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineEnd> {
  const run: Run = {
    ...options,
    ...{ bell: createBell(), slots: [], reading: 0, recent: [] },
    ...{ isWalked: false, isFull: false, isStored: false, lingering: null, failure: null, walkFailure: null },
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
    run.isStored = true
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
  try {
    for (;;) {
      // Nothing is asked for to be left unread.
      while (!isOver(run) && hasEnough(run)) await run.bell.rung()
      if (isOver(run)) return
      const { value: chunk } = await run.chunks.next()
      if (!chunk) break
      const { known, dealtWith } = await run.lookUp(chunk)
      const cards = chunk.cards.filter(card => !dealtWith.has(card.listingId))
      const repeated = chunk.repeated + chunk.cards.length - cards.length
      run.slots.push({ chunk, cards, known, repeated, next: 0, outcomes: [], dealt: 0 })
      run.bell.ring()
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
    const isStopping = isOver(run) || run.isWalked || isUsedUp(run)
    const batch = takeWhole(run.slots, run.lingering !== null && !isStopping ? batchWanted : 1)
    if (batch.length > 0) await store(run, batch.map(doneOf))
    else if (run.reading === 0 && (isOver(run) || isUsedUp(run))) {
      if (!(await storeRest(run))) return
    } else if (run.isWalked && run.slots.length === 0) return
    else await run.bell.rung()
  }
}

async function store(run: Run, done: Done[]): Promise<void> {
  const { isFull, uncounted } = await run.store(done)
  run.isFull ||= isFull
  run.room += uncounted
  linger(run)
  run.bell.ring()
}

/** Stores what has been read of chunks that are not whole; false if nothing has. */
async function storeRest(run: Run): Promise<boolean> {
  // A run that is to go on later reads them again; one that has ended keeps what it has read.
  const goesOn = run.failure !== null && !(run.failure.cause instanceof CrawlFailure)
  const rest = run.isFull || goesOn ? [] : run.slots.filter(slot => slot.dealt > 0)
  if (rest.length === 0) return false
  run.slots = run.slots.map(slot => (slot.dealt > 0 ? remainderOf(slot) : slot))
  // The first holds the adverts that come next. One behind it may be whole: the walk goes on at the first all the same.
  await store(
    run,
    rest.map(slot => ({ ...doneOf(slot), isWhole: false })),
  )
  return true
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
function isOver({ failure, isFull, isStored }: Run): boolean {
  return failure !== null || isFull || isStored
}

/** Whether nothing more may be read, unless what was read turns out not to count. */
function isUsedUp({ room, reading }: Run): boolean {
  return room <= 0 && reading === 0
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

/** The failure that most of the last adverts had, if they had. */
function troubleOf(outcome: Outcome, recent: boolean[]): CrawlFailure | null {
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
