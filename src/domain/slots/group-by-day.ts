/** Days as a visitor sees them. */
import type { Interval } from './types.ts'
import { formatDay, toClockPeriods, toDayNumber } from './wall-clock.ts'

/** The moments from the beginning of `from` to the end of `to`, ISO dates in the time zone. */
export function toDayRange(from: string, to: string, timezone: string): Interval {
  const toStartMs = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds
  return {
    startMs: toStartMs(Temporal.PlainDate.from(from)),
    endMs: toStartMs(Temporal.PlainDate.from(to).add({ days: 1 })),
  }
}

/** By the day on which each one begins in the time zone. Slots are in order; a day without slots is left out. */
export function groupByDay<T extends Interval>(slots: readonly T[], timezone: string): Record<string, T[]> {
  if (slots.length === 0) return {}
  const range = { startMs: slots[0]!.startMs, endMs: slots.at(-1)!.startMs + 1 }
  const periods = toClockPeriods(timezone, range)
  const days = new Map<number, T[]>()
  let at = 0
  for (const slot of slots) {
    while (slot.startMs >= periods[at]!.endMs) at += 1
    const day = toDayNumber(slot.startMs + periods[at]!.offsetMs)
    const sameDay = days.get(day)
    if (sameDay) sameDay.push(slot)
    else days.set(day, [slot])
  }
  return Object.fromEntries([...days].map(([day, list]) => [formatDay(day), list]))
}
