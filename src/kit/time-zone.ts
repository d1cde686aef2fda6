/** Time zones by their IANA names. */
import type { InputError } from './problem.ts'

/** Returns the name in its usual letters; null: there is no such zone. An offset such as `+01:00` is none. */
export function toTimezone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return null
  }
}

/** An error if the name is sent and unknown. */
export function checkTimezone(name: string | undefined, path: string): InputError[] {
  if (name === undefined || toTimezone(name) !== null) return []
  const message = 'must be the IANA name of a time zone, such as Europe/Madrid'
  return [{ path, code: 'UNKNOWN_TIMEZONE', message }]
}
