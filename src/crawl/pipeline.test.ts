/** The pipeline in whatever order pages, adverts and writes come: nothing lost, nothing twice, nothing in vain. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advertOf,
  counts,
  faults,
  idsOf,
  type Kind,
  type Plan,
  type PlannedAdvert,
  run,
  type Witness,
} from '../../test/pipeline.ts'
import { HandBack } from '../kit/jobs/job.ts'
import { CrawlFailure } from './failure.ts'
import type { Outcome } from './read-advert.ts'
import type { Done } from './slot.ts'

const pageOf = ({ chunk }: Done) => Number(chunk.next.requests[0]!.path.slice('/page/'.length)) - 1
const countedIn = (done: Done[]) => done.flatMap(({ outcomes }) => outcomes).filter(counts).length

/** How many of these a run with room enough would count. */
function countedAmong(adverts: PlannedAdvert[]): number {
  return adverts.filter(
    ({ kind, isDealtWith }) => !isDealtWith && (kind === 'listing' || kind === 'unchanged'),
  ).length
}

/** By the words of the rule: at least five, and more than half, of the last thirty. */
function givesUp(completed: Outcome[]): boolean {
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
const planOf = (pageMax: number, fault: fc.Arbitrary<Plan['fault']>, fullAt: fc.Arbitrary<number | null>) =>
  fc.record<Plan>({
    pages: fc.array(
      fc.record({
        adverts: fc.array(fc.record({ kind: anyKind, isDealtWith: rarely }), { maxLength: pageMax }),
        notUnderstood: fc.constantFrom(0, 0, 0, 2),
      }),
      { maxLength: 8 },
    ),
    room: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 60 })),
    concurrency: fc.integer({ min: 1, max: 6 }),
    fault,
    fullAt,
  })
const never = fc.constant(null)
const anyFault = fc.record<NonNullable<Plan['fault']>>({
  in: fc.constantFrom('page', 'lookUp', 'advert', 'store'),
  at: fc.nat({ max: 12 }),
  with: fc.constantFrom('failure', 'handBack'),
})

function check(
  plan: fc.Arbitrary<Plan>,
  holds: (plan: Plan, witness: Witness) => void,
  numRuns = 1000,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(plan, fc.scheduler(), async (plan, scheduler) => {
      holds(plan, await run(plan, scheduler))
    }),
    { numRuns },
  )
}

/** What holds of every run, however it ends. */
function expectOrder(plan: Plan, { stored, inVain, overtaken, mostAtOnce, mostHeld }: Witness): void {
  expect(countedIn(stored)).toBeLessThanOrEqual(plan.room)
  expect(new Set(idsOf(stored)).size).toBe(idsOf(stored).length)
  const pages = stored.map(pageOf)
  expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b))
  expect(overtaken).toEqual([])
  expect(inVain).toEqual([])
  expect(mostAtOnce).toBeLessThanOrEqual(plan.concurrency)
  expect(mostHeld).toBeLessThanOrEqual(heldMax)
}

/** What waits to be stored: as much as goes into one transaction, and the chunk that makes it too much. */
const heldMax = 500

describe('whatever comes first', () => {
  const plans = planOf(9, never, never)

  test('order, room, concurrency and what is held are kept to', () => check(plans, expectOrder))

  test('a run ends with every advert stored once, or with its room used up', () =>
    check(plans, (plan, { stored, completed, thrown, end }) => {
      if (givesUp(completed)) return expect(thrown).toBeInstanceOf(CrawlFailure)
      expect(thrown).toBeNull()
      const wanted = plan.pages.flatMap(({ adverts }) => adverts).filter(({ isDealtWith }) => !isDealtWith)
      const found = countedAmong(wanted)
      expect(countedIn(stored)).toBe(Math.min(plan.room, found))
      expect(end!.isCut).toBe(found >= plan.room)
      if (found >= plan.room) return
      expect(stored.map(pageOf)).toEqual([...plan.pages.keys()])
      expect(stored.every(({ isWhole }) => isWhole)).toBe(true)
      expect(idsOf(stored)).toHaveLength(
        wanted.length + plan.pages.reduce((sum, page) => sum + page.notUnderstood, 0),
      )
    }))

  test('what was dealt with before is not read again, and counts as repeated', () =>
    check(plans, (plan, { stored, completed }) => {
      expect(completed.some(({ listingId }) => advertOf(plan, listingId).isDealtWith)).toBe(false)
      for (const done of stored)
        expect(done.repeated).toBe(
          plan.pages[pageOf(done)]!.adverts.filter(({ isDealtWith }) => isDealtWith).length,
        )
    }))

  test('outcomes are listed in the order of the portal', () =>
    check(plans, (_plan, { stored }) => {
      for (const { chunk, outcomes } of stored) {
        const order = [...chunk.cards.map(({ listingId }) => listingId), ...chunk.notUnderstood]
        const ids = outcomes.map(({ listingId }) => listingId)
        expect(ids).toEqual(order.filter(id => ids.includes(id)))
      }
    }))
})

describe('whatever goes wrong', () => {
  const plans = planOf(9, anyFault, never)

  test('order, room, concurrency and what is held are kept to', () => check(plans, expectOrder))

  test('the cause is told, and nothing but a cause is thrown', () =>
    check(plans, (plan, { thrown, completed }) => {
      if (thrown === null || thrown === faults[plan.fault!.with]) return
      expect(thrown).toMatchObject({ code: 'LAYOUT_CHANGED' })
      expect(givesUp(completed)).toBe(true)
    }))

  test('a page that fails is told of after all found before it was read, if that does not suffice', () =>
    check(
      planOf(
        9,
        anyFault.map(fault => ({ ...fault, in: 'page' as const, with: 'failure' as const })),
        never,
      ),
      (plan, { stored, completed, thrown, end }) => {
        const before = plan.pages.slice(0, plan.fault!.at).flatMap(({ adverts }) => adverts)
        const found = countedAmong(before)
        if (givesUp(completed) || plan.fault!.at >= plan.pages.length) return
        expect(countedIn(stored)).toBe(Math.min(plan.room, found))
        expect(thrown).toBe(found < plan.room ? faults.failure : null)
        if (thrown === null) expect(end!.isCut).toBe(true)
        else expect(stored.map(pageOf)).toEqual([...plan.pages.keys()].slice(0, plan.fault!.at))
      },
    ))

  test('on a failure all that was read is stored', () =>
    check(
      planOf(
        9,
        anyFault.filter(fault => fault.in !== 'store' && fault.with === 'failure'),
        never,
      ),
      (_plan, { stored, completed, thrown }) => {
        if (thrown === null) return
        const read = completed.map(({ listingId }) => listingId)
        expect(
          idsOf(stored)
            .filter(id => !id.includes('x'))
            .sort(),
        ).toEqual(read.sort())
      },
    ))

  test('a run that is handed back stores every whole chunk, and nothing of one that is not', () =>
    check(
      planOf(
        9,
        anyFault.filter(fault => fault.in !== 'store' && fault.with === 'handBack'),
        never,
      ),
      (plan, { stored, completed, thrown }) => {
        if (!(thrown instanceof HandBack)) return
        expect(stored.every(({ isWhole }) => isWhole)).toBe(true)
        const read = new Set(completed.map(({ listingId }) => listingId))
        const isRead = (page: number) =>
          plan.pages[page]!.adverts.every(({ isDealtWith }, at) => isDealtWith || read.has(`${page}.${at}`))
        const behind = stored.length
        const asked =
          plan.pages.length > behind && plan.pages[behind]!.adverts.some(({ isDealtWith }) => !isDealtWith)
        if (asked) expect(isRead(behind)).toBe(false)
      },
    ))

  test('when a write fails, nothing is written after it', () =>
    check(
      planOf(
        9,
        anyFault.map(fault => ({ ...fault, in: 'store' as const })),
        never,
      ),
      (plan, { stores, completed, thrown }) => {
        const hasFailed = stores > plan.fault!.at
        if (hasFailed) expect(stores).toBe(plan.fault!.at + 1)
        if (hasFailed && !givesUp(completed)) expect(thrown).toBe(faults[plan.fault!.with])
      },
    ))
})

describe('when nothing more is wanted', () => {
  const plans = planOf(9, never, fc.nat({ max: 4 }))

  test('order, room, concurrency and what is held are kept to', () => check(plans, expectOrder))

  test('a run is cut unless every advert was dealt with', () =>
    check(plans, (plan, { stored, completed, wasFull, end }) => {
      if (givesUp(completed) || !wasFull) return
      if (stored.length < plan.pages.length || !stored.every(({ isWhole }) => isWhole))
        expect(end!.isCut).toBe(true)
    }))
})

describe('of many adverts', () => {
  test.each([
    ['one advert', /^0\.3$/],
    ['every advert', /^\d/],
    ['every write', /^store/],
    ['every page', /^page/],
  ])('few are held though %s keeps everybody waiting', (_what, slow) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom(30, 100), async (scheduler, size) => {
        const adverts = Array.from({ length: size }, () => ({ kind: 'listing' as const, isDealtWith: false }))
        const plan: Plan = {
          pages: Array.from({ length: 3000 / size }, () => ({ adverts, notUnderstood: 0 })),
          ...{ room: 5000, concurrency: 8, fault: null, fullAt: null },
        }
        const witness = await run(plan, scheduler, slow)
        expectOrder(plan, witness)
        expect(idsOf(witness.stored)).toHaveLength(3000)
      }),
      { numRuns: 4 },
    ),
  )
})

describe('adverts that fail', () => {
  const runOf = (kinds: Kind[]) => {
    const adverts = kinds.map(kind => ({ kind, isDealtWith: false }))
    const plan = {
      pages: [{ adverts, notUnderstood: 0 }],
      room: 100,
      concurrency: 1,
      fault: null,
      fullAt: null,
    }
    return run(plan, fc.schedulerFor(Array.from({ length: 100 }, (_, at) => at + 1)))
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
  ])('%i in a row after %i that did not fail: given up %s', async (failed, before, isGivenUp) => {
    const { thrown } = await runOf([...some(before, 'listing'), ...some(failed, 'failed')])
    if (isGivenUp) expect(thrown).toMatchObject({ code: 'LAYOUT_CHANGED' })
    else expect(thrown).toBeNull()
  })
})
