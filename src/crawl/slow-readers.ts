/** Detects readers that are slow on short pages. For a while their pages are read on threads. */
import { machineNow } from '../kit/clock/clock.ts'

/** The CPU time of a slow read. Many pages arrive at once, and each slow one blocks all others. */
const slowMs = 20
/** One page may be slow because of warm-up or garbage collection, so a reader counts as slow after two. */
const slowPagesMax = 2
const penaltyMs = 60_000

const slowReaders = new WeakMap<object, { slowCount: number; expiresAtMs: number }>()

/** Reads a page on the main thread and measures it. `reader` is the definition's object for this kind of page. */
export function readInline<T>(reader: object, read: () => T): T {
  const before = process.threadCpuUsage()
  const reading = read()
  const { user, system } = process.threadCpuUsage(before)
  if (user + system > slowMs * 1000) {
    const slowCount = (isPenalized(reader) ? slowReaders.get(reader)!.slowCount : 0) + 1
    slowReaders.set(reader, { slowCount, expiresAtMs: machineNow() + penaltyMs })
  }
  return reading
}

/** True if pages of this reader should be read on a thread. */
export function isSlow(reader: object | null): boolean {
  return reader !== null && isPenalized(reader) && slowReaders.get(reader)!.slowCount >= slowPagesMax
}

function isPenalized(reader: object): boolean {
  return (slowReaders.get(reader)?.expiresAtMs ?? 0) > machineNow()
}
