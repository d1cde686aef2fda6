/** Long work lets others in, and crowds take turns. */
import { setImmediate as nextLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createYielder, mapYielding } from './yielding.ts'

test('maps in order, and timers run meanwhile', async () => {
  let isOver = false
  let wasServedMeanwhile = false
  setTimeout(() => {
    wasServedMeanwhile = !isOver
  }, 1)
  const slow = (item: number, index: number) => {
    const endsMs = performance.now() + 5
    while (performance.now() < endsMs);
    return [item, index]
  }
  const mapped = await mapYielding([7, 8, 9, 10, 11, 12, 13], slow)
  isOver = true
  expect(mapped).toEqual([7, 8, 9, 10, 11, 12, 13].map(slow))
  expect(wasServedMeanwhile).toBe(true)
})

describe('a crowd', () => {
  test('has its first go on at once, the others one after another, each in a turn of its own', async () => {
    const yieldOnce = createYielder()
    let loops = 0
    const counting = (async () => {
      for (; loops < 10; loops++) await nextLoop()
    })()
    const turns = await Promise.all(Array.from({ length: 5 }, () => yieldOnce().then(() => loops)))
    await counting
    expect(turns[0]).toBe(0)
    expect(new Set(turns).size).toBe(5)
    expect(turns).toEqual(turns.toSorted((a, b) => a - b))
  })

  test('that has gone makes nobody wait', async () => {
    const yieldOnce = createYielder()
    await yieldOnce()
    await nextLoop()
    await nextLoop()
    let isThere = false
    void yieldOnce().then(() => {
      isThere = true
    })
    await Promise.resolve()
    expect(isThere).toBe(true)
  })
})
