/** Send windows as moments, and the local days of limits. */
import { type DayPlan, expandHours, toDayPlan } from '../slots/hours.ts'
import type { Spans } from '../slots/spans.ts'
import { type ClockPeriod, dayMs, toClockPeriods, toDayNumber, toDayStartMs } from '../slots/wall-clock.ts'
import type { SendWindow } from './types.ts'

/** Returns the first moment at or after a time at which the window is open; null: none within a year. */
export type FindOpening = (timeMs: number) => number | null

/** The window is expanded piece by piece. */
const pieceMs = 61 * dayMs
const pieces = 6

/** Fastest for times in order. */
export function createFindOpening(window: SendWindow | null): FindOpening {
  if (window === null) return timeMs => timeMs
  const plan = toPlan(window)
  let range = { startMs: 0, endMs: 0 }
  let spans: Spans = []
  let at = 0
  const load = (startMs: number) => {
    range = { startMs, endMs: startMs + pieceMs }
    spans = expandHours(plan, range)
    at = 0
  }
  return timeMs => {
    if (timeMs < range.startMs || timeMs >= range.endMs) load(timeMs)
    if (at > 0 && timeMs < spans[at - 1]!) at = 0
    for (let piece = 0; piece < pieces; piece += 1) {
      while (at < spans.length && spans[at + 1]! <= timeMs) at += 2
      if (at < spans.length) return Math.max(timeMs, spans[at]!)
      load(range.endMs)
    }
    return null
  }
}

const toPlan = ({ timezone, days, from, to, closedDates }: SendWindow): DayPlan =>
  toDayPlan({ timezone, weekly: days.map(day => ({ day, from, to })), overrides: [], closedDates })

export interface LocalDays {
  /** Days since 1970 of the local date. */
  getDay(timeMs: number): number
  /** The first moment of the next local date. */
  getNextDayMs(timeMs: number): number
  /** The first moment of the next month. */
  getNextMonthMs(timeMs: number): number
}

/** Months since 1970 of a local date. */
export function toMonth(day: number): number {
  const date = new Date(day * dayMs)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function createLocalDays(timezone: string): LocalDays {
  let period: ClockPeriod = { startMs: 0, endMs: 0, offsetMs: 0, skippedMs: 0 }
  const getDay = (timeMs: number): number => {
    if (timeMs < period.startMs || timeMs >= period.endMs)
      period = toClockPeriods(timezone, { startMs: timeMs, endMs: timeMs + pieceMs })[0]!
    return toDayNumber(timeMs + period.offsetMs)
  }
  return {
    getDay,
    getNextDayMs: timeMs => toDayStartMs(timeMs, timezone, 1),
    getNextMonthMs(timeMs) {
      const day = getDay(timeMs)
      const nextMonthDay = Date.UTC(1970, toMonth(day) + 1) / dayMs
      return toDayStartMs(timeMs, timezone, nextMonthDay - day)
    },
  }
}
