/** Measures how long some work blocks the event loop. */

/**
 * Returns the longest block in milliseconds of processor time between ticks of a 1 ms timer. Processor time excludes
 * other processes; work that yields counts per turn.
 */
export async function measureLongestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let before = process.threadCpuUsage()
  const sample = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1000)
  }
  const clock = setInterval(sample, 1)
  try {
    await work()
  } finally {
    sample()
    clearInterval(clock)
  }
  return longestMs
}

/**
 * Returns the shortest of up to three measurements, and stops at the first below `enoughMs`. Garbage
 * collection for other tests affects one of them; real blocking affects all.
 */
export async function measureShortestBlockMs(
  work: () => Promise<unknown>,
  enoughMs: number,
): Promise<number> {
  let leastMs = Infinity
  for (let attempt = 0; attempt < 3 && leastMs >= enoughMs; attempt++)
    leastMs = Math.min(leastMs, await measureLongestBlockMs(work))
  return leastMs
}
