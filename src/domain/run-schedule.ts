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

/** Runs of a schedule are so far apart at least: a portal is not to be burdened. */
export const runDistanceMin = 5
/** Runs of a cron line whose distances are checked: those of a day, at least. */
const checkedRuns = 300
const yearMs = 366 * 86_400_000

export interface CronError {
  code: 'WRONG_FORMAT' | 'TOO_SMALL'
  message: string
}

/** Returns why a cron line can't be used; null: it can. */
export function findCronError(cron: string): CronError | null {
  try {
    const line = new Cron(cron, { mode: '5-part', timezone: 'UTC' })
    const first = line.nextRun()
    if (!first) return { code: 'WRONG_FORMAT', message: 'is never due' }
    const distance = findShortDistance(line, first)
    if (distance === null) return null
    return {
      code: 'TOO_SMALL',
      message: `is due ${distance} min after another run, and runs must be at least ${runDistanceMin} min apart`,
    }
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, '')
    return { code: 'WRONG_FORMAT', message: `is not a cron line of five fields: ${reason}` }
  }
}

/** The minutes between two runs that are too close to each other within a year; null: there are none. */
function findShortDistance(line: Cron, first: Date): number | null {
  let last = first
  for (let count = 1; count < checkedRuns; count += 1) {
    const next = line.nextRun(last)
    if (!next || next.getTime() - first.getTime() > yearMs) return null
    const distance = (next.getTime() - last.getTime()) / 60_000
    if (distance < runDistanceMin) return distance
    last = next
  }
  return null
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
