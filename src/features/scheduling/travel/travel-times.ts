/**
 * Looks up the driving times that listings and bookings need, before their transactions, which only read what is stored here. So a
 * booking counts as the listing a moment before, whatever has become of the router meanwhile.
 */
import { type Drive, toDriveKey } from '../../../domain/slots/travel.ts'
import { batchCallsByKey } from '../../../kit/batch-calls.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { Log } from '../../../kit/log.ts'
import { type Router, RouterFailure } from '../../../plugins/router.ts'
import { findMissingDrives, storeDrives } from './queries.ts'

export interface TravelTimes {
  /**
   * Stores the driving times that are missing. Without a router, or if it fails, the ways are estimated; it never throws because of
   * the router.
   */
  prepare(database: Database, scope: { tenantId: string }, request: TravelRequest): Promise<void>
}

export interface TravelRequest {
  /**
   * `offer`: slots are listed. `booking`: one of them is booked or held, so times that have expired since they were listed still count.
   */
  purpose: 'offer' | 'booking'
  /** Finds the drives in a read-only transaction. */
  find(tx: Tx): Promise<Drive[]>
}

export interface TravelDependencies {
  travelTimes: TravelTimes
}

/** Roads hardly change. */
const keptMs = 30 * 86_400_000
/** Then the router is tried again. Meanwhile listings and bookings agree on the estimate. */
const estimatedMs = 15 * 60_000
/** As long as visitors may take from the calendar to the booking. */
const bookingMs = 30 * 60_000
/** The most drives of one lookup: the rest is estimated. */
const drivesMax = 2_000
const lookupMs = 3_000
/** After a failure, nobody waits for the router for that long. */
const pauseMs = 30_000

interface Lookup {
  database: Database
  drives: Drive[]
}

/** `router` null: none is configured. */
export function createTravelTimes(router: Router | null, log: Pick<Log, 'warn'>): TravelTimes {
  if (router === null) return { prepare: async () => {} }
  const fetchDurations = pauseAfterFailure(router, log)

  const lookUp = async (database: Database, tenantId: string, drives: Drive[]): Promise<void> => {
    const missing = await database.readTenant({ tenantId }, tx => findMissingDrives(tx, drives, 0))
    if (missing.length === 0) return
    const durations = await fetchDurations(missing.slice(0, drivesMax))
    await database.withTenant({ tenantId }, tx => {
      const nowMs = getNow(tx).getTime()
      const found = missing.map((drive, index) => {
        const durationSeconds = durations?.[index] ?? null
        const lifetimeMs = durationSeconds === null ? estimatedMs : keptMs
        return { ...drive, durationSeconds, expiresAt: new Date(nowMs + lifetimeMs) }
      })
      return storeDrives(tx, found)
    })
  }
  /** Several requests of a tenant need the same drives. */
  const shareLookup = batchCallsByKey<Lookup, null>(
    async (tenantId, lookups) => {
      const drives = uniqueDrives(lookups.flatMap(lookup => lookup.drives))
      await lookUp(lookups[0]!.database, tenantId, drives)
      return lookups.map(() => null)
    },
    { size: 20, waitingMax: Number.POSITIVE_INFINITY },
  )

  return {
    async prepare(database, scope, { purpose, find }) {
      const drives = await database.readTenant(scope, async tx =>
        findMissingDrives(tx, await find(tx), purpose === 'offer' ? 0 : bookingMs),
      )
      if (drives.length > 0) await shareLookup(scope.tenantId, { database, drives })
    },
  }
}

const uniqueDrives = (drives: Drive[]): Drive[] => [
  ...new Map(drives.map(drive => [toDriveKey(drive), drive])).values(),
]

/** Null: the router has failed. After a failure it is tried by one lookup at a time, and only after a pause. */
function pauseAfterFailure(
  router: Router,
  log: Pick<Log, 'warn'>,
): (drives: Drive[]) => Promise<(number | null)[] | null> {
  let hasFailed = false
  let pausedUntilMs = 0
  return async drives => {
    if (performance.now() < pausedUntilMs) return null
    // The others do not wait for this attempt.
    if (hasFailed) pausedUntilMs = performance.now() + pauseMs
    const signal = AbortSignal.timeout(lookupMs)
    try {
      const durations = await router.fetchDurations(drives, signal)
      hasFailed = false
      pausedUntilMs = 0
      return durations
    } catch (err) {
      if (!(err instanceof RouterFailure) && !signal.aborted) throw err
      hasFailed = true
      pausedUntilMs = performance.now() + pauseMs
      log.warn({ err }, 'the router cannot be used: travel times are estimated')
      return null
    }
  }
}
