/** Keeps a runner of a worker pool running: starts another one if it ends by itself, until the queue stops. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

export interface Runner {
  /** Settles when it has ended, by itself or stopped. */
  ended: Promise<unknown>
  stop(): Promise<void>
  /** Releases what it held, after it has ended by itself. */
  release(): void
}

export interface KeptRunner<R extends Runner> {
  /** Null while another one starts. */
  current(): R | null
  /** Call it after aborting the signal. */
  stop(): Promise<void>
}

/** Throws if the first runner can't be started. */
export async function keepRunning<R extends Runner>({
  start,
  restartDelayMs,
  signal,
  log,
}: {
  start(): Promise<R>
  restartDelayMs: number
  /** Aborted when the queue is to stop. */
  signal: AbortSignal
  log: Log
}): Promise<KeptRunner<R>> {
  let current: R | null = await start()
  const supervise = async (): Promise<void> => {
    while (current && !signal.aborted) {
      const cause = await current.ended.catch((error: unknown) => error)
      if (signal.aborted) return
      log.error({ err: cause }, 'the queue stopped by itself; starting it again')
      current.release()
      current = null
      while (!current && !signal.aborted) {
        await sleep(restartDelayMs, undefined, { signal }).catch(() => {})
        if (!signal.aborted)
          current = await start().catch(error => {
            log.error({ err: error }, 'the queue could not be started; trying again')
            return null
          })
      }
    }
  }
  const supervising = supervise()
  const stopCurrent = async () => {
    if (!current) return
    // It can't be stopped if it has ended by itself.
    await current.stop().catch(error => {
      log.error({ err: error }, 'the queue could not be stopped')
      current?.release()
    })
    current = null
  }
  return {
    current: () => current,
    async stop() {
      await stopCurrent()
      await supervising
      // One whose start was under way.
      await stopCurrent()
    },
  }
}
