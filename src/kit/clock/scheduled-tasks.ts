/** Scheduled tasks of an environment. Advancing its clock runs them in order, and waits until they are done. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../db/index.ts'
import { getNow, getTenantNow, setClock } from './clock.ts'

/** Work that runs at a certain time. */
export interface ScheduledTask {
  /**
   * Returns when the next work is due; a time in the past while due work is not done; null if there is none. Work due
   * after `before` may be ignored, because the clock stops earlier and calls this again. All tasks read one snapshot.
   */
  findNextDueAt(tx: Tx, before: Date): Promise<Date | null>
  /** Starts the due work. Omit it if the work starts by itself when the clock changes. */
  start?(database: Database, tenantId: string): Promise<unknown>
}

/** The first and the longest pause between checks whether due work is done. */
const pollFirstMs = 10
const pollMaxMs = 500
/** Work that is still due after this time is started again: more may have become due while it ran. */
const restartAfterMs = 1000

export interface AdvanceOptions {
  tenantId: string
  to: Date
  /** For all tasks together. Work that is not done by then continues in the background. */
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Advances an environment's clock from one due time to the next, up to `to`, and waits at each until the due work is
 * done. Returns the time reached, and whether all work is done. Concurrent calls are safe.
 */
export async function advanceClock(
  database: Database,
  tasks: ScheduledTask[],
  { tenantId, to, timeoutMs, signal }: AdvanceOptions,
): Promise<{ now: Date; isSettled: boolean }> {
  const deadlineMs = performance.now() + timeoutMs
  const isExpired = () => signal.aborted || performance.now() > deadlineMs
  // What a process has received may not be stored yet during the first quiet check.
  for (let quietChecks = 0; quietChecks < 2; ) {
    const { now, found, nextAt } = await checkTasks(database, tasks, { tenantId, to })
    const isQuiet = found.every(({ dueAt }) => dueAt > now)
    const movesClock = isQuiet && now < to
    if (movesClock) await database.withTenant({ tenantId }, tx => setClock(tx, nextAt))
    // What becomes due by the move is known from the check.
    const reached = movesClock ? nextAt : now
    for (const { task, dueAt } of found)
      if (dueAt <= reached) await waitUntilDone(task, { database, tenantId, isExpired })
    if (isExpired()) return { now: await readNow(database, tenantId), isSettled: false }
    quietChecks = isQuiet && now >= to ? quietChecks + 1 : 0
  }
  return { now: await readNow(database, tenantId), isSettled: true }
}

/** Returns when the tasks next have work; `nextAt`: the earliest of these times, at most `to`. */
async function checkTasks(
  database: Database,
  tasks: ScheduledTask[],
  { tenantId, to }: Pick<AdvanceOptions, 'tenantId' | 'to'>,
): Promise<{ now: Date; found: { task: ScheduledTask; dueAt: Date }[]; nextAt: Date }> {
  // One snapshot: work that passes from one task to another during the check is seen by one of them.
  const times = await database.readSnapshot({ tenantId }, tx =>
    Promise.all(tasks.map(task => task.findNextDueAt(tx, to))),
  )
  const found = tasks.flatMap((task, n) => {
    const dueAt = times[n]
    return dueAt ? { task, dueAt } : []
  })
  const first = findEarliest(times)
  // The time is read afterwards: work that becomes due during the check is due.
  return { now: getTenantNow(database, tenantId), found, nextAt: first && first < to ? first : to }
}

const readNow = (database: Database, tenantId: string) =>
  database.readTenant({ tenantId }, async tx => getNow(tx))

async function waitUntilDone(
  task: ScheduledTask,
  { database, tenantId, isExpired }: { database: Database; tenantId: string; isExpired: () => boolean },
): Promise<void> {
  const until = await readNow(database, tenantId)
  let startedMs = -Infinity
  for (let pauseMs = pollFirstMs; !isExpired(); pauseMs = Math.min(pauseMs * 1.5, pollMaxMs)) {
    if (performance.now() > startedMs + restartAfterMs) {
      startedMs = performance.now()
      await task.start?.(database, tenantId)
    }
    await sleep(pauseMs)
    const next = await database.readSnapshot({ tenantId }, tx => task.findNextDueAt(tx, until))
    if (!next || next > until) return
  }
}

/** Returns the earliest time; null if there is none. */
export function findEarliest(times: (Date | null)[]): Date | null {
  const known = times.filter(time => time !== null).map(Number)
  return known.length === 0 ? null : new Date(Math.min(...known))
}
