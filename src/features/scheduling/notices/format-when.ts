/** Formats the time of an appointment for the people who read of it. */
import { formatZone } from '../../../domain/time-zones/format-zone.ts'

export interface When {
  start: Date
  end: Date
  /** IANA. */
  timezone: string
}

/** `Tuesday, 1 December 2026, 11:00–11:30 · Madrid (UTC+1)`. The second day is named if it is another one. */
export function formatWhen({ start, end, timezone }: When, locale: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone })
  const day = format({ dateStyle: 'full' })
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const [first, last] = [day.format(start), day.format(end)]
  const until = first === last ? time.format(end) : `${last}, ${time.format(end)}`
  return `${first}, ${time.format(start)}–${until} · ${formatZone(timezone, start.getTime(), locale)}`
}

/** For a subject: `1 Dec, 11:00`. */
export function formatShortWhen({ start, timezone }: Omit<When, 'end'>, locale: string): string {
  const options: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timezone,
  }
  return new Intl.DateTimeFormat(locale, options).format(start)
}
