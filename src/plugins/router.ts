/** The contract of routers, which know how long it takes to drive from one place to another. */
import type { Drive } from '../domain/slots/travel.ts'

export interface Router {
  /**
   * The driving times in seconds, in the order of the drives; null: it knows none. Throws RouterFailure if it does not work, or the
   * reason of the signal.
   */
  fetchDurations(drives: readonly Drive[], signal: AbortSignal): Promise<(number | null)[]>
}

/** The router can't be used. The message contains no place. */
export class RouterFailure extends Error {}
