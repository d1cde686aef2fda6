/** Converts between the local times of a feed and UTC. */
import { memoize } from '../memoize.ts'

/** Converts `2026-11-01 10:00:00` (seconds optional) in `timezone` to ISO 8601 in UTC; null for any other form. */
export function parseLocalTime(text: string, timezone: string): string | null {
  const match = /^((?:19|20)\d{2}-\d{2}-\d{2})[ T](\d{2}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim())
  if (match === null) return null
  const [, day, hour, minute, second = '0'] = match
  // In the portals' zones the offset changes at full hours, so the start of an hour can be memoized.
  const start = toEpochMs(`${day}T${hour}:00 ${timezone}`)
  const ms = start + (Number(minute) * 60 + Number(second)) * 1000
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Milliseconds since 1970 of `2026-11-01T10:00 Europe/Madrid`; NaN for an invalid day or hour. */
const toEpochMs = memoize(text => {
  const [local = '', timezone = ''] = text.split(' ')
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds
  } catch {
    return Number.NaN
  }
})

/** Formats an instant (milliseconds since 1970) as local time in `timezone`: `2026-11-01 10:00:00`. */
export function toLocalDateTime(ms: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime()
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ')
}
