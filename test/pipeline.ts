/** Runs the pipeline by a plan, in the order of a scheduler, and records what it does. */
import type fc from 'fast-check'
import type { Chunk } from '../src/crawl/crawl.ts'
import { CrawlFailure } from '../src/crawl/failure.ts'
import type { Outcome } from '../src/crawl/fetch-listing.ts'
import { type PipelineEnd, runPipeline } from '../src/crawl/pipeline.ts'
import type { ProcessedChunk } from '../src/crawl/pipeline-chunk.ts'
import { RequeueJob } from '../src/kit/jobs/job.ts'
import type { Card } from '../src/plugins/portal.ts'
import { makeListing, makeSourceState } from './make.ts'

export type Kind = Outcome['kind']

export interface PlannedListing {
  kind: Kind
  /** Already processed by this extraction. */
  isProcessed: boolean
}

export interface Plan {
  pages: { listings: PlannedListing[]; unreadableIds: number }[]
  capacity: number
  concurrency: number
  /** The fault: its place, and the index of the call that fails. */
  fault: {
    in: 'page' | 'findKnown' | 'listing' | 'store'
    index: number
    with: 'failure' | 'requeue'
  } | null
  /** Index of the call of `store` that reports the extraction as full. */
  fullAt: number | null
}

export const faults = { failure: new CrawlFailure('BLOCKED', 'planned'), requeue: new RequeueJob() }
export const isCounted = ({ kind }: Outcome) => kind === 'listing' || kind === 'unchanged'
const toCursor = (page: number) => ({ requests: [{ path: `/page/${page}` }] })

function makeOutcome(listingId: string, kind: Kind): Outcome {
  if (kind === 'listing') return { kind, listingId, listing: makeListing(), sourceState: makeSourceState() }
  if (kind === 'unchanged') return { kind, listingId, sourceState: null }
  if (kind === 'skipped') return { kind, listingId, reason: 'gone' }
  return { kind, listingId, failure: new CrawlFailure('LAYOUT_CHANGED', listingId) }
}

export function makeChunk(plan: Plan, page: number): Chunk {
  const { listings, unreadableIds } = plan.pages[page]!
  return {
    cards: listings.map((_, index): Card => ({ listingId: `${page}.${index}`, path: `/${page}.${index}` })),
    unreadableIds: Array.from({ length: unreadableIds }, (_, index) => `${page}.x${index}`),
    withdrawnIds: [],
    repeated: 0,
    pagesFetched: 1,
    reportedTotal: null,
    next: toCursor(page + 1),
  }
}

export const getPlanned = (plan: Plan, listingId: string): PlannedListing => {
  const [page, index] = listingId.split('.')
  return plan.pages[Number(page)]!.listings[Number(index)]!
}

/** The recorded observations of a run. */
export interface RunRecord {
  stored: ProcessedChunk[]
  /** In the order of completion. */
  completed: Outcome[]
  pagesRequested: number
  /** Calls of `store`, including failed ones. */
  stores: number
  maxConcurrent: number
  maxHeld: number
  /** Listings or pages that were requested although the capacity was already covered or the run was stopped. */
  wastedRequests: string[]
  /** Cursors that were stored before all listings in front of them. */
  prematureCursors: number[]
  wasFull: boolean
  end: PipelineEnd | null
  thrown: unknown
}

/** Runs a plan. Pages, listings and writes complete in the scheduler's order, those that match `slow` last. */
export async function runPlan(plan: Plan, scheduler: fc.Scheduler, slow = /^$/): Promise<RunRecord> {
  const observed: RunRecord = {
    stored: [],
    completed: [],
    pagesRequested: 0,
    stores: 0,
    maxConcurrent: 0,
    maxHeld: 0,
    wastedRequests: [],
    prematureCursors: [],
    wasFull: false,
    end: null,
    thrown: null,
  }
  const storedIds = new Set<string>()
  let [counted, reading, unread, held, listings] = [0, 0, 0, 0, 0]
  let isStopped = false
  const delayed: (() => void)[] = []
  const settle = (what: string) =>
    slow.test(what)
      ? new Promise<void>(resolve => delayed.push(resolve))
      : scheduler.schedule(Promise.resolve(), what)
  const throwPlannedFault = (where: NonNullable<Plan['fault']>['in'], index: number) => {
    if (plan.fault?.in !== where || plan.fault.index !== index) return
    isStopped = plan.fault.with === 'requeue' || where === 'listing' || where === 'store'
    throw faults[plan.fault.with]
  }

  async function* chunks() {
    for (const page of plan.pages.keys()) {
      observed.pagesRequested++
      if (counted + reading + unread >= plan.capacity) observed.wastedRequests.push(`page ${page}`)
      await settle(`page ${page}`)
      throwPlannedFault('page', page)
      yield makeChunk(plan, page)
    }
  }
  const running = runPipeline({
    chunks: chunks(),
    capacity: plan.capacity,
    concurrency: plan.concurrency,
    isCounted,
    async findKnown(chunk) {
      await settle('findKnown')
      throwPlannedFault('findKnown', observed.pagesRequested - 1)
      const ids = chunk.cards.map(({ listingId }) => listingId)
      const processed = new Set(ids.filter(id => getPlanned(plan, id).isProcessed))
      for (const id of processed) storedIds.add(id)
      unread += ids.length - processed.size
      held += chunk.cards.length + chunk.unreadableIds.length
      observed.maxHeld = Math.max(observed.maxHeld, held)
      return { known: new Map(), processed }
    },
    async read({ listingId }) {
      if (isStopped || counted + reading >= plan.capacity) observed.wastedRequests.push(listingId)
      unread--
      observed.maxConcurrent = Math.max(observed.maxConcurrent, ++reading)
      const index = listings++
      await settle(listingId)
      reading--
      throwPlannedFault('listing', index)
      const outcome = makeOutcome(listingId, getPlanned(plan, listingId).kind)
      if (isCounted(outcome)) counted++
      observed.completed.push(outcome)
      return outcome
    },
    async store(done) {
      for (const { chunk } of done) held -= chunk.cards.length + chunk.unreadableIds.length
      const index = observed.stores++
      await settle('store')
      throwPlannedFault('store', index)
      observed.stored.push(...done)
      for (const id of toListingIds(done)) storedIds.add(id)
      const lastCompletePage = plan.pages
        .keys()
        .find(
          page =>
            done.findLast(({ isComplete }) => isComplete)?.chunk.next.requests[0]?.path ===
            `/page/${page + 1}`,
        )
      const before =
        lastCompletePage === undefined
          ? []
          : plan.pages.slice(0, lastCompletePage + 1).flatMap((_, page) => makeChunk(plan, page).cards)
      if (before.some(({ listingId }) => !storedIds.has(listingId)))
        observed.prematureCursors.push(lastCompletePage!)
      observed.wasFull ||= index === plan.fullAt
      return { isFull: index === plan.fullAt, uncounted: 0 }
    },
  })
  let hasEnded = false
  const completion = running.then(
    end => {
      hasEnded = true
      observed.end = end
    },
    error => {
      hasEnded = true
      observed.thrown = error
    },
  )
  for (;;) {
    // Lets all work continue that needs no I/O.
    await new Promise(resolve => setImmediate(resolve))
    if (hasEnded) break
    if (scheduler.count() > 0) await scheduler.waitOne()
    else if (delayed.length > 0) delayed.shift()!()
    else throw new Error('the pipeline is deadlocked')
  }
  await completion
  return observed
}

export const toListingIds = (done: ProcessedChunk[]) =>
  done.flatMap(({ outcomes }) => outcomes.map(({ listingId }) => listingId))
