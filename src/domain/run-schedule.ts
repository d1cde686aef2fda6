/** When something runs: once, every so many minutes, or at the times of a cron line in a time zone. */
import { Cron } from 'croner'

/** One of `everyMinutes` and `cron` is set, or neither: it runs once. Times are ISO 8601. */
export interface RunSchedule {
  /** Elapsed minutes, also over a clock change. */
  everyMinutes: number | null
  /** Five fields, on the wall clock of `timezone`. */
  cron: string | null
  timezone: string
  startAt: string | null
  endAt: string | null
}

/** Returns why a cron line can't be used; null: it can. */
export function findCronError(cron: string): string | null {
  try {
    const next = new Cron(cron, { mode: '5-part' }).nextRun()
    return next ? null : 'is never due'
  } catch (error) {
    return `is not a cron line of five fields: ${(error as Error).message.replace(/^CronPattern: /, '')}`
  }
}

export const isRepeating = (schedule: RunSchedule | null): boolean =>
  schedule !== null && (schedule.cron !== null || schedule.everyMinutes !== null)

/**
 * Returns the first run of a repeating schedule at `from` or later; null: there is none. `anchor`: the minutes count from this time, unless `startAt` is
 * set. A cron time that a clock change skips runs at the first moment after the gap; one that it repeats runs once. An hourly line
 * runs in both of the repeated hours.
 */
export function findNextRun(schedule: RunSchedule, from: Date, anchor: Date): Date | null {
  const startAt = schedule.startAt === null ? null : new Date(schedule.startAt)
  const earliest = startAt !== null && startAt > from ? startAt : from
  const next =
    schedule.cron === null
      ? findNextInterval(schedule.everyMinutes!, earliest, startAt ?? anchor)
      : findNextCronTime(schedule.cron, schedule.timezone, earliest)
  return next !== null && (schedule.endAt === null || next < new Date(schedule.endAt)) ? next : null
}

function findNextInterval(everyMinutes: number, from: Date, anchor: Date): Date {
  const intervalMs = everyMinutes * 60_000
  const passed = Math.max(0, Math.ceil((from.getTime() - anchor.getTime()) / intervalMs))
  return new Date(anchor.getTime() + passed * intervalMs)
}

function findNextCronTime(cron: string, timezone: string, from: Date): Date | null {
  // `nextRun` returns what is later than its argument, in whole seconds.
  return new Cron(cron, { mode: '5-part', timezone }).nextRun(
    new Date(Math.ceil(from.getTime() / 1000) * 1000 - 1000),
  )
}
