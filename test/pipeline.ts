/** The pipeline run by a plan, in whatever order the scheduler likes, and watched from outside. */
import type fc from 'fast-check'
import { CrawlFailure } from '../src/crawl/failure.ts'
import { type PipelineEnd, runPipeline } from '../src/crawl/pipeline.ts'
import type { Outcome } from '../src/crawl/read-advert.ts'
import type { Done } from '../src/crawl/slot.ts'
import type { Chunk } from '../src/crawl/walk.ts'
import { HandBack } from '../src/kit/jobs/job.ts'
import type { Card } from '../src/plugins/portal.ts'
import { listing, trace } from './make.ts'

export type Kind = Outcome['kind']

export interface PlannedAdvert {
  kind: Kind
  /** Dealt with by this extraction before. */
  isDealtWith: boolean
}

export interface Plan {
  pages: { adverts: PlannedAdvert[]; notUnderstood: number }[]
  room: number
  concurrency: number
  /** What goes wrong, and at the how-manieth. */
  fault: { in: 'page' | 'lookUp' | 'advert' | 'store'; at: number; with: 'failure' | 'handBack' } | null
  /** Which call of `store` says that nothing more is wanted. */
  fullAt: number | null
}

export const faults = { failure: new CrawlFailure('BLOCKED', 'planned'), handBack: new HandBack() }
export const counts = ({ kind }: Outcome) => kind === 'listing' || kind === 'unchanged'
const nextOf = (page: number) => ({ requests: [{ path: `/page/${page}` }] })

function outcomeOf(listingId: string, kind: Kind): Outcome {
  if (kind === 'listing') return { kind, listingId, listing: listing(), trace: trace() }
  if (kind === 'unchanged') return { kind, listingId, trace: null }
  if (kind === 'skipped') return { kind, listingId, reason: 'gone' }
  return { kind, listingId, failure: new CrawlFailure('LAYOUT_CHANGED', listingId) }
}

export function chunkOf(plan: Plan, page: number): Chunk {
  const { adverts, notUnderstood } = plan.pages[page]!
  return {
    cards: adverts.map((_, at): Card => ({ listingId: `${page}.${at}`, path: `/${page}.${at}` })),
    notUnderstood: Array.from({ length: notUnderstood }, (_, at) => `${page}.x${at}`),
    ...{ goneIds: [], repeated: 0, pagesFetched: 1, promised: null },
    next: nextOf(page + 1),
  }
}

export const advertOf = (plan: Plan, listingId: string): PlannedAdvert => {
  const [page, at] = listingId.split('.')
  return plan.pages[Number(page)]!.adverts[Number(at)]!
}

/** All that can be said of a run by somebody who watches from outside. */
export interface Witness {
  stored: Done[]
  /** In the order in which they were read. */
  completed: Outcome[]
  pagesAsked: number
  /** Calls of `store`, also those that failed. */
  stores: number
  mostAtOnce: number
  mostHeld: number
  /** Adverts or pages that were asked for though what was at hand could fill the room, or nothing was to be read any more. */
  inVain: string[]
  /** A place to go on that was stored before all the adverts in front of it. */
  overtaken: number[]
  wasFull: boolean
  end: PipelineEnd | null
  thrown: unknown
}

/** Runs a plan; pages, adverts and writes come in the scheduler's order, those that are `slow` after all others. */
export async function run(plan: Plan, scheduler: fc.Scheduler, slow = /^$/): Promise<Witness> {
  const witness: Witness = {
    ...{
      stored: [],
      completed: [],
      pagesAsked: 0,
      stores: 0,
      mostAtOnce: 0,
      mostHeld: 0,
      inVain: [],
      overtaken: [],
    },
    ...{ wasFull: false, end: null, thrown: null },
  }
  const storedIds = new Set<string>()
  let [counted, reading, unread, held, adverts] = [0, 0, 0, 0, 0]
  let isStopped = false
  const late: (() => void)[] = []
  const arrival = (what: string) =>
    slow.test(what)
      ? new Promise<void>(resolve => late.push(resolve))
      : scheduler.schedule(Promise.resolve(), what)
  const failAt = (where: NonNullable<Plan['fault']>['in'], at: number) => {
    if (plan.fault?.in !== where || plan.fault.at !== at) return
    isStopped = plan.fault.with === 'handBack' || where === 'advert' || where === 'store'
    throw faults[plan.fault.with]
  }

  async function* chunks() {
    for (const page of plan.pages.keys()) {
      witness.pagesAsked++
      if (counted + reading + unread >= plan.room) witness.inVain.push(`page ${page}`)
      await arrival(`page ${page}`)
      failAt('page', page)
      yield chunkOf(plan, page)
    }
  }
  const running = runPipeline({
    chunks: chunks(),
    ...{ room: plan.room, concurrency: plan.concurrency, counts },
    async lookUp(chunk) {
      await arrival('lookUp')
      failAt('lookUp', witness.pagesAsked - 1)
      const ids = chunk.cards.map(({ listingId }) => listingId)
      const dealtWith = new Set(ids.filter(id => advertOf(plan, id).isDealtWith))
      for (const id of dealtWith) storedIds.add(id)
      unread += ids.length - dealtWith.size
      held += chunk.cards.length + chunk.notUnderstood.length
      witness.mostHeld = Math.max(witness.mostHeld, held)
      return { known: new Map(), dealtWith }
    },
    async read({ listingId }) {
      if (isStopped || counted + reading >= plan.room) witness.inVain.push(listingId)
      unread--
      witness.mostAtOnce = Math.max(witness.mostAtOnce, ++reading)
      const at = adverts++
      await arrival(listingId)
      reading--
      failAt('advert', at)
      const outcome = outcomeOf(listingId, advertOf(plan, listingId).kind)
      if (counts(outcome)) counted++
      witness.completed.push(outcome)
      return outcome
    },
    async store(done) {
      for (const { chunk } of done) held -= chunk.cards.length + chunk.notUnderstood.length
      const at = witness.stores++
      await arrival('store')
      failAt('store', at)
      witness.stored.push(...done)
      for (const id of idsOf(done)) storedIds.add(id)
      const goOn = plan.pages
        .keys()
        .find(
          page =>
            done.findLast(({ isWhole }) => isWhole)?.chunk.next.requests[0]?.path === `/page/${page + 1}`,
        )
      const before =
        goOn === undefined
          ? []
          : plan.pages.slice(0, goOn + 1).flatMap((_, page) => chunkOf(plan, page).cards)
      if (before.some(({ listingId }) => !storedIds.has(listingId))) witness.overtaken.push(goOn!)
      witness.wasFull ||= at === plan.fullAt
      return { isFull: at === plan.fullAt, uncounted: 0 }
    },
  })
  let hasEnded = false
  const ending = running.then(
    end => {
      hasEnded = true
      witness.end = end
    },
    error => {
      hasEnded = true
      witness.thrown = error
    },
  )
  for (;;) {
    // Whatever can go on without the world does so first.
    await new Promise(resolve => setImmediate(resolve))
    if (hasEnded) break
    if (scheduler.count() > 0) await scheduler.waitOne()
    else if (late.length > 0) late.shift()!()
    else throw new Error('the pipeline waits for something that will never come')
  }
  await ending
  return witness
}

export const idsOf = (done: Done[]) =>
  done.flatMap(({ outcomes }) => outcomes.map(({ listingId }) => listingId))
