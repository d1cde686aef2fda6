/** Waits for the end of an extraction with long polling. */
import { AldabaError } from './error.ts'
import { sleep } from './request.ts'
import type { Extraction } from './types.generated.ts'

export interface WaitOptions {
  /** Called with each received state, including the last. */
  onProgress?: (extraction: Extraction) => void
  /** Timeout of the whole wait in milliseconds; without it the wait ends with the extraction. */
  timeoutMs?: number
  /**
   * Interval of short polling in milliseconds, instead of long polling: for progress at your own pace, or behind a
   * proxy that cuts off long requests. With many waiting clients, 5 to 10 seconds are recommended.
   */
  pollMs?: number
  signal?: AbortSignal
}

/** Duration of a long poll: short enough for proxies, and for regular progress. */
const longPollSeconds = 10
/** Minimum interval of long polls that return early, as from a server that is stopping. */
const pauseMs = 1000

/** Fetches the extraction; the reply comes when it has ended, or after `waitSeconds`. */
type FetchExtraction = (waitSeconds: number, signal: AbortSignal | undefined) => Promise<Extraction>

/**
 * Resolves with the extraction at COMPLETED, FAILED or CANCELLED. Throws AldabaError WAIT_TIMEOUT after `timeoutMs`.
 */
export async function waitForExtraction(
  fetchExtraction: FetchExtraction,
  { onProgress, timeoutMs, pollMs, signal }: WaitOptions,
): Promise<Extraction> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, timeout].filter(each => each !== undefined)
  const combinedSignal = signals.length > 0 ? AbortSignal.any(signals) : undefined
  try {
    // The first request returns the current state at once.
    for (let waitSeconds = 0; ; waitSeconds = pollMs === undefined ? longPollSeconds : 0) {
      const requestedAtMs = performance.now()
      const extraction = await fetchExtraction(waitSeconds, combinedSignal)
      onProgress?.(extraction)
      if (extraction.status !== 'QUEUED' && extraction.status !== 'RUNNING') return extraction
      const pauseLeftMs = waitSeconds > 0 ? Math.max(0, pauseMs - (performance.now() - requestedAtMs)) : 0
      await sleep(pollMs ?? pauseLeftMs, combinedSignal)
    }
  } catch (cause) {
    if (!timeout?.aborted || cause !== timeout.reason) throw cause
    throw new AldabaError('WAIT_TIMEOUT', `The extraction has not ended within ${timeoutMs} ms.`, { cause })
  }
}
