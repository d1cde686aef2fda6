/** Waits inside a job. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RequeueJob } from './job.ts'

/** Waits `ms`. Throws RequeueJob if the process stops meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new RequeueJob()
  if (ms <= 0) return
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new RequeueJob()
  })
}
