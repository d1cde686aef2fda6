/** Waiting for an extraction: one question after another that is answered when it has ended. */
import { AldabaError } from './error.ts'
import { sleep } from './request.ts'
import type { Extraction } from './types.generated.ts'

export interface WaitOptions {
  /** Hears each state that was asked for, the last one too. */
  onProgress?: (extraction: Extraction) => void
  /** For the whole wait; without it there is no end but the extraction's own. */
  timeoutMs?: number
  /**
   * Ask so often instead, each question answered at once: for progress at your own pace, or behind a proxy that cuts off
   * long requests. The API asks for 5 to 10 seconds where many wait.
   */
  pollMs?: number
  signal?: AbortSignal
}

/** How long a question may stay open: no proxy cuts it off, and progress is heard now and again. */
const longPollSeconds = 10
/** An answer that came at once though there was none yet, as from a server that stops, is no reason to hurry. */
const pauseMs = 1000

/** Asks for the extraction; answered when it has ended, or after so many seconds. */
type FetchExtraction = (waitSeconds: number, signal: AbortSignal | undefined) => Promise<Extraction>

/** Resolves with the extraction at COMPLETED, FAILED or CANCELLED. Throws AldabaError WAIT_TIMEOUT after `timeoutMs`. */
export async function waitForExtraction(
  fetchExtraction: FetchExtraction,
  { onProgress, timeoutMs, pollMs, signal }: WaitOptions,
): Promise<Extraction> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, timeout].filter(each => each !== undefined)
  const combinedSignal = signals.length > 0 ? AbortSignal.any(signals) : undefined
  try {
    // The first answer tells where it stands.
    for (let waitSeconds = 0; ; waitSeconds = pollMs === undefined ? longPollSeconds : 0) {
      const requestedAtMs = performance.now()
      const extraction = await fetchExtraction(waitSeconds, combinedSignal)
      onProgress?.(extraction)
      if (extraction.status !== 'QUEUED' && extraction.status !== 'RUNNING') return extraction
      const restMs = waitSeconds > 0 ? Math.max(0, pauseMs - (performance.now() - requestedAtMs)) : 0
      await sleep(pollMs ?? restMs, combinedSignal)
    }
  } catch (cause) {
    if (!timeout?.aborted || cause !== timeout.reason) throw cause
    throw new AldabaError('WAIT_TIMEOUT', `The extraction has not ended within ${timeoutMs} ms.`, { cause })
  }
}
