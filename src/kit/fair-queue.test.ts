/** Places that tenants share: fair, bounded, and given back. */
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bothQueues, createFairQueue, type FairQueueOptions, type Who } from './fair-queue.ts'
import type { Problem } from './problem.ts'

const make = (options: Partial<FairQueueOptions> = {}) =>
  createFairQueue({
    of: 'exports',
    places: 4,
    waitingMax: { all: 100, tenant: 50, key: 50 },
    waitMaxMs: 60_000,
    retryAfterSeconds: 3,
    ...options,
  })

const a: Who = { tenantId: 'a', keyId: 'a1' }
const b: Who = { tenantId: 'b', keyId: 'b1' }

/** Enters, and remembers in which order who came in. */
function visits(queue: ReturnType<typeof make>) {
  const entered: string[] = []
  const leaves: (() => void)[] = []
  return {
    entered,
    leaves,
    enter(who: Who, name = who.tenantId) {
      const visit = queue.enter(who).then(leave => {
        entered.push(name)
        leaves.push(leave)
      })
      // Some wait until their time is over, long after their test.
      visit.catch(() => {})
      return visit
    },
  }
}
const settle = () => new Promise(resolve => setImmediate(resolve))
const refusalOf = (entered: Promise<unknown>) =>
  entered.then(
    () => null,
    ({ code, message, headers }: Problem) => ({ code, message, headers }),
  )

test('a tenant alone has half of the places, so that the next one finds one free', async () => {
  const queue = make()
  const { enter, entered } = visits(queue)
  for (let n = 0; n < 10; n++) void enter(a)
  await settle()
  expect(entered).toEqual(['a', 'a'])
  await enter(b)
  expect(entered).toEqual(['a', 'a', 'b'])
})

test('where so many places are kept free, a tenant has all others, and tenants share them', async () => {
  const queue = make({ places: 7, keptFree: 1 })
  const { enter, entered, leaves } = visits(queue)
  for (let n = 0; n < 10; n++) void enter(a)
  await settle()
  expect(entered).toEqual(Array(6).fill('a'))
  await enter(b)
  // Two of them: three each, so that another has to end first.
  void enter(b)
  for (const leave of leaves.slice(0, 4)) leave()
  await settle()
  expect(entered.filter(tenantId => tenantId === 'b')).toHaveLength(2)
  expect(entered.filter(tenantId => tenantId === 'a')).toHaveLength(7)
})

test('where places are kept for newcomers, tenants that hold some have all others between them', async () => {
  const queue = make({ places: 4, keptForNewcomers: 1 })
  const { enter, entered, leaves } = visits(queue)
  for (let n = 0; n < 10; n++) void enter(a)
  await settle()
  expect(entered).toEqual(['a', 'a', 'a'])
  void enter(b)
  void enter(b)
  await settle()
  expect(entered).toEqual(['a', 'a', 'a', 'b'])
  leaves[0]!()
  await settle()
  // The place is kept again.
  expect(entered).toHaveLength(4)
  await enter({ tenantId: 'c' })
})

test('of two queues whoever is refused by the second gives back the place in the first', async () => {
  const first = make()
  const second = make({ places: 1, waitingMax: { all: 0, tenant: 0, key: 0 } })
  const both = bothQueues(first, second)
  const leave = await both.enter(a)
  for (let n = 0; n < 5; n++) expect(await refusalOf(both.enter(b))).toMatchObject({ code: 'UNAVAILABLE' })
  leave()
  leave()
  const { enter, entered } = visits(both)
  void enter(b)
  await settle()
  expect(entered).toEqual(['b'])
})

test('a tenant holds fewer places while others have been there lately, and as many as before after a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = make({ places: 12, tenantMax: 5, tenantAmongOthersMax: 3 })
  const { enter, entered, leaves } = visits(queue)
  for (let n = 0; n < 9; n++) void enter(a)
  await settle()
  expect(entered).toHaveLength(5)
  await enter({ tenantId: 'nobody', isNobody: true })
  leaves.pop()!()
  entered.pop()
  await enter(b)
  // Those that it holds are not taken away, and only three are granted anew.
  for (const leave of leaves.splice(0, 5)) leave()
  await settle()
  expect(entered).toHaveLength(6 + 3)
  vi.advanceTimersByTime(10_000)
  for (const leave of leaves.splice(0)) leave()
  await settle()
  expect(entered.filter(name => name === 'a')).toHaveLength(9)
  for (let n = 0; n < 9; n++) void enter(a)
  await settle()
  expect(entered.filter(name => name === 'a')).toHaveLength(9 + 4)
})

test('tenants that wait are served in turn, and the keys of a tenant too', async () => {
  const queue = make({ places: 1 })
  const { enter, entered, leaves } = visits(queue)
  await enter(a, 'first')
  for (let n = 0; n < 3; n++) void enter(a, 'a1')
  void enter({ tenantId: 'a', keyId: 'a2' }, 'a2')
  for (let n = 0; n < 2; n++) void enter(b, 'b1')
  for (let n = 0; n < 7; n++) {
    leaves[n]!()
    await settle()
  }
  expect(entered).toEqual(['first', 'b1', 'a2', 'b1', 'a1', 'a1', 'a1'])
})

test('more than may wait are refused: 429 to whom it is the own doing, 503 to others', async () => {
  const queue = make({ places: 2, waitingMax: { all: 3, tenant: 2, key: 1 } })
  const { enter } = visits(queue)
  const a2 = { tenantId: 'a', keyId: 'a2' }
  await enter(a)
  void enter(a)
  expect(await refusalOf(queue.enter(a))).toEqual({
    code: 'TOO_MANY_CONCURRENT_REQUESTS',
    message: 'This key has 2 exports under way already. Wait until some have ended, then try again.',
    headers: { 'Retry-After': '3' },
  })
  void enter(a2)
  expect(await refusalOf(queue.enter(a2))).toMatchObject({
    code: 'TOO_MANY_CONCURRENT_REQUESTS',
    message: expect.stringContaining('The keys of this environment have 3 exports'),
  })
  await enter(b)
  void enter({ tenantId: 'c' })
  expect(await refusalOf(queue.enter({ tenantId: 'd' }))).toEqual({
    code: 'UNAVAILABLE',
    message: 'Too many exports are under way. Try again in 3 s.',
    headers: { 'Retry-After': '3' },
  })
})

test('who has waited for long is refused, and who is patient is not', async () => {
  const queue = make({ places: 1, waitMaxMs: 1, waitingMax: { all: 1, tenant: 1, key: 1 } })
  const leave = await queue.enter(a)
  const patient = [queue.enter(b, { isPatient: true }), queue.enter(b, { isPatient: true })]
  await expect(queue.enter(a)).rejects.toMatchObject({ code: 'TOO_MANY_CONCURRENT_REQUESTS' })
  leave()
  const next = await patient[0]!
  const late = queue.enter(a)
  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  next()
  await patient[1]
})

test('a cap for each tenant and each key holds however many places there are', async () => {
  const queue = make({ places: 100, tenantMax: 3, keyMax: 2, waitingMax: { all: 0, tenant: 0, key: 0 } })
  const answers: (string | null)[] = []
  for (const keyId of ['a1', 'a1', 'a1', 'a2', 'a2']) {
    const entered = queue.enter({ tenantId: 'a', keyId })
    answers.push((await refusalOf(entered))?.code ?? null)
  }
  expect(answers).toEqual([null, null, 'TOO_MANY_CONCURRENT_REQUESTS', null, 'TOO_MANY_CONCURRENT_REQUESTS'])
})

test('who goes away while waiting is passed over, and one who is gone does not wait', async () => {
  const queue = make({ places: 1 })
  const gone = new AbortController()
  const leave = await queue.enter(a)
  const waiting = queue.enter(a, { signal: gone.signal })
  const next = queue.enter(b)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(queue.enter(a, { signal: gone.signal })).rejects.toThrow('gone')
  leave()
  await expect(next).resolves.toBeTypeOf('function')
})

test('a place is given back when the work fails, and once only', async () => {
  const queue = make({ places: 1 })
  const fail = () => Promise.reject(new Error('no'))
  await expect(queue.run(a, fail)).rejects.toThrow('no')
  const leave = await queue.enter(a)
  leave()
  const held = await queue.enter(a)
  leave()
  let isIn = false
  const waiting = queue.enter(b).then(() => {
    isIn = true
  })
  await settle()
  expect(isIn).toBe(false)
  held()
  await waiting
})

test('whatever happens, no more than all places are held, no tenant has more than half, and everybody comes in', async () => {
  const step = fc.record({
    tenant: fc.integer({ min: 0, max: 3 }),
    key: fc.integer({ min: 0, max: 1 }),
    act: fc.constantFrom('enter', 'leave', 'abort'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }),
      fc.array(step, { maxLength: 60 }),
      async (places, steps) => {
        const queue = make({ places })
        const inside: { tenant: number; leave: () => void }[] = []
        const waiting = new Set<AbortController>()
        let done = 0
        let wanted = 0
        const check = () => {
          expect(inside.length).toBeLessThanOrEqual(places)
          for (const { tenant } of inside)
            expect(inside.filter(each => each.tenant === tenant).length).toBeLessThanOrEqual(places / 2)
        }
        for (const { tenant, key, act } of steps) {
          if (act === 'leave') inside.shift()?.leave()
          if (act === 'abort') waiting.values().next().value?.abort(new Error('gone'))
          if (act === 'enter') {
            wanted++
            const gone = new AbortController()
            waiting.add(gone)
            queue
              .enter({ tenantId: String(tenant), keyId: String(key) }, { signal: gone.signal })
              .then(
                leave => inside.push({ tenant, leave }),
                () => {},
              )
              .finally(() => {
                waiting.delete(gone)
                done++
              })
          }
          await settle()
          check()
        }
        while (inside.length > 0) {
          inside.shift()!.leave()
          await settle()
          check()
        }
        expect(done).toBe(wanted)
      },
    ),
    { numRuns: 60 },
  )
})
