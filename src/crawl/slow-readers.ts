/** Readers that took long for a short page: threads do their work for a while, for the next page will be no better. */
import { machineNow } from '../kit/clock/clock.ts'

/** Of the processor: many pages come at once, and each of them makes all others wait. */
const slowMs = 20
/** One page may be read just when a program warms up, or its garbage is collected. */
const slowPagesMax = 2
const penaltyMs = 60_000

const slowReaders = new WeakMap<object, { times: number; expiresAtMs: number }>()

/** Reads a page in place with `reader`, which is what a definition has for a kind of pages. */
export function readInline<T>(reader: object, read: () => T): T {
  const before = process.threadCpuUsage()
  const reading = read()
  const { user, system } = process.threadCpuUsage(before)
  if (user + system > slowMs * 1000) {
    const times = (isPenalized(reader) ? slowReaders.get(reader)!.times : 0) + 1
    slowReaders.set(reader, { times, expiresAtMs: machineNow() + penaltyMs })
  }
  return reading
}

/** Whether its pages are better read by a thread. */
export function isSlow(reader: object | null): boolean {
  return reader !== null && isPenalized(reader) && slowReaders.get(reader)!.times >= slowPagesMax
}

function isPenalized(reader: object): boolean {
  return (slowReaders.get(reader)?.expiresAtMs ?? 0) > machineNow()
}
