/** Wall clocks: a time zone as periods of one offset, so that a range needs arithmetic and not a calendar lookup per slot. */
import type { Interval, SlotRequest } from './types.ts'

/** A part of a range in which local time is UTC plus `offsetMs`. */
export interface ClockPeriod extends Interval {
  offsetMs: number
  /** What the clock skips at its beginning; 0: nothing, or the beginning of the range. */
  skippedMs: number
}

export const minuteMs = 60_000
export const dayMs = 86_400_000

export function toClockPeriods(timezone: string, range: Interval): ClockPeriod[] {
  const periods: ClockPeriod[] = []
  let clock = toClock(range.startMs, timezone)
  let startMs = range.startMs
  let skippedMs = 0
  while (startMs < range.endMs) {
    const next = clock.getTimeZoneTransition('next')
    const endMs = Math.min(next?.epochMilliseconds ?? range.endMs, range.endMs)
    const offsetMs = toOffsetMs(clock)
    periods.push({ startMs, endMs, offsetMs, skippedMs })
    if (next === null) break
    clock = next
    skippedMs = Math.max(0, toOffsetMs(next) - offsetMs)
    startMs = endMs
  }
  return periods
}

/** The first moment of the day that is `days` after today. */
export function toDayStartMs(timeMs: number, timezone: string, days: number): number {
  return toClock(timeMs, timezone).toPlainDate().add({ days }).toZonedDateTime(timezone).epochMilliseconds
}

function toClock(timeMs: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(timezone)
}

function toOffsetMs(clock: Temporal.ZonedDateTime): number {
  return clock.offsetNanoseconds / 1e6
}

/** Days since 1970 of a local time. */
export function toDayNumber(localMs: number): number {
  return Math.floor(localMs / dayMs)
}

export function parseDay(date: string): number {
  return toDayNumber(Date.parse(`${date}T00:00:00Z`))
}

export function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** 1 Monday … 7 Sunday. Day 0, 1 January 1970, was a Thursday. */
export function toWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** From the minimum notice to the end of the last day of the horizon. */
export function toBookablePeriod({
  nowMs,
  availability,
}: Pick<SlotRequest, 'nowMs' | 'availability'>): Interval {
  const { minimumNoticeMin, horizonDays, timezone } = availability
  return {
    startMs: nowMs + minimumNoticeMin * minuteMs,
    endMs: toDayStartMs(nowMs, timezone, horizonDays + 1),
  }
}
