/** Search pages, adverts and writes at once: what is read is stored in order, and little of it is held at any time. */
import { RequeueJob } from '../kit/jobs/job.ts'
import type { Card } from '../plugins/portal.ts'
import type { Chunk } from './crawl.ts'
import { CrawlFailure } from './failure.ts'
import type { KnownListing, Outcome } from './fetch-listing.ts'
import {
  batchMax,
  getSize,
  type ProcessedChunk,
  type QueuedChunk,
  takeComplete,
  toProcessedChunk,
  toRemainder,
} from './pipeline-chunk.ts'

export interface PipelineOptions {
  chunks: AsyncGenerator<Chunk, void>
  /** What is known of a chunk's adverts; `processed` need not be read again. */
  findKnown(chunk: Chunk): Promise<{ known: Map<string, KnownListing>; processed: Set<string> }>
  read(card: Card, known: KnownListing | undefined): Promise<Outcome>
  /** Whether an outcome is one of the leads that `capacity` limits. */
  counts(outcome: Outcome): boolean
  /** Stores chunks in their order. */
  store(done: ProcessedChunk[]): Promise<Stored>
  /** How many leads may still be brought. */
  capacity: number
  /** How many adverts are read at once. */
  concurrency: number
}

export interface Stored {
  /** Nothing more is wanted. */
  isFull: boolean
  /** How many of the adverts that were counted turned out to be none of those that `capacity` limits. */
  uncounted: number
}

export interface PipelineEnd {
  /** Whether adverts were left, because there was no more room for them. */
  isTruncated: boolean
}

/** Adverts that wait or are under way, at most. */
const queuedMax = 320
/** A transaction costs as much as a dozen adverts: fewer than these wait a moment for others. */
const batchMin = 200
const lingerMs = 250
/** Of the last adverts, so many must have failed, and more than half, for the portal to be given up. */
const recentMax = 30
const failedMin = 5

/** What walker, readers and writer share. */
interface Run extends PipelineOptions {
  /** Rung at every change. */
  signal: ReturnType<typeof createSignal>
  /** In the order of the portal; stored ones are gone. */
  queue: QueuedChunk[]
  /** How many adverts are being read. */
  reading: number
  /** Of the last adverts, which failed. */
  recent: boolean[]
  isCrawled: boolean
  /** No more is wanted, or can be stored. */
  isFull: boolean
  /** All is stored that will be. */
  isStored: boolean
  /** Runs since something was stored: until it ends, what is whole waits for more. */
  lingering: NodeJS.Timeout | null
  failure: Failure | null
  /** Of a page of the search: what was found before it is still read. */
  crawlFailure: Failure | null
}

interface Failure {
  cause: unknown
}

/**
 * Runs until the walk ends or the room is used up. On an CrawlFailure all that was read is stored, then it is thrown;
 * if it is a page that fails, what was found before is read first, and may suffice. On RequeueJob whole chunks alone are stored.
 */
export async function runPipeline(options: PipelineOptions): Promise<PipelineEnd> {
  const run: Run = {
    ...options,
    signal: createSignal(),
    queue: [],
    reading: 0,
    recent: [],
    isCrawled: false,
    isFull: false,
    isStored: false,
    lingering: null,
    failure: null,
    crawlFailure: null,
  }
  const readers = Array.from({ length: options.concurrency }, () => readLoop(run))
  const crawling = crawl(run)
  let wasFull = false
  try {
    await storeLoop(run)
    wasFull = run.isFull
  } catch (error) {
    fail(run, error)
  } finally {
    run.isStored = true
    run.signal.notify()
    await Promise.all(readers)
    await crawling
    await run.chunks.return()
  }
  const wantedMore = run.capacity > 0 && !wasFull
  const failure = run.failure ?? (wantedMore ? run.crawlFailure : null)
  if (failure) throw failure.cause
  return { isTruncated: !run.isCrawled || run.crawlFailure !== null || run.queue.length > 0 }
}

async function crawl(run: Run): Promise<void> {
  try {
    for (;;) {
      // Nothing is asked for to be left unread.
      while (!isStopped(run) && hasEnoughQueued(run)) await run.signal.wait()
      if (isStopped(run)) return
      const { value: chunk } = await run.chunks.next()
      if (!chunk) break
      const { known, processed } = await run.findKnown(chunk)
      const cards = chunk.cards.filter(card => !processed.has(card.listingId))
      const repeated = chunk.repeated + chunk.cards.length - cards.length
      run.queue.push({ chunk, cards, known, repeated, next: 0, outcomes: [], processedCount: 0 })
      run.signal.notify()
    }
    run.isCrawled = true
  } catch (error) {
    if (error instanceof RequeueJob) return fail(run, error)
    run.crawlFailure = { cause: error }
    run.isCrawled = true
  } finally {
    run.signal.notify()
  }
}

async function readLoop(run: Run): Promise<void> {
  while (!isStopped(run)) {
    const queued = run.queue.find(({ next, cards }) => next < cards.length)
    if (queued && run.capacity > 0) await readNext(run, queued)
    else if (!queued && run.isCrawled) return
    else await run.signal.wait()
  }
  run.signal.notify()
}

/** Reads the next advert of a chunk. */
async function readNext(run: Run, queued: QueuedChunk): Promise<void> {
  const at = queued.next++
  const card = queued.cards[at]!
  run.capacity--
  run.reading++
  try {
    const outcome = await run.read(card, queued.known.get(card.listingId))
    if (!run.counts(outcome)) run.capacity++
    queued.outcomes[at] = outcome
    queued.processedCount++
    const trouble = findPersistentFailure(outcome, run.recent)
    if (trouble) fail(run, trouble)
  } catch (error) {
    run.capacity++
    fail(run, error)
  }
  run.reading--
  run.signal.notify()
}

async function storeLoop(run: Run): Promise<void> {
  for (;;) {
    const isStopping = isStopped(run) || run.isCrawled || isExhausted(run)
    const batch = takeComplete(run.queue, run.lingering !== null && !isStopping ? batchMin : 1)
    if (batch.length > 0) await store(run, batch.map(toProcessedChunk))
    else if (run.reading === 0 && (isStopped(run) || isExhausted(run))) {
      if (!(await storeRest(run))) return
    } else if (run.isCrawled && run.queue.length === 0) return
    else await run.signal.wait()
  }
}

async function store(run: Run, done: ProcessedChunk[]): Promise<void> {
  const { isFull, uncounted } = await run.store(done)
  run.isFull ||= isFull
  run.capacity += uncounted
  linger(run)
  run.signal.notify()
}

/** Stores what has been read of chunks that are not whole; false if nothing has. */
async function storeRest(run: Run): Promise<boolean> {
  // A run that is to go on later reads them again; one that has ended keeps what it has read.
  const continues = run.failure !== null && !(run.failure.cause instanceof CrawlFailure)
  const rest = run.isFull || continues ? [] : run.queue.filter(queued => queued.processedCount > 0)
  if (rest.length === 0) return false
  run.queue = run.queue.map(queued => (queued.processedCount > 0 ? toRemainder(queued) : queued))
  // The first holds the adverts that come next. One behind it may be whole: the walk goes on at the first all the same.
  await store(
    run,
    rest.map(queued => ({ ...toProcessedChunk(queued), isComplete: false })),
  )
  return true
}

function linger(run: Run): void {
  if (run.lingering) clearTimeout(run.lingering)
  run.lingering = setTimeout(() => {
    run.lingering = null
    run.signal.notify()
  }, lingerMs).unref()
}

function fail(run: Run, cause: unknown): void {
  run.failure ??= { cause }
  run.signal.notify()
}

/** Whether nothing more is to be read. */
function isStopped({ failure, isFull, isStored }: Run): boolean {
  return failure !== null || isFull || isStored
}

/** Whether nothing more may be read, unless what was read turns out not to count. */
function isExhausted({ capacity, reading }: Run): boolean {
  return capacity <= 0 && reading === 0
}

/** Whether the adverts at hand are enough for now, or for the room that is left. */
function hasEnoughQueued({ queue, capacity }: Run): boolean {
  const count = (of: (queued: QueuedChunk) => number) => queue.reduce((sum, queued) => sum + of(queued), 0)
  return (
    count(({ cards, processedCount }) => cards.length - processedCount) > queuedMax ||
    count(getSize) >= batchMax ||
    count(({ cards, next }) => cards.length - next) >= capacity
  )
}

/** The failure that most of the last adverts had, if they had. */
function findPersistentFailure(outcome: Outcome, recent: boolean[]): CrawlFailure | null {
  recent.push(outcome.kind === 'failed')
  if (recent.length > recentMax) recent.shift()
  const failed = recent.filter(Boolean).length
  return outcome.kind === 'failed' && failed >= failedMin && failed * 2 > recent.length
    ? outcome.failure
    : null
}

/** Wakes everybody who waits for it. */
function createSignal() {
  let next = Promise.withResolvers<void>()
  return {
    notify() {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
    wait: () => next.promise,
  }
}
