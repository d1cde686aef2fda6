/** Places that tenants share: fair, bounded, and given back. */
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chainQueues, createFairQueue, type FairQueueOptions, type Requester } from './fair-queue.ts'
import type { Problem } from './problem.ts'

const make = (options: Partial<FairQueueOptions> = {}) =>
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

/** Enters, and remembers in which order who came in. */
function trackAcquires(queue: ReturnType<typeof make>) {
  const acquired: string[] = []
  const releases: (() => void)[] = []
  return {
    acquired,
    releases,
    acquire(who: Requester, name = who.tenantId) {
      const visit = queue.acquire(who).then(release => {
        acquired.push(name)
        releases.push(release)
      })
      // Some wait until their time is over, long after their test.
      visit.catch(() => {})
      return visit
    },
  }
}
const settle = () => new Promise(resolve => setImmediate(resolve))
const findRefusal = (acquired: Promise<unknown>) =>
  acquired.then(
    () => null,
    ({ code, message, headers }: Problem) => ({ code, message, headers }),
  )

test('a tenant alone has half of the places, so that the next one finds one free', async () => {
  const queue = make()
  const { acquire, acquired } = trackAcquires(queue)
  for (let n = 0; n < 10; n++) void acquire(a)
  await settle()
  expect(acquired).toEqual(['a', 'a'])
  await acquire(b)
  expect(acquired).toEqual(['a', 'a', 'b'])
})

test('where so many places are kept free, a tenant has all others, and tenants share them', async () => {
  const queue = make({ capacity: 7, reserved: 1 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  for (let n = 0; n < 10; n++) void acquire(a)
  await settle()
  expect(acquired).toEqual(Array(6).fill('a'))
  await acquire(b)
  // Two of them: three each, so that another has to end first.
  void acquire(b)
  for (const release of releases.slice(0, 4)) release()
  await settle()
  expect(acquired.filter(tenantId => tenantId === 'b')).toHaveLength(2)
  expect(acquired.filter(tenantId => tenantId === 'a')).toHaveLength(7)
})

test('where places are kept for newcomers, tenants that hold some have all others between them', async () => {
  const queue = make({ capacity: 4, reservedForNewTenants: 1 })
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
  // The place is kept again.
  expect(acquired).toHaveLength(4)
  await acquire({ tenantId: 'c' })
})

test('of two queues whoever is refused by the second gives back the place in the first', async () => {
  const first = make()
  const second = make({ capacity: 1, waitingMax: { all: 0, tenant: 0, key: 0 } })
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

test('a tenant holds fewer places while others have been there lately, and as many as before after a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = make({ capacity: 12, tenantMax: 5, tenantContendedMax: 3 })
  const { acquire, acquired, releases } = trackAcquires(queue)
  for (let n = 0; n < 9; n++) void acquire(a)
  await settle()
  expect(acquired).toHaveLength(5)
  await acquire({ tenantId: 'nobody', isAnonymous: true })
  releases.pop()!()
  acquired.pop()
  await acquire(b)
  // Those that it holds are not taken away, and only three are granted anew.
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

test('tenants that wait are served in turn, and the keys of a tenant too', async () => {
  const queue = make({ capacity: 1 })
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

test('more than may wait are refused: 429 to whom it is the own doing, 503 to others', async () => {
  const queue = make({ capacity: 2, waitingMax: { all: 3, tenant: 2, key: 1 } })
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

test('who has waited for long is refused, and who is patient is not', async () => {
  const queue = make({ capacity: 1, waitMaxMs: 1, waitingMax: { all: 1, tenant: 1, key: 1 } })
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

test('a cap for each tenant and each key holds however many places there are', async () => {
  const queue = make({ capacity: 100, tenantMax: 3, keyMax: 2, waitingMax: { all: 0, tenant: 0, key: 0 } })
  const answers: (string | null)[] = []
  for (const keyId of ['a1', 'a1', 'a1', 'a2', 'a2']) {
    const acquired = queue.acquire({ tenantId: 'a', keyId })
    answers.push((await findRefusal(acquired))?.code ?? null)
  }
  expect(answers).toEqual([null, null, 'TOO_MANY_CONCURRENT_REQUESTS', null, 'TOO_MANY_CONCURRENT_REQUESTS'])
})

test('who goes away while waiting is passed over, and one who is gone does not wait', async () => {
  const queue = make({ capacity: 1 })
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

test('a place is given back when the work fails, and once only', async () => {
  const queue = make({ capacity: 1 })
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

test('whatever happens, no more than all places are held, no tenant has more than half, and everybody comes in', async () => {
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
        const queue = make({ capacity })
        const inside: { tenant: number; release: () => void }[] = []
        const waiting = new Set<AbortController>()
        let done = 0
        let requested = 0
        const check = () => {
          expect(inside.length).toBeLessThanOrEqual(capacity)
          for (const { tenant } of inside)
            expect(inside.filter(each => each.tenant === tenant).length).toBeLessThanOrEqual(capacity / 2)
        }
        for (const { tenant, key, act } of steps) {
          if (act === 'release') inside.shift()?.release()
          if (act === 'abort') waiting.values().next().value?.abort(new Error('gone'))
          if (act === 'acquire') {
            requested++
            const disconnected = new AbortController()
            waiting.add(disconnected)
            queue
              .acquire({ tenantId: String(tenant), keyId: String(key) }, { signal: disconnected.signal })
              .then(
                release => inside.push({ tenant, release }),
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
        while (inside.length > 0) {
          inside.shift()!.release()
          await settle()
          check()
        }
        expect(done).toBe(requested)
      },
    ),
    { numRuns: 60 },
  )
})
