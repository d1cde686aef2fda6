/** Formats days and times for visitors, in their language and time zone. */
import type { Interval } from '../../../domain/slots/types.ts'
import { formatWhen as formatTime } from '../notices/format-when.ts'
import type { Visit } from './visit.ts'

type Viewer = Pick<Visit, 'words' | 'timezone'>

const format = ({ words, timezone }: Viewer, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(words.locale, { timeZone: timezone, ...options })

/** Returns a function, because a page shows many times. */
export function createTimeFormat(viewer: Viewer): (ms: number) => string {
  const times = format(viewer, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return ms => times.format(ms)
}

/** The date of an ISO day: `Tuesday 1 December 2026`. */
export function createDayFormat({ words }: Viewer): (day: string) => string {
  const days = new Intl.DateTimeFormat(words.locale, { dateStyle: 'full', timeZone: 'UTC' })
  return day => days.format(Date.parse(`${day}T12:00:00Z`))
}

/** As in the e-mails: `Tuesday, 1 December 2026, 10:00–10:30 · Madrid (UTC+1)`. */
export const formatWhen = ({ words, timezone }: Viewer, { startMs, endMs }: Interval): string =>
  formatTime({ start: new Date(startMs), end: new Date(endMs), timezone }, words.locale)

/** `45 min`, `1 h 30 min`. */
export function formatLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(part => part).join(' ')
}
