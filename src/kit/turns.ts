/** Long work in turns: other requests are served between them. */
import { setImmediate } from 'node:timers/promises'

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
      await setImmediate()
      turnEndsMs = performance.now() + turnMs
    }
    mapped.push(map(item, index))
  }
  return mapped
}
