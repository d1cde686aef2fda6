/** Long work in turns: other requests are served between them. */
import { setImmediate as yieldOnce } from 'node:timers/promises'

const sliceMs = 10

/** Maps a list, item by item. */
export async function mapYielding<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const mapped: R[] = []
  let turnEndsMs = performance.now() + sliceMs
  for (const [index, item] of items.entries()) {
    if (performance.now() >= turnEndsMs) {
      await yieldOnce()
      turnEndsMs = performance.now() + sliceMs
    }
    mapped.push(map(item, index))
  }
  return mapped
}

/** Waits until nobody else of its kind has had this turn of the event loop. */
export type YieldToEventLoop = () => Promise<void>

/**
 * What comes in crowds takes turns: one in each turn of the event loop, and whatever else has come in meanwhile is worked on in
 * between. A hundred at once would otherwise keep everybody waiting for as long as all of them take.
 */
export function createYielder(): YieldToEventLoop {
  const waiting: (() => void)[] = []
  let isBusy = false
  const runNext = () => {
    const next = waiting.shift()
    if (next) {
      next()
      setImmediate(runNext)
    } else isBusy = false
  }
  return () => {
    if (isBusy) return new Promise(resolve => waiting.push(resolve))
    isBusy = true
    setImmediate(runNext)
    return Promise.resolve()
  }
}
