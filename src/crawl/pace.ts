/** One pace towards each portal, kept by all worker processes together: rate, requests at once, and rest when asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../kit/db/index.ts'
import { newId } from '../kit/id.ts'
import { HandBack } from '../kit/jobs/job.ts'
import type { PortalDefinition } from '../plugins/portal.ts'
import { CrawlFailure } from './failure.ts'
import type { OpenPortal } from './open-portal.ts'

export interface Pace {
  /** Waits for a free turn and takes it, runs `ask`, gives the turn back. Throws HandBack if the wait is a long one, CrawlFailure if it is too long. */
  inTurn<T>(ask: () => Promise<T>): Promise<T>
  /** The portal asks for rest: from now on every process reads it half as fast, and not at all for `waitMs`. */
  slowDown(waitMs: number): Promise<void>
}

export interface PaceOptions {
  database: Database
  /** Which portal: the origin of its address. */
  origin: string
  politeness: PortalDefinition['politeness']
  /** Milliseconds between two requests at least, whatever the definition says. */
  intervalMinMs: number
  /** How long one request may take: after that a turn that was not given back lapses. */
  requestMaxMs: number
  signal: AbortSignal
  /** Whoever is asked to stay away until later than this gives up. Milliseconds since 1970. */
  giveUpAtMs?: number
}

/** Longer waits are not sat out: the job goes back to the queue and comes again then. */
export const waitMaxMs = 60_000
export const hourMs = 3_600_000
const slowFactorMax = 64
/** Several requests that were under way are refused at one moment: that is asking for rest once. */
const slowAgainSeconds = 5

/** The pace of a portal that is nobody's: it is read as fast as it answers. */
export const unpaced: Pace = { inTurn: ask => ask(), slowDown: async () => {} }
/** Measured: more requests at once than these gain nothing, and with six it is a sixth slower. */
export const unpacedConcurrency = 32

/** How many requests may be under way in one run. */
export function concurrencyOf({ isLocal, definition }: OpenPortal): number {
  return isLocal ? unpacedConcurrency : definition.politeness.concurrency
}

/** The pace of a portal, held in the database. */
export function keepPace({
  database,
  origin,
  politeness,
  intervalMinMs,
  requestMaxMs,
  signal,
  giveUpAtMs = Number.POSITIVE_INFINITY,
}: PaceOptions): Pace {
  const intervalMs = Math.max(1000 / politeness.requestsPerSecond, intervalMinMs)
  // Between any two requests it is as long: who came back then would only find it as long again.
  const patienceMs = Math.max(waitMaxMs, intervalMs)
  const take = async (turn: string): Promise<void> => {
    for (;;) {
      const { rows } = await sql<{ granted: boolean; waitMs: number }>`
        select granted, wait_ms as "waitMs" from take_portal_turn(${origin}, ${turn}, ${intervalMs}, ${politeness.concurrency},
          ${politeness.requestsPerHour ?? null}::int, ${requestMaxMs}::int)`.execute(database.outside)
      const { granted, waitMs } = rows[0]!
      if (waitMs > patienceMs) throw tooLong(Date.now() + waitMs)
      await pause(waitMs, signal)
      if (granted) return
    }
  }
  // A quota by the hour makes nobody wait for longer than one: such a wait ends by itself, whenever it began.
  const tooLong = (untilMs: number) =>
    untilMs > Math.max(giveUpAtMs, Date.now() + hourMs)
      ? new CrawlFailure(
          'PORTAL_UNAVAILABLE',
          `The portal asks us to stay away until ${new Date(untilMs).toISOString()}.`,
        )
      : new HandBack({ runAt: new Date(untilMs) })
  const release = (turn: string) =>
    sql`delete from portal_turns where origin = ${origin} and id = ${turn}`.execute(database.outside)
  return {
    async inTurn(ask) {
      const turn = newId()
      try {
        await take(turn)
        return await ask()
      } finally {
        await release(turn)
      }
    },
    async slowDown(askedMs) {
      // Who gives up before that must not bind the others to it.
      const waitMs = Math.min(askedMs, Math.max(0, giveUpAtMs - Date.now()))
      await sql`
        insert into portal_pace as p (origin, next_at, slow_factor, slowed_at)
        values (${origin}, clock_timestamp() + make_interval(secs => ${waitMs / 1000}), 2, clock_timestamp())
        on conflict (origin) do update set next_at = greatest(p.next_at, excluded.next_at),
          (slow_factor, slowed_at) = (
            select case when is_again then p.slow_factor else least(${slowFactorMax}, 2 * slowness(p.slow_factor, p.slowed_at)) end,
              case when is_again then p.slowed_at else clock_timestamp() end
            from (select coalesce(p.slowed_at > clock_timestamp() - make_interval(secs => ${slowAgainSeconds}), false)) as a (is_again))`.execute(
        database.outside,
      )
    },
  }
}

/** Waits, unless the process is stopping: then the job is handed back. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new HandBack()
  if (ms <= 0) return
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new HandBack()
  })
}

/** Stores when the portal at this origin was read well for the last time, or, with a `failureCode`, when not and why. */
export async function notePortalHealth(
  database: Database,
  origin: string,
  failureCode: string | null,
): Promise<void> {
  await sql`
    insert into portal_pace as p (origin, next_at, succeeded_at, failed_at, failure_code)
    values (${origin}, clock_timestamp(), case when ${failureCode}::text is null then now() end,
      case when ${failureCode}::text is not null then now() end, ${failureCode}::text)
    on conflict (origin) do update set succeeded_at = coalesce(excluded.succeeded_at, p.succeeded_at),
      failed_at = coalesce(excluded.failed_at, p.failed_at), failure_code = coalesce(excluded.failure_code, p.failure_code)`.execute(
    database.outside,
  )
}
