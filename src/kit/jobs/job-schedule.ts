/** Schedules jobs that have work from a known time on. Test environments use it when their clock is moved. */
import { parseCronItem } from 'graphile-worker'
import type { ScheduledTask } from '../clock/scheduled-tasks.ts'
import type { Tx } from '../db/index.ts'
import { enqueue } from './enqueue.ts'
import type { JobDefinition } from './job.ts'

/**
 * Schedules a job for the clock. `findNextDueAt` returns when the job next has work, or null. The job runs then, or at
 * the next time of its cron line if it has one.
 */
export const jobSchedule = (
  { name, cron, maxAttempts = 3 }: JobDefinition,
  findNextDueAt: (tx: Tx, before: Date) => Promise<Date | null>,
): ScheduledTask => ({
  async findNextDueAt(tx, before) {
    const time = await findNextDueAt(tx, before)
    return time && cron ? nextCronTime(cron, time) : time
  },
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, tx =>
      enqueue(tx, name, {}, { jobKey: `${name}:${tenantId}`, maxAttempts }),
    ),
})

const minuteMs = 60_000

/** The first time of a cron line (in UTC) at or after `from`. Throws if there is none within a leap year. */
export function nextCronTime(cron: string, from: Date): Date {
  const { match } = parseCronItem({ task: 'any', match: cron })
  const firstMs = Math.ceil(from.getTime() / minuteMs) * minuteMs
  for (let minutes = 0; minutes < 366 * 24 * 60; minutes++) {
    const time = new Date(firstMs + minutes * minuteMs)
    const fields = {
      min: time.getUTCMinutes(),
      hour: time.getUTCHours(),
      date: time.getUTCDate(),
      month: time.getUTCMonth() + 1,
      dow: time.getUTCDay(),
    }
    if (match(fields)) return time
  }
  throw new Error(`the cron line ${cron} never matches`)
}
