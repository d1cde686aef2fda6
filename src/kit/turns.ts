/** Long work in turns: other requests are served between them. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 10

/** Maps a list, item by item. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const mapped: R[] = []
  let turnEndsMs = performance.now() + turnMs
  for (const [index, item] of items.entries()) {
    if (performance.now() >= turnEndsMs) {
      await nextTurn()
      turnEndsMs = performance.now() + turnMs
    }
    mapped.push(map(item, index))
  }
  return mapped
}

/** Waits until nobody else of its kind has had this turn of the event loop. */
export type NextTurn = () => Promise<void>

/**
 * What comes in crowds takes turns: one in each turn of the event loop, and whatever else has come in meanwhile is worked on in
 * between. A hundred at once would otherwise keep everybody waiting for as long as all of them take.
 */
export function createTurns(): NextTurn {
  const waiting: (() => void)[] = []
  let isTaken = false
  const pass = () => {
    const next = waiting.shift()
    if (next) {
      next()
      setImmediate(pass)
    } else isTaken = false
  }
  return () => {
    if (isTaken) return new Promise(resolve => waiting.push(resolve))
    isTaken = true
    setImmediate(pass)
    return Promise.resolve()
  }
}
