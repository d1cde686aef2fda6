/** Items are mapped in order, and no more at once than allowed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapConcurrently } from './map-concurrently.ts'

test('results keep the order; at most the limit is at work', async () => {
  let working = 0
  let most = 0
  const results = await mapConcurrently([30, 10, 20, 0, 5], 2, async (ms, index) => {
    most = Math.max(most, ++working)
    await sleep(ms)
    working--
    return `${index}: ${ms}`
  })
  expect(results).toEqual(['0: 30', '1: 10', '2: 20', '3: 0', '4: 5'])
  expect(most).toBe(2)
  expect(await mapConcurrently([], 2, async () => 1)).toEqual([])
})

test('after an error nothing more begins', async () => {
  const begun: number[] = []
  const work = mapConcurrently([1, 2, 3, 4], 2, async item => {
    begun.push(item)
    await sleep(1)
    if (item === 1) throw new Error('one')
    await sleep(20)
  })
  await expect(work).rejects.toThrow('one')
  await sleep(40)
  expect(begun).toEqual([1, 2])
})
