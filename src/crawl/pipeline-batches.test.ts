/** Listings are stored in batches, one transaction each: the first at once, later ones every 250 ms or when full. */
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stopSharedApps } from '../../test/harness.ts'
import { isCounted, makeChunk, type Plan } from '../../test/pipeline.ts'
import type { Chunk } from './crawl.ts'
import { runPipeline } from './pipeline.ts'

beforeAll(stopSharedApps)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A run whose pages arrive on demand. `batches`: the number of listings of each transaction. */
function start() {
  const plan: Plan = { pages: [], capacity: 10_000, concurrency: 4, fault: null, fullAt: null }
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
      yield makeChunk(plan, page)
    }
  }
  const ended = runPipeline({
    chunks: chunks(),
    capacity: plan.capacity,
    concurrency: plan.concurrency,
    isCounted,
    findKnown: async () => ({ known: new Map(), processed: new Set() }),
    read: async ({ listingId }) => ({ kind: 'unchanged', listingId, sourceState: null }),
    async store(done) {
      batches.push(done.reduce((sum, { outcomes }) => sum + outcomes.length, 0))
      return { isFull: false, uncounted: 0 }
    },
  })
  return {
    batches,
    /** Delivers a page with this many listings, reads them all, then advances the time. */
    async page(listings: number, passMs = 0) {
      plan.pages.push({
        listings: Array.from({ length: listings }, () => ({ kind: 'unchanged', isProcessed: false })),
        unreadableIds: 0,
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

test('the first listings are stored at once, the next ones together', async () => {
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

test('the listings of a slow portal are stored as they arrive', async () => {
  const run = start()
  for (const listings of [10, 20, 30]) await run.page(listings, 300)
  expect(run.batches).toEqual([10, 20, 30])
  await run.end()
})

test('a full batch is stored at once, and later listings wait again', async () => {
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

test('listings that are not counted free capacity, and none is read or stored twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 0, max: 12 }),
      async (pages, changed, capacity) => {
        const ids = pages.flatMap((size, page) => Array.from({ length: size }, (_, at) => `${page}.${at}`))
        const isChanged = (id: string) => changed[ids.indexOf(id)]!
        const listings = (size: number) =>
          Array.from({ length: size }, () => ({ kind: 'listing' as const, isProcessed: false }))
        const plan: Plan = {
          pages: pages.map(size => ({ listings: listings(size), unreadableIds: 0 })),
          capacity,
          concurrency: 3,
          fault: null,
          fullAt: null,
        }
        const [read, stored]: [string[], string[]] = [[], []]
        let pagesFetched = 0
        let remaining = capacity
        const running = runPipeline({
          chunks: (async function* () {
            for (const page of pages.keys()) yield makeChunk(plan, page)
          })(),
          capacity,
          concurrency: 3,
          isCounted,
          findKnown: async () => ({ known: new Map(), processed: new Set() }),
          async read({ listingId }) {
            read.push(listingId)
            return { kind: 'unchanged', listingId, sourceState: null }
          },
          async store(done) {
            const batch = done.flatMap(({ outcomes }) => outcomes.map(({ listingId }) => listingId))
            stored.push(...batch)
            pagesFetched += done.reduce((sum, { chunk }) => sum + chunk.pagesFetched, 0)
            const uncounted = batch.filter(id => !isChanged(id)).length
            remaining -= batch.length - uncounted
            return { isFull: remaining <= 0, uncounted }
          },
        })
        await vi.runAllTimersAsync()
        await running
        expect(stored.toSorted()).toEqual(read.toSorted())
        expect(new Set(read).size).toBe(read.length)
        const found = ids.filter(isChanged).length
        expect(stored.filter(isChanged)).toHaveLength(Math.min(capacity, found))
        if (found < capacity) {
          expect(stored).toEqual(ids)
          expect(pagesFetched).toBe(pages.length)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the last listings are stored at once', async () => {
  const run = start()
  await run.page(10)
  await run.page(20)
  await run.end()
  expect(run.batches).toEqual([10, 20])
})
