/** How long others wait for this thread while something is done. */

/**
 * The most processor time between two looks at a clock that ticks each millisecond: what else the machine does does not count,
 * and work that lets others in counts turn by turn.
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
 * The least of up to three such times, the first that is below `enoughMs`: a collection of the garbage that other tests left falls into
 * one of them, and what stops the process does so each time.
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
