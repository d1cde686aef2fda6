/** Returns memory to the operating system while the process is idle. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long the process must be idle: after its start, and later. */
const startIdleMs = 1000
const laterIdleMs = 300_000
/** Share of the time in which the event loop was busy. */
const idleMax = 0.05
/** The size of V8's young generation that is left alone. A few requests a second never need more. */
const youngMaxBytes = 16e6

/**
 * Starts to check whether the process is idle, and then shrinks V8's young generation. V8 uses up to 96 MB for young
 * objects while the process starts or is busy, and does not return them by itself. A memory-reducing collection does.
 * It takes 0.1 s, sometimes twice that, and also drops compiled code; so after the first one it waits for five idle
 * minutes. Returns a function that stops the checks.
 */
export function returnIdleMemory(): () => void {
  const collect = exposeCollector()
  const check = (before: EventLoopUtilization) => {
    const now = performance.eventLoopUtilization()
    const isIdle = performance.eventLoopUtilization(now, before).utilization < idleMax
    const isLarge = readYoungBytes() > youngMaxBytes
    if (isIdle && isLarge) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    if (isIdle && !isLarge) waitMs = laterIdleMs
    timer = setTimeout(check, waitMs, now).unref()
  }
  let waitMs = startIdleMs
  let timer = setTimeout(check, waitMs, performance.eventLoopUtilization()).unref()
  return () => clearTimeout(timer)
}

type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Returns the `gc` function of `--expose-gc`. Once the flag is set, every new context has it. */
function exposeCollector(): Collector {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collector
}

function readYoungBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
}
