/** The pipeline with any order of pages, listings and writes: nothing is lost, repeated or read needlessly. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  faults,
  getPlanned,
  isCounted,
  type Kind,
  type Plan,
  type PlannedListing,
  type RunRecord,
  runPlan,
  toListingIds,
} from '../../test/pipeline.ts'
import { RequeueJob } from '../kit/jobs/job.ts'
import { CrawlFailure } from './failure.ts'
import type { Outcome } from './fetch-listing.ts'
import type { ProcessedChunk } from './pipeline-chunk.ts'

const toPage = ({ chunk }: ProcessedChunk) => Number(chunk.next.requests[0]!.path.slice('/page/'.length)) - 1
const sumCounted = (done: ProcessedChunk[]) =>
  done.flatMap(({ outcomes }) => outcomes).filter(isCounted).length

/** How many of these listings a run with enough capacity would count. */
function countExpected(listings: PlannedListing[]): number {
  return listings.filter(
    ({ kind, isProcessed }) => !isProcessed && (kind === 'listing' || kind === 'unchanged'),
  ).length
}

/** The rule as specified: at least five, and more than half, of the last thirty. */
function hasTooManyFailures(completed: Outcome[]): boolean {
  return completed.some((_, at) => {
    const last = completed.slice(Math.max(0, at - 29), at + 1)
    const failed = last.filter(({ kind }) => kind === 'failed').length
    return completed[at]!.kind === 'failed' && failed >= 5 && failed > last.length / 2
  })
}

const anyKind = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Kind>('listing', 'unchanged') },
  { weight: 3, arbitrary: fc.constant<Kind>('skipped') },
  { weight: 2, arbitrary: fc.constant<Kind>('failed') },
)
const rarely = fc.constantFrom(true, false, false, false, false)
const createPlan = (
  pageMax: number,
  fault: fc.Arbitrary<Plan['fault']>,
  fullAt: fc.Arbitrary<number | null>,
) =>
  fc.record<Plan>({
    pages: fc.array(
      fc.record({
        listings: fc.array(fc.record({ kind: anyKind, isProcessed: rarely }), { maxLength: pageMax }),
        unreadableIds: fc.constantFrom(0, 0, 0, 2),
      }),
      { maxLength: 8 },
    ),
    capacity: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 60 })),
    concurrency: fc.integer({ min: 1, max: 6 }),
    fault,
    fullAt,
  })
const never = fc.constant(null)
const anyFault = fc.record<NonNullable<Plan['fault']>>({
  in: fc.constantFrom('page', 'findKnown', 'listing', 'store'),
  index: fc.nat({ max: 12 }),
  with: fc.constantFrom('failure', 'requeue'),
})

function checkRuns(
  plan: fc.Arbitrary<Plan>,
  holds: (plan: Plan, observed: RunRecord) => void,
  numRuns = 1000,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(plan, fc.scheduler(), async (plan, scheduler) => {
      holds(plan, await runPlan(plan, scheduler))
    }),
    { numRuns },
  )
}

/** The invariants of every run, however it ends. */
function expectOrder(
  plan: Plan,
  { stored, wastedRequests, prematureCursors, maxConcurrent, maxHeld }: RunRecord,
): void {
  expect(sumCounted(stored)).toBeLessThanOrEqual(plan.capacity)
  expect(new Set(toListingIds(stored)).size).toBe(toListingIds(stored).length)
  const pages = stored.map(toPage)
  expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b))
  expect(prematureCursors).toEqual([])
  expect(wastedRequests).toEqual([])
  expect(maxConcurrent).toBeLessThanOrEqual(plan.concurrency)
  expect(maxHeld).toBeLessThanOrEqual(heldMax)
}

/** The most that waits to be stored: one full transaction, plus the chunk that exceeds it. */
const heldMax = 500

describe('without failures', () => {
  const plans = createPlan(9, never, never)

  test('the order and the limits of capacity, concurrency and memory are kept', () =>
    checkRuns(plans, expectOrder))

  test('a run ends with every listing stored once, or with its capacity used up', () =>
    checkRuns(plans, (plan, { stored, completed, thrown, end }) => {
      if (hasTooManyFailures(completed)) return expect(thrown).toBeInstanceOf(CrawlFailure)
      expect(thrown).toBeNull()
      const wanted = plan.pages.flatMap(({ listings }) => listings).filter(({ isProcessed }) => !isProcessed)
      const found = countExpected(wanted)
      expect(sumCounted(stored)).toBe(Math.min(plan.capacity, found))
      expect(end!.isTruncated).toBe(found >= plan.capacity)
      if (found >= plan.capacity) return
      expect(stored.map(toPage)).toEqual([...plan.pages.keys()])
      expect(stored.every(({ isComplete }) => isComplete)).toBe(true)
      expect(toListingIds(stored)).toHaveLength(
        wanted.length + plan.pages.reduce((sum, page) => sum + page.unreadableIds, 0),
      )
    }))

  test('processed listings are not read again, and count as repeated', () =>
    checkRuns(plans, (plan, { stored, completed }) => {
      expect(completed.some(({ listingId }) => getPlanned(plan, listingId).isProcessed)).toBe(false)
      for (const done of stored)
        expect(done.repeated).toBe(
          plan.pages[toPage(done)]!.listings.filter(({ isProcessed }) => isProcessed).length,
        )
    }))

  test("outcomes are stored in the portal's order", () =>
    checkRuns(plans, (_plan, { stored }) => {
      for (const { chunk, outcomes } of stored) {
        const order = [...chunk.cards.map(({ listingId }) => listingId), ...chunk.unreadableIds]
        const ids = outcomes.map(({ listingId }) => listingId)
        expect(ids).toEqual(order.filter(id => ids.includes(id)))
      }
    }))
})

describe('with any failure', () => {
  const plans = createPlan(9, anyFault, never)

  test('the order and the limits of capacity, concurrency and memory are kept', () =>
    checkRuns(plans, expectOrder))

  test('the original error is thrown, and no other', () =>
    checkRuns(plans, (plan, { thrown, completed }) => {
      if (thrown === null || thrown === faults[plan.fault!.with]) return
      expect(thrown).toMatchObject({ code: 'LAYOUT_CHANGED' })
      expect(hasTooManyFailures(completed)).toBe(true)
    }))

  test('a failing page ends the run after all earlier listings were read, unless they use up the capacity', () =>
    checkRuns(
      createPlan(
        9,
        anyFault.map(fault => ({ ...fault, in: 'page' as const, with: 'failure' as const })),
        never,
      ),
      (plan, { stored, completed, thrown, end }) => {
        const before = plan.pages.slice(0, plan.fault!.index).flatMap(({ listings }) => listings)
        const found = countExpected(before)
        if (hasTooManyFailures(completed) || plan.fault!.index >= plan.pages.length) return
        expect(sumCounted(stored)).toBe(Math.min(plan.capacity, found))
        expect(thrown).toBe(found < plan.capacity ? faults.failure : null)
        if (thrown === null) expect(end!.isTruncated).toBe(true)
        else expect(stored.map(toPage)).toEqual([...plan.pages.keys()].slice(0, plan.fault!.index))
      },
    ))

  test('on a failure all processed listings are stored', () =>
    checkRuns(
      createPlan(
        9,
        anyFault.filter(fault => fault.in !== 'store' && fault.with === 'failure'),
        never,
      ),
      (_plan, { stored, completed, thrown }) => {
        if (thrown === null) return
        const read = completed.map(({ listingId }) => listingId)
        expect(
          toListingIds(stored)
            .filter(id => !id.includes('x'))
            .sort(),
        ).toEqual(read.sort())
      },
    ))

  test('a requeued run stores every complete chunk, and nothing of incomplete ones', () =>
    checkRuns(
      createPlan(
        9,
        anyFault.filter(fault => fault.in !== 'store' && fault.with === 'requeue'),
        never,
      ),
      (plan, { stored, completed, thrown }) => {
        if (!(thrown instanceof RequeueJob)) return
        expect(stored.every(({ isComplete }) => isComplete)).toBe(true)
        const read = new Set(completed.map(({ listingId }) => listingId))
        const isRead = (page: number) =>
          plan.pages[page]!.listings.every(({ isProcessed }, at) => isProcessed || read.has(`${page}.${at}`))
        const nextPage = stored.length
        const hasUnprocessed =
          plan.pages.length > nextPage &&
          plan.pages[nextPage]!.listings.some(({ isProcessed }) => !isProcessed)
        if (hasUnprocessed) expect(isRead(nextPage)).toBe(false)
      },
    ))

  test('after a failed write nothing more is written', () =>
    checkRuns(
      createPlan(
        9,
        anyFault.map(fault => ({ ...fault, in: 'store' as const })),
        never,
      ),
      (plan, { stores, completed, thrown }) => {
        const hasFailed = stores > plan.fault!.index
        if (hasFailed) expect(stores).toBe(plan.fault!.index + 1)
        if (hasFailed && !hasTooManyFailures(completed)) expect(thrown).toBe(faults[plan.fault!.with])
      },
    ))
})

describe('when no further listings are needed', () => {
  const plans = createPlan(9, never, fc.nat({ max: 4 }))

  test('the order and the limits of capacity, concurrency and memory are kept', () =>
    checkRuns(plans, expectOrder))

  test('a run is truncated unless every listing was processed', () =>
    checkRuns(plans, (plan, { stored, completed, wasFull, end }) => {
      if (hasTooManyFailures(completed) || !wasFull) return
      if (stored.length < plan.pages.length || !stored.every(({ isComplete }) => isComplete))
        expect(end!.isTruncated).toBe(true)
    }))
})

describe('memory', () => {
  test.each([
    ['one listing', /^0\.3$/],
    ['every listing', /^\d/],
    ['every write', /^store/],
    ['every page', /^page/],
  ])('holds few of many listings while %s is slow', (_what, slow) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom(30, 100), async (scheduler, size) => {
        const listings = Array.from({ length: size }, () => ({
          kind: 'listing' as const,
          isProcessed: false,
        }))
        const plan: Plan = {
          pages: Array.from({ length: 3000 / size }, () => ({ listings, unreadableIds: 0 })),
          capacity: 5000,
          concurrency: 8,
          fault: null,
          fullAt: null,
        }
        const observed = await runPlan(plan, scheduler, slow)
        expectOrder(plan, observed)
        expect(toListingIds(observed.stored)).toHaveLength(3000)
      }),
      { numRuns: 4 },
    ),
  )
})

describe('failing listings', () => {
  const startRun = (kinds: Kind[]) => {
    const listings = kinds.map(kind => ({ kind, isProcessed: false }))
    const plan = {
      pages: [{ listings, unreadableIds: 0 }],
      capacity: 100,
      concurrency: 1,
      fault: null,
      fullAt: null,
    }
    return runPlan(plan, fc.schedulerFor(Array.from({ length: 100 }, (_, at) => at + 1)))
  }
  const some = (count: number, kind: Kind) => Array.from({ length: count }, () => kind)

  test.each([
    [4, 0, false],
    [5, 0, true],
    [5, 4, true],
    [5, 5, false],
    [15, 15, false],
    [15, 60, false],
    [16, 60, true],
  ])('%i in a row after %i successful ones: run fails %s', async (failed, before, isAborted) => {
    const { thrown } = await startRun([...some(before, 'listing'), ...some(failed, 'failed')])
    if (isAborted) expect(thrown).toMatchObject({ code: 'LAYOUT_CHANGED' })
    else expect(thrown).toBeNull()
  })
})
