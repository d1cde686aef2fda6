/** What waits for the time of an environment, and how a clock that is moved makes it happen: in order, and before it answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../db/index.ts'
import { getNow, setClock } from './clock.ts'

/** Something that happens when its time has come. */
export interface ScheduledTask {
  /**
   * When the first of it is due that is not done; a time in the past until it is done. Null: nothing waits. What is due after
   * `before` may be left out: the clock stops earlier, and asks again.
   */
  nextAt(database: Database, tenantId: string, before: Date): Promise<Date | null>
  /** Begins what is due. Left out where what happens notices by itself that the clock was moved. */
  start?(database: Database, tenantId: string): Promise<unknown>
}

/** A wait that a query answers. */
export const scheduledQuery = (nextAt: (tx: Tx, before: Date) => Promise<Date | null>): ScheduledTask => ({
  nextAt: (database, tenantId, before) => database.readTenant({ tenantId }, tx => nextAt(tx, before)),
})

/** So soon it is looked whether what is due is done, and then after longer and longer pauses. */
const pollFirstMs = 10
const pollMaxMs = 500
/** What is due for so long is begun again: something else may have come due while it was done. */
const restartAfterMs = 1000

export interface AdvanceOptions {
  tenantId: string
  to: Date
  /** For all of it, in milliseconds; what is not done then goes on by itself. */
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Moves an environment's clock from one due time to the next, until it is `to`, and waits each time until all that is due is done.
 * Returns the time that it has come to, and whether everything is done. Moves at the same time go the same way.
 */
export async function advanceClock(
  database: Database,
  tasks: ScheduledTask[],
  { tenantId, to, timeoutMs, signal }: AdvanceOptions,
): Promise<{ now: Date; isSettled: boolean }> {
  const deadlineMs = performance.now() + timeoutMs
  const isExpired = () => signal.aborted || performance.now() > deadlineMs
  for (;;) {
    const now = await readNow(database, tenantId)
    const due: ScheduledTask[] = []
    let next = to > now ? to : now
    for (const wait of tasks) {
      const at = await wait.nextAt(database, tenantId, next)
      if (at && at <= now) due.push(wait)
      if (at && at < next) next = at
    }
    if (due.length === 0 && now >= to) return { now, isSettled: true }
    for (const wait of due) await waitUntilDone(wait, { database, tenantId, isExpired })
    if (isExpired()) return { now: await readNow(database, tenantId), isSettled: false }
    if (due.length > 0) continue
    await database.withTenant({ tenantId }, tx => setClock(tx, next))
  }
}

const readNow = (database: Database, tenantId: string) =>
  database.readTenant({ tenantId }, async tx => getNow(tx))

async function waitUntilDone(
  wait: ScheduledTask,
  { database, tenantId, isExpired }: { database: Database; tenantId: string; isExpired: () => boolean },
): Promise<void> {
  const until = await readNow(database, tenantId)
  let startedMs = -Infinity
  for (let pauseMs = pollFirstMs; !isExpired(); pauseMs = Math.min(pauseMs * 1.5, pollMaxMs)) {
    if (performance.now() > startedMs + restartAfterMs) {
      startedMs = performance.now()
      await wait.start?.(database, tenantId)
    }
    await sleep(pauseMs)
    const next = await wait.nextAt(database, tenantId, until)
    if (!next || next > until) return
  }
}

/** Null: there is none. */
export function findEarliest(times: (Date | null)[]): Date | null {
  const known = times.filter(time => time !== null).map(Number)
  return known.length === 0 ? null : new Date(Math.min(...known))
}
