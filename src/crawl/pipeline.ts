/**
 * Crawls, reads and stores listings concurrently. They are stored in the portal's order, and few are in memory at a
 * time.
 */
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
  /** Finds the stored state of a chunk's listings. Those in `processed` are not read again. */
  findKnown(chunk: Chunk): Promise<{ known: Map<string, KnownListing>; processed: Set<string> }>
  read(card: Card, known: KnownListing | undefined): Promise<Outcome>
  /** True if an outcome counts against `capacity`. */
  isCounted(outcome: Outcome): boolean
  /** Stores chunks in the portal's order. */
  store(done: ProcessedChunk[]): Promise<Stored>
  /** How many leads may still be extracted. */
  capacity: number
  /** How many listings are read at once. */
  concurrency: number
}

export interface Stored {
  /** True if no further listings are needed. */
  isFull: boolean
  /** How many of the counted listings turned out not to count against `capacity`. */
  uncounted: number
}

export interface PipelineEnd {
  /** True if listings were left out because the capacity was used up. */
  isTruncated: boolean
}

/** The most listings that are waiting or being read. */
const queuedMax = 320
/** A transaction costs as much as a dozen listings, so fewer than this wait a moment for others. */
const batchMin = 200
const lingerMs = 250
/** The run fails if at least `failedMin` and more than half of the last `recentMax` listings failed. */
const recentMax = 30
const failedMin = 5

/** The state that the crawler, the readers and the writer share. */
interface Run extends PipelineOptions {
  /** Notified at every change. */
  signal: ReturnType<typeof createSignal>
  /** Chunks that are not stored yet, in the portal's order. */
  queue: QueuedChunk[]
  /** How many listings are being read. */
  reading: number
  /** For each of the last listings, whether it failed. */
  recent: boolean[]
  isCrawled: boolean
  /** No further listings are needed. */
  isFull: boolean
  /** The writer has ended. */
  isStored: boolean
  /** Runs after each write. Until it ends, small complete batches wait for more listings. */
  lingering: NodeJS.Timeout | null
  failure: Failure | null
  /** A failure of a search page. Listings found before it are still read. */
  crawlFailure: Failure | null
}

interface Failure {
  cause: unknown
}

/**
 * Runs until the crawl ends or the capacity is used up. On a CrawlFailure all processed listings are stored before it
 * is thrown. If a search page fails, the listings found before it are read first, and may use up the capacity. On
 * RequeueJob only complete chunks are stored.
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
  const hasCapacity = run.capacity > 0 && !wasFull
  const failure = run.failure ?? (hasCapacity ? run.crawlFailure : null)
  if (failure) throw failure.cause
  return { isTruncated: !run.isCrawled || run.crawlFailure !== null || run.queue.length > 0 }
}

async function crawl(run: Run): Promise<void> {
  try {
    for (;;) {
      // No page is fetched before its listings can be read.
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

/** Reads the next listing of a chunk. */
async function readNext(run: Run, queued: QueuedChunk): Promise<void> {
  const at = queued.next++
  const card = queued.cards[at]!
  run.capacity--
  run.reading++
  try {
    const outcome = await run.read(card, queued.known.get(card.listingId))
    if (!run.isCounted(outcome)) run.capacity++
    queued.outcomes[at] = outcome
    queued.processedCount++
    const persistentFailure = findPersistentFailure(outcome, run.recent)
    if (persistentFailure) fail(run, persistentFailure)
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

/** Stores the processed listings of incomplete chunks. Returns false if there are none. */
async function storeRest(run: Run): Promise<boolean> {
  // A run that continues later reads them again. A run that ends keeps what it has read.
  const continues = run.failure !== null && !(run.failure.cause instanceof CrawlFailure)
  const rest = run.isFull || continues ? [] : run.queue.filter(queued => queued.processedCount > 0)
  if (rest.length === 0) return false
  run.queue = run.queue.map(queued => (queued.processedCount > 0 ? toRemainder(queued) : queued))
  // The crawl continues at the first incomplete chunk, even if a later one is complete.
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

/** True if nothing more should be read. */
function isStopped({ failure, isFull, isStored }: Run): boolean {
  return failure !== null || isFull || isStored
}

/** True if the capacity is used up, unless stored listings turn out not to count. */
function isExhausted({ capacity, reading }: Run): boolean {
  return capacity <= 0 && reading === 0
}

/** True if enough listings are queued for now, or for the remaining capacity. */
function hasEnoughQueued({ queue, capacity }: Run): boolean {
  const sum = (toCount: (queued: QueuedChunk) => number) =>
    queue.reduce((total, queued) => total + toCount(queued), 0)
  return (
    sum(({ cards, processedCount }) => cards.length - processedCount) > queuedMax ||
    sum(getSize) >= batchMax ||
    sum(({ cards, next }) => cards.length - next) >= capacity
  )
}

/** Returns the listing's failure if too many of the last listings failed, else null. */
function findPersistentFailure(outcome: Outcome, recent: boolean[]): CrawlFailure | null {
  recent.push(outcome.kind === 'failed')
  if (recent.length > recentMax) recent.shift()
  const failed = recent.filter(Boolean).length
  return outcome.kind === 'failed' && failed >= failedMin && failed * 2 > recent.length
    ? outcome.failure
    : null
}

/** A signal that wakes all waiters. */
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
