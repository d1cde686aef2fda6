/**
 * Hours on the wall clock as moments. A moment is inside if the wall clock shows a time of the hours: when clocks go back, an hour that
 * happens twice is inside twice; when they go forward, the missing hour is nothing.
 */
import { appendSpan, type Spans, toSpans } from './spans.ts'
import type { DayHours, Interval, WorkingHours } from './types.ts'
import {
  type ClockPeriod,
  dayMs,
  minuteMs,
  parseDay,
  toClockPeriods,
  toDayNumber,
  toWeekday,
} from './wall-clock.ts'

/** Hours that are ready to be looked up by day. Spans are milliseconds of a day. */
export interface DayPlan {
  timezone: string
  weekly: Spans[]
  overrides: Map<number, Spans>
  closed: Set<number>
}

export function toDayPlan({ timezone, weekly, overrides, closedDates }: WorkingHours): DayPlan {
  const byWeekday: DayHours[][] = [[], [], [], [], [], [], []]
  for (const hours of weekly) byWeekday[hours.day - 1]!.push(hours)
  return {
    timezone,
    weekly: byWeekday.map(toDaySpans),
    overrides: new Map(overrides.map(({ date, intervals }) => [parseDay(date), toDaySpans(intervals)])),
    closed: new Set(closedDates.map(parseDay)),
  }
}

function toDaySpans(hours: DayHours[]): Spans {
  return toSpans(
    hours.filter(({ from, to }) => from < to).flatMap(({ from, to }) => [parseTime(from), parseTime(to)]),
  )
}

function parseTime(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * minuteMs
}

const noHours: Spans = []

export function getDaySpans(plan: DayPlan, day: number): Spans {
  return plan.overrides.get(day) ?? (plan.closed.has(day) ? noHours : plan.weekly[toWeekday(day) - 1]!)
}

/** True on a holiday, and on a date whose override has no hours. */
export function isClosed(plan: DayPlan, day: number): boolean {
  return getDaySpans(plan, day).length === 0 && (plan.closed.has(day) || plan.overrides.has(day))
}

/** The moments of the range that are inside the hours. Hours that meet are one span, across midnight too. */
export function expandHours(plan: DayPlan, range: Interval): Spans {
  const spans: Spans = []
  forEachDay(toClockPeriods(plan.timezone, range), (period, day) => {
    const daySpans = getDaySpans(plan, day)
    const originMs = day * dayMs - period.offsetMs
    for (let at = 0; at < daySpans.length; at += 2)
      appendSpan(
        spans,
        Math.max(originMs + daySpans[at]!, period.startMs),
        Math.min(originMs + daySpans[at + 1]!, period.endMs),
      )
  })
  return spans
}

/** The moments of the range whose local day is one of `days`. */
export function expandDays(timezone: string, days: ReadonlySet<number>, range: Interval): Spans {
  const spans: Spans = []
  if (days.size === 0) return spans
  forEachDay(toClockPeriods(timezone, range), (period, day) => {
    const originMs = day * dayMs - period.offsetMs
    if (days.has(day))
      appendSpan(spans, Math.max(originMs, period.startMs), Math.min(originMs + dayMs, period.endMs))
  })
  return spans
}

/**
 * The times of the range at which slots begin: every `intervalMin` of the wall clock from the beginning of each interval of the day. A
 * time that the clock skips is left out; one that it shows twice is there twice. Hours whose beginning is skipped begin after it.
 */
export function listGridTimes(plan: DayPlan, intervalMin: number, range: Interval): number[] {
  const intervalMs = intervalMin * minuteMs
  const timesMs: number[] = []
  // The beginning of the first day may be before the range.
  const periods = toClockPeriods(plan.timezone, { startMs: range.startMs - 2 * dayMs, endMs: range.endMs })
  forEachDay(periods, (period, day) => {
    const daySpans = getDaySpans(plan, day)
    const originMs = day * dayMs - period.offsetMs
    const firstMs = Math.max(period.startMs, range.startMs)
    for (let at = 0; at < daySpans.length; at += 2) {
      const startMs = toFirstMoment(originMs + daySpans[at]!, period)
      const passed = Math.max(0, Math.ceil((firstMs - startMs) / intervalMs))
      const endMs = Math.min(originMs + daySpans[at + 1]!, period.endMs)
      for (let timeMs = startMs + passed * intervalMs; timeMs < endMs; timeMs += intervalMs)
        timesMs.push(timeMs)
    }
  })
  return timesMs
}

function toFirstMoment(timeMs: number, { startMs, skippedMs }: ClockPeriod): number {
  return timeMs < startMs && timeMs >= startMs - skippedMs ? startMs : timeMs
}

function forEachDay(periods: ClockPeriod[], visit: (period: ClockPeriod, day: number) => void): void {
  for (const period of periods) {
    const last = toDayNumber(period.endMs - 1 + period.offsetMs)
    for (let day = toDayNumber(period.startMs + period.offsetMs); day <= last; day += 1) visit(period, day)
  }
}
