/** Chooses among the templates of a step that are compared. */
import { createRandom } from '../random.ts'
import { toNumber } from './plan-sends.ts'

/** Another stream than that of the gaps. */
const stream = 1

/** The index of one of `count` variants. The same recipient always gets the same one. */
export function chooseVariant(
  { seed, recipientId, step }: { seed: number; recipientId: string; step: number },
  count: number,
): number {
  if (count === 1) return 0
  return Math.floor(createRandom(seed, toNumber(recipientId), step, stream)() * count)
}
