/** Long work yields to the event loop, and concurrent callers run one per iteration. */
import { setImmediate as nextLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createYielder, mapYielding } from './yielding.ts'

test('mapYielding keeps the order, and timers run meanwhile', async () => {
  let isDone = false
  let wasServedMeanwhile = false
  setTimeout(() => {
    wasServedMeanwhile = !isDone
  }, 1)
  const slow = (item: number, index: number) => {
    const endsMs = performance.now() + 5
    while (performance.now() < endsMs);
    return [item, index]
  }
  const mapped = await mapYielding([7, 8, 9, 10, 11, 12, 13], slow)
  isDone = true
  expect(mapped).toEqual([7, 8, 9, 10, 11, 12, 13].map(slow))
  expect(wasServedMeanwhile).toBe(true)
})

describe('createYielder', () => {
  test('lets the first caller run at once, and each other caller in an iteration of its own', async () => {
    const yieldOnce = createYielder()
    let loops = 0
    const counting = (async () => {
      for (; loops < 10; loops++) await nextLoop()
    })()
    const iterations = await Promise.all(Array.from({ length: 5 }, () => yieldOnce().then(() => loops)))
    await counting
    expect(iterations[0]).toBe(0)
    expect(new Set(iterations).size).toBe(5)
    expect(iterations).toEqual(iterations.toSorted((a, b) => a - b))
  })

  test('does not delay a caller once the earlier ones have run', async () => {
    const yieldOnce = createYielder()
    await yieldOnce()
    await nextLoop()
    await nextLoop()
    let hasRun = false
    void yieldOnce().then(() => {
      hasRun = true
    })
    await Promise.resolve()
    expect(hasRun).toBe(true)
  })
})
