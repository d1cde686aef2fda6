/** Days and times that a feed writes in the local time of its portal. */
import { memoize } from '../memoize.ts'

/** `2026-11-01 10:00:00` (seconds may be missing) on the clocks of `timezone`, as ISO 8601 in UTC; null for any other form. */
export function parseLocalTime(text: string, timezone: string): string | null {
  const match = /^((?:19|20)\d{2}-\d{2}-\d{2})[ T](\d{2}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim())
  if (match === null) return null
  const [, day, hour, minute, second = '0'] = match
  // Clocks change at full hours where the portals are, so that an hour is known once and for all.
  const start = startOfHour(`${day}T${hour}:00 ${timezone}`)
  const ms = start + (Number(minute) * 60 + Number(second)) * 1000
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Milliseconds since 1970 of `2026-11-01T10:00 Europe/Madrid`; NaN for a day or an hour that no calendar has. */
const startOfHour = memoize(text => {
  const [local = '', timezone = ''] = text.split(' ')
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    return Number.NaN
  }
})

/** An instant (milliseconds since 1970) as the clocks of `timezone` show it: `2026-11-01 10:00:00`. */
export function toLocalDateTime(ms: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime()
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ')
}
