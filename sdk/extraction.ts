/** Waiting for an extraction: asking until it has ended. */
import { AldabaError } from './error.ts'
import { sleep } from './request.ts'
import type { Extraction } from './types.generated.ts'

export interface WaitOptions {
  /** Hears each state that was asked for, the last one too. */
  onProgress?: (extraction: Extraction) => void
  /** For the whole wait; without it there is no end but the extraction's own. */
  timeoutMs?: number
  /** Between two questions; the API asks for 5 to 10 seconds where many wait. */
  pollMs?: number
  signal?: AbortSignal
}

/** Resolves with the extraction at COMPLETED, FAILED or CANCELLED. Throws AldabaError WAIT_TIMEOUT after `timeoutMs`. */
export async function waitForExtraction(
  getExtraction: (signal: AbortSignal | undefined) => Promise<Extraction>,
  { onProgress, timeoutMs, pollMs = 5000, signal }: WaitOptions,
): Promise<Extraction> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, timeout].filter(each => each !== undefined)
  const either = signals.length > 0 ? AbortSignal.any(signals) : undefined
  try {
    for (;;) {
      const extraction = await getExtraction(either)
      onProgress?.(extraction)
      if (extraction.status !== 'QUEUED' && extraction.status !== 'RUNNING') return extraction
      await sleep(pollMs, either)
    }
  } catch (cause) {
    if (!timeout?.aborted || cause !== timeout.reason) throw cause
    throw new AldabaError('WAIT_TIMEOUT', `The extraction has not ended within ${timeoutMs} ms.`, { cause })
  }
}
