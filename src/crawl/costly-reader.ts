/** Readers that took long for a short page: threads do their work for a while, for the next page will be no better. */
import { machineNow } from '../kit/clock/clock.ts'

/** Of the processor: many pages come at once, and each of them makes all others wait. */
const costlyMs = 20
/** One page may be read just when a program warms up, or its garbage is collected. */
const timesMax = 2
const forMs = 60_000

const seen = new WeakMap<object, { times: number; untilMs: number }>()

/** Reads a page in place with `reader`, which is what a definition has for a kind of pages. */
export function readInPlace<T>(reader: object, read: () => T): T {
  const before = process.threadCpuUsage()
  const reading = read()
  const { user, system } = process.threadCpuUsage(before)
  if (user + system > costlyMs * 1000) {
    const times = (isFresh(reader) ? seen.get(reader)!.times : 0) + 1
    seen.set(reader, { times, untilMs: machineNow() + forMs })
  }
  return reading
}

/** Whether its pages are better read by a thread. */
export function isCostly(reader: object | null): boolean {
  return reader !== null && isFresh(reader) && seen.get(reader)!.times >= timesMax
}

function isFresh(reader: object): boolean {
  return (seen.get(reader)?.untilMs ?? 0) > machineNow()
}
