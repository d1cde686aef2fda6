/** Which adverts go into one transaction: the first at once, then as many as come in a quarter of a second, or enough. */
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stopSharedApps } from '../../test/harness.ts'
import { chunkOf, counts, type Plan } from '../../test/pipeline.ts'
import { runPipeline } from './pipeline.ts'
import type { Chunk } from './walk.ts'

beforeAll(stopSharedApps)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A run whose pages come when told; `batches`: how many adverts each transaction has had. */
function start() {
  const plan: Plan = { pages: [], room: 10_000, concurrency: 4, fault: null, fullAt: null }
  const batches: number[] = []
  let arrived = Promise.withResolvers<void>()
  let isLast = false
  async function* chunks(): AsyncGenerator<Chunk, void> {
    for (let page = 0; ; page++) {
      while (page === plan.pages.length) {
        if (isLast) return
        await arrived.promise
        arrived = Promise.withResolvers()
      }
      yield chunkOf(plan, page)
    }
  }
  const ended = runPipeline({
    chunks: chunks(),
    ...{ room: plan.room, concurrency: plan.concurrency, counts },
    lookUp: async () => ({ known: new Map(), dealtWith: new Set() }),
    read: async ({ listingId }) => ({ kind: 'unchanged', listingId, trace: null }),
    async store(done) {
      batches.push(done.reduce((sum, { outcomes }) => sum + outcomes.length, 0))
      return { isFull: false, uncounted: 0 }
    },
  })
  return {
    batches,
    /** A page of so many adverts comes, and all are read; then so much time passes. */
    async page(adverts: number, passMs = 0) {
      plan.pages.push({
        adverts: Array.from({ length: adverts }, () => ({ kind: 'unchanged', isDealtWith: false })),
        notUnderstood: 0,
      })
      arrived.resolve()
      await vi.advanceTimersByTimeAsync(passMs)
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    async end() {
      isLast = true
      arrived.resolve()
      await ended
    },
  }
}

test('the first are stored at once, those that come soon after together', async () => {
  const run = start()
  await run.page(10)
  expect(run.batches).toEqual([10])
  await run.page(20, 100)
  await run.page(30, 100)
  expect(run.batches).toEqual([10])
  await run.pass(50)
  expect(run.batches).toEqual([10, 50])
  await run.end()
})

test('those of a slow portal are stored as they come', async () => {
  const run = start()
  for (const adverts of [10, 20, 30]) await run.page(adverts, 300)
  expect(run.batches).toEqual([10, 20, 30])
  await run.end()
})

test('enough of them wait for no more, and those behind them wait anew', async () => {
  const run = start()
  await run.page(10, 200)
  await run.page(100)
  expect(run.batches).toEqual([10])
  await run.page(100)
  expect(run.batches).toEqual([10, 200])
  await run.page(5, 200)
  expect(run.batches).toEqual([10, 200])
  await run.pass(50)
  expect(run.batches).toEqual([10, 200, 5])
  await run.end()
})

test('those that turn out not to count make room for others, and none is read or stored twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 0, max: 12 }),
      async (pages, changed, room) => {
        const ids = pages.flatMap((size, page) => Array.from({ length: size }, (_, at) => `${page}.${at}`))
        const isChanged = (id: string) => changed[ids.indexOf(id)]!
        const adverts = (size: number) =>
          Array.from({ length: size }, () => ({ kind: 'listing' as const, isDealtWith: false }))
        const plan: Plan = {
          pages: pages.map(size => ({ adverts: adverts(size), notUnderstood: 0 })),
          ...{ room, concurrency: 3, fault: null, fullAt: null },
        }
        const [read, stored]: [string[], string[]] = [[], []]
        let pagesFetched = 0
        let left = room
        const running = runPipeline({
          chunks: (async function* () {
            for (const page of pages.keys()) yield chunkOf(plan, page)
          })(),
          ...{ room, concurrency: 3, counts },
          lookUp: async () => ({ known: new Map(), dealtWith: new Set() }),
          async read({ listingId }) {
            read.push(listingId)
            return { kind: 'unchanged', listingId, trace: null }
          },
          async store(done) {
            const batch = done.flatMap(({ outcomes }) => outcomes.map(({ listingId }) => listingId))
            stored.push(...batch)
            pagesFetched += done.reduce((sum, { chunk }) => sum + chunk.pagesFetched, 0)
            const uncounted = batch.filter(id => !isChanged(id)).length
            left -= batch.length - uncounted
            return { isFull: left <= 0, uncounted }
          },
        })
        await vi.runAllTimersAsync()
        await running
        expect(stored.toSorted()).toEqual(read.toSorted())
        expect(new Set(read).size).toBe(read.length)
        const found = ids.filter(isChanged).length
        expect(stored.filter(isChanged)).toHaveLength(Math.min(room, found))
        if (found < room) {
          expect(stored).toEqual(ids)
          expect(pagesFetched).toBe(pages.length)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the last wait for nothing', async () => {
  const run = start()
  await run.page(10)
  await run.page(20)
  await run.end()
  expect(run.batches).toEqual([10, 20])
})
