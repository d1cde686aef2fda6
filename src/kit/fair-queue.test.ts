/** The fair queue: fairness, limits and release of slots. */
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainQueues, createFairQueue, type FairQueueOptions, type Requester } from './fair-queue.ts'
import type { Problem } from './problem.ts'

const makeQueue = (options: Partial<FairQueueOptions> = {}) =>
  createFairQueue({
    name: 'exports',
    capacity: 4,
    waitingMax: { all: 100, tenant: 50, key: 50 },
    waitMaxMs: 60_000,
    retryAfterSeconds: 3,
    ...options,
  })

const a: Requester = { tenantId: 'a', keyId: 'a1' }
const b: Requester = { tenantId: 'b', keyId: 'b1' }

/** Acquires slots, and records the order in which they were granted. */
function trackAcquires(queue: ReturnType<typeof makeQueue>) {
  const acquired: string[] = []
  const releases: (() => void)[] = []
  return {
    acquired,
    releases,
    acquire(requester: Requester, name = requester.tenantId) {
      const acquiring = queue.acquire(requester).then(release => {
        acquired.push(name)
        releases.push(release)
      })
      // Some time out long after their test.
      acquiring.catch(() => {})
      return acquiring
    },
  }
}
const settle = () => new Promise(resolve => setImmediate(resolve))
const findRefusal = (acquiring: Promise<unknown>) =>
  acquiring.then(
    () => null,
    ({ code, message, headers }: Problem) => ({ code, message, headers }),
  )

test('a single tenant may hold half of the slots, so that another one finds a free slot', async () => {
  const queue = makeQueue()
  const { acquire, acquired } = trackAcquires(queue)
  for (let n = 0; n < 10; n++) void acquire(a)
  await settle()
  expect(acquired).toEqual(['a', 'a'])
  await acquire(b)
  expect(acquired).toEqual(['a', 'a', 'b'])
})

test('with reserved slots, a single tenant may hold all others, and several tenants share them', async () => {
  const queue = makeQueue({ capacity: 7, reserved: 1 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  for (let n = 0; n < 10; n++) void acquire(a)
  await settle()
  expect(acquired).toEqual(Array(6).fill('a'))
  await acquire(b)
  // Two tenants: three slots each, so that others must be released first.
  void acquire(b)
  for (const release of releases.slice(0, 4)) release()
  await settle()
  expect(acquired.filter(tenantId => tenantId === 'b')).toHaveLength(2)
  expect(acquired.filter(tenantId => tenantId === 'a')).toHaveLength(7)
})

test('with slots reserved for new tenants, tenants that hold some share all others', async () => {
  const queue = makeQueue({ capacity: 4, reservedForNewTenants: 1 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  for (let n = 0; n < 10; n++) void acquire(a)
  await settle()
  expect(acquired).toEqual(['a', 'a', 'a'])
  void acquire(b)
  void acquire(b)
  await settle()
  expect(acquired).toEqual(['a', 'a', 'a', 'b'])
  releases[0]!()
  await settle()
  // The slot is reserved again.
  expect(acquired).toHaveLength(4)
  await acquire({ tenantId: 'c' })
})

test('chained queues release the slot of the first if the second refuses', async () => {
  const first = makeQueue()
  const second = makeQueue({ capacity: 1, waitingMax: { all: 0, tenant: 0, key: 0 } })
  const both = chainQueues(first, second)
  const release = await both.acquire(a)
  for (let n = 0; n < 5; n++)
    expect(await findRefusal(both.acquire(b))).toMatchObject({ code: 'UNAVAILABLE' })
  release()
  release()
  const { acquire, acquired } = trackAcquires(both)
  void acquire(b)
  await settle()
  expect(acquired).toEqual(['b'])
})

test('a tenant may hold fewer slots while others have made requests recently', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = makeQueue({ capacity: 12, tenantMax: 5, tenantContendedMax: 3 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  for (let n = 0; n < 9; n++) void acquire(a)
  await settle()
  expect(acquired).toHaveLength(5)
  await acquire({ tenantId: 'nobody', isAnonymous: true })
  releases.pop()!()
  acquired.pop()
  await acquire(b)
  // It keeps the slots that it holds, but only three are granted again.
  for (const release of releases.splice(0, 5)) release()
  await settle()
  expect(acquired).toHaveLength(6 + 3)
  vi.advanceTimersByTime(10_000)
  for (const release of releases.splice(0)) release()
  await settle()
  expect(acquired.filter(name => name === 'a')).toHaveLength(9)
  for (let n = 0; n < 9; n++) void acquire(a)
  await settle()
  expect(acquired.filter(name => name === 'a')).toHaveLength(9 + 4)
})

test('waiting tenants are served round-robin, and so are the keys of a tenant', async () => {
  const queue = makeQueue({ capacity: 1 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  await acquire(a, 'first')
  for (let n = 0; n < 3; n++) void acquire(a, 'a1')
  void acquire({ tenantId: 'a', keyId: 'a2' }, 'a2')
  for (let n = 0; n < 2; n++) void acquire(b, 'b1')
  for (let n = 0; n < 7; n++) {
    releases[n]!()
    await settle()
  }
  expect(acquired).toEqual(['first', 'b1', 'a2', 'b1', 'a1', 'a1', 'a1'])
})

test('excess requests are refused: 429 if the tenant holds slots, 503 otherwise', async () => {
  const queue = makeQueue({ capacity: 2, waitingMax: { all: 3, tenant: 2, key: 1 } })
  const { acquire } = trackAcquires(queue)
  const a2 = { tenantId: 'a', keyId: 'a2' }
  await acquire(a)
  void acquire(a)
  expect(await findRefusal(queue.acquire(a))).toEqual({
    code: 'TOO_MANY_CONCURRENT_REQUESTS',
    message: 'This key already has 2 exports in progress. Wait until some have ended, then try again.',
    headers: { 'Retry-After': '3' },
  })
  void acquire(a2)
  expect(await findRefusal(queue.acquire(a2))).toMatchObject({
    code: 'TOO_MANY_CONCURRENT_REQUESTS',
    message: expect.stringContaining('The keys of this environment already have 3 exports'),
  })
  await acquire(b)
  void acquire({ tenantId: 'c' })
  expect(await findRefusal(queue.acquire({ tenantId: 'd' }))).toEqual({
    code: 'UNAVAILABLE',
    message: 'Too many exports are in progress. Try again in 3 s.',
    headers: { 'Retry-After': '3' },
  })
})

test('a request that has waited too long is refused, unless it waits forever', async () => {
  const queue = makeQueue({ capacity: 1, waitMaxMs: 1, waitingMax: { all: 1, tenant: 1, key: 1 } })
  const release = await queue.acquire(a)
  const waitingForever = [queue.acquire(b, { waitsForever: true }), queue.acquire(b, { waitsForever: true })]
  await expect(queue.acquire(a)).rejects.toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS' })
  release()
  const next = await waitingForever[0]!
  const lateRequest = queue.acquire(a)
  await expect(lateRequest).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  next()
  await waitingForever[1]
})

test('the limits per tenant and per key apply even if slots are free', async () => {
  const queue = makeQueue({
    capacity: 100,
    tenantMax: 3,
    keyMax: 2,
    waitingMax: { all: 0, tenant: 0, key: 0 },
  })
  const codes: (string | null)[] = []
  for (const keyId of ['a1', 'a1', 'a1', 'a2', 'a2']) {
    codes.push((await findRefusal(queue.acquire({ tenantId: 'a', keyId })))?.code ?? null)
  }
  expect(codes).toEqual([null, null, 'TOO_MANY_CONCURRENT_REQUESTS', null, 'TOO_MANY_CONCURRENT_REQUESTS'])
})

test('an aborted request is skipped, and does not start to wait', async () => {
  const queue = makeQueue({ capacity: 1 })
  const disconnected = new AbortController()
  const release = await queue.acquire(a)
  const waiting = queue.acquire(a, { signal: disconnected.signal })
  const next = queue.acquire(b)
  disconnected.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(queue.acquire(a, { signal: disconnected.signal })).rejects.toThrow('gone')
  release()
  await expect(next).resolves.toBeTypeOf('function')
})

test('a slot is released when the work fails, and only once', async () => {
  const queue = makeQueue({ capacity: 1 })
  const fail = () => Promise.reject(new Error('no'))
  await expect(queue.run(a, fail)).rejects.toThrow('no')
  const release = await queue.acquire(a)
  release()
  const held = await queue.acquire(a)
  release()
  let isAcquired = false
  const waiting = queue.acquire(b).then(() => {
    isAcquired = true
  })
  await settle()
  expect(isAcquired).toBe(false)
  held()
  await waiting
})

test('the capacity is never exceeded, no tenant holds more than half, and every request is settled', async () => {
  const step = fc.record({
    tenant: fc.integer({ min: 0, max: 3 }),
    key: fc.integer({ min: 0, max: 1 }),
    act: fc.constantFrom('acquire', 'release', 'abort'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }),
      fc.array(step, { maxLength: 60 }),
      async (capacity, steps) => {
        const queue = makeQueue({ capacity })
        const held: { tenant: number; release: () => void }[] = []
        const waiting = new Set<AbortController>()
        let done = 0
        let requested = 0
        const check = () => {
          expect(held.length).toBeLessThanOrEqual(capacity)
          for (const { tenant } of held)
            expect(held.filter(each => each.tenant === tenant).length).toBeLessThanOrEqual(capacity / 2)
        }
        for (const { tenant, key, act } of steps) {
          if (act === 'release') held.shift()?.release()
          if (act === 'abort') waiting.values().next().value?.abort(new Error('gone'))
          if (act === 'acquire') {
            requested++
            const disconnected = new AbortController()
            waiting.add(disconnected)
            queue
              .acquire({ tenantId: String(tenant), keyId: String(key) }, { signal: disconnected.signal })
              .then(
                release => held.push({ tenant, release }),
                () => {},
              )
              .finally(() => {
                waiting.delete(disconnected)
                done++
              })
          }
          await settle()
          check()
        }
        while (held.length > 0) {
          held.shift()!.release()
          await settle()
          check()
        }
        expect(done).toBe(requested)
      },
    ),
    { numRuns: 60 },
  )
})
