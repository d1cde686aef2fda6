/** Faults of the simulated Bot API, by seed: the same calls fail in every run. */
import { createRandom } from '../../domain/random.ts'

/** Shares of calls, and of updates, from 0 to 1. */
export interface TelegramFaults {
  /** Refused with 429, before anything is done. */
  rateLimited?: number
  /** A gateway answers 502; half of these calls have been carried out. */
  unavailable?: number
  /** Carried out, and the connection is cut before the reply. */
  replyLost?: number
  /** Delay of every reply. */
  latencyMs?: number
  /** Posted twice. */
  repeated?: number
  /** Posted after the next one. */
  late?: number
  /** Never posted. */
  lost?: number
}

export type CallFault = 'rateLimited' | 'unavailable' | 'unavailableAfter' | 'replyLost' | null
export type UpdateFault = 'repeated' | 'late' | 'lost' | null

export function createTelegramFaults(seed: number, faults: TelegramFaults) {
  const forCalls = createRandom(seed, 1)
  const forUpdates = createRandom(seed, 2)
  const { rateLimited = 0, unavailable = 0, replyLost = 0, repeated = 0, late = 0, lost = 0 } = faults
  return {
    latencyMs: faults.latencyMs ?? 0,
    nextCall: (): CallFault =>
      choose(forCalls(), [
        ['rateLimited', rateLimited],
        ['unavailable', unavailable / 2],
        ['unavailableAfter', unavailable / 2],
        ['replyLost', replyLost],
      ]),
    nextUpdate: (): UpdateFault =>
      choose(forUpdates(), [
        ['repeated', repeated],
        ['late', late],
        ['lost', lost],
      ]),
  }
}

function choose<Kind extends string>(value: number, shares: [Kind, number][]): Kind | null {
  let end = 0
  for (const [kind, share] of shares) {
    end += share
    if (value < end) return kind
  }
  return null
}
