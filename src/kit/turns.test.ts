/** Long work lets others in. */
import { expect, test } from 'vitest'
import { mapInTurns } from './turns.ts'

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
  const mapped = await mapInTurns([7, 8, 9, 10, 11, 12, 13], slow)
  isOver = true
  expect(mapped).toEqual([7, 8, 9, 10, 11, 12, 13].map(slow))
  expect(wasServedMeanwhile).toBe(true)
})
