/** Counts booked slots by the day of a time zone, for daily limits. */
import type { Interval } from '../../../domain/slots/types.ts'

/** By ISO date. `slots` are in the order of their beginning; each day is found once. */
export function countBookedPerDay(
  slots: Pick<Interval, 'startMs'>[],
  timezone: string,
): Record<string, number> {
  const counts: Record<string, number> = {}
  let date = ''
  let endMs = Number.NEGATIVE_INFINITY
  for (const { startMs } of slots) {
    if (startMs >= endMs) {
      const day = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(timezone).startOfDay()
      date = day.toPlainDate().toString()
      endMs = day.add({ days: 1 }).startOfDay().epochMilliseconds
    }
    counts[date] = (counts[date] ?? 0) + 1
  }
  return counts
}
