/** Tenants take turns: a few run at once, none twice at once, and waiting tenants come before repeated ones. */
import { expect, it } from 'vitest'
import { createTenantWorkQueue } from './tenant-work-queue.ts'

const setUp = (concurrency: number) => {
  const stopping = new AbortController()
  const started: string[] = []
  const ends: (() => void)[] = []
  const queue = createTenantWorkQueue<number>({
    concurrency,
    signal: stopping.signal,
    async work(tenantId, items) {
      started.push(`${tenantId} ${[...items].join(',')}`)
      await new Promise<void>(resolve => ends.push(resolve))
    },
  })
  const endFirst = async () => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { queue, started, endFirst, stopping }
}

it('serves a few tenants at once, and collects further items of a running tenant for its next turn', async () => {
  const { queue, started, endFirst } = setUp(2)
  queue.add('a', 1)
  for (const n of [2, 3, 2]) queue.add('a', n)
  queue.add('b', 4)
  queue.add('c', 5)
  expect(started).toEqual(['a 1', 'b 4'])
  await endFirst()
  expect(started.slice(2)).toEqual(['a 2,3'])
  await endFirst()
  expect(started.slice(3)).toEqual(['c 5'])
})

it('serves a repeated tenant after the waiting ones', async () => {
  const { queue, started, endFirst } = setUp(1)
  queue.add('a', 1)
  queue.add('b', 2)
  queue.add('a', 3)
  await endFirst()
  await endFirst()
  expect(started).toEqual(['a 1', 'b 2', 'a 3'])
})

it('starts no turn after the abort, and waits for running ones', async () => {
  const { queue, started, endFirst, stopping } = setUp(1)
  queue.add('a', 1)
  queue.add('b', 2)
  stopping.abort()
  let isIdle = false
  const idle = queue.idle().then(() => {
    isIdle = true
  })
  await new Promise(setImmediate)
  expect(isIdle).toBe(false)
  await endFirst()
  await idle
  expect(started).toEqual(['a 1'])
})
