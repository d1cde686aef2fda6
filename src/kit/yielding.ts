/** Splits long synchronous work into slices, so that the event loop serves other requests in between. */
import { setImmediate as yieldOnce } from 'node:timers/promises'

const sliceMs = 10

/** Maps a list item by item, and yields to the event loop every 10 ms. */
export async function mapYielding<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const mapped: R[] = []
  let sliceEndsMs = performance.now() + sliceMs
  for (const [index, item] of items.entries()) {
    if (performance.now() >= sliceEndsMs) {
      await yieldOnce()
      sliceEndsMs = performance.now() + sliceMs
    }
    mapped.push(map(item, index))
  }
  return mapped
}

/** Resolves each call in a separate iteration of the event loop. */
export type YieldToEventLoop = () => Promise<void>

/**
 * Creates a yielder. It lets one caller run in each iteration of the event loop, so that other events are handled in
 * between. Without it, a hundred concurrent requests would block the event loop until all of them are done.
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
