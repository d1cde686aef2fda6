/** Jobs that have to do from a certain time on. */
import { parseCronItem } from 'graphile-worker'
import type { ScheduledTask } from '../clock/scheduled-tasks.ts'
import type { Tx } from '../db/index.ts'
import { enqueue } from './enqueue.ts'
import type { JobDefinition } from './job.ts'

/** `nextAt`: from when on the job has something to do. It runs then, or at the next time of its cron line if it has one. */
export const jobSchedule = (
  { name, cron, maxAttempts = 3 }: JobDefinition,
  nextAt: (tx: Tx, before: Date) => Promise<Date | null>,
): ScheduledTask => ({
  async nextAt(database, tenantId, before) {
    const time = await database.readTenant({ tenantId }, tx => nextAt(tx, before))
    return time && cron ? nextCronTime(cron, time) : time
  },
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, tx =>
      enqueue(tx, name, {}, { jobKey: `${name}:${tenantId}`, maxAttempts }),
    ),
})

const minuteMs = 60_000

/** The first time of a cron line in UTC that is not before `from`. Throws for a line that has none within a leap year. */
export function nextCronTime(cron: string, from: Date): Date {
  const { match } = parseCronItem({ task: 'any', match: cron })
  const firstMs = Math.ceil(from.getTime() / minuteMs) * minuteMs
  for (let minutes = 0; minutes < 366 * 24 * 60; minutes++) {
    const time = new Date(firstMs + minutes * minuteMs)
    const digest = {
      min: time.getUTCMinutes(),
      hour: time.getUTCHours(),
      date: time.getUTCDate(),
      month: time.getUTCMonth() + 1,
      dow: time.getUTCDay(),
    }
    if (match(digest)) return time
  }
  throw new Error(`the cron line ${cron} has no time`)
}
