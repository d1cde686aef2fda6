/** Gives memory back to the system when the process has little to do. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEveryMs = 1000
/** Share of the time in which the event loop was busy. */
const idleMax = 0.05
/** Of young objects. A few requests a second never need more. */
const youngKeptMaxBytes = 16e6

/**
 * V8 takes up to 96 MB for young objects while the process starts or works hard, and an idle process keeps them. Once the process
 * is idle, a collection that reduces memory returns them: it takes about 0.1 s, sometimes twice, until the next burst of work.
 * Returns a function that stops it.
 */
export function returnIdleMemory(): () => void {
  const collect = exposeCollector()
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization < idleMax && youngBytes() > youngKeptMaxBytes)
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** The function of `--expose-gc`, which a new context has once the flag is set. */
function exposeCollector(): Collector {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collector
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size
}
