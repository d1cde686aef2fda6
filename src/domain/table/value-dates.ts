// Days and times as the cells of a table have them.
import { readDay } from '../listing/dates.ts'
import { readInstant } from '../listing/values.ts'
import { remembered } from '../remembered.ts'
import { Unreadable } from './unreadable.ts'

const TIME = /(?<!\d)(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:\s*([ap])\.?m\b)?/i
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/
const SHORT_YEAR = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)/
// Months that advert dates do not write so: English and Catalan.
const OTHER_MONTHS: [RegExp, string][] = [
  [/\baug(?:ust)?\b/i, 'ago'],
  [/\bdec(?:ember)?\b|\bdes(?:embre)?\b/i, 'dic'],
  [/\bapr(?:il)?\b/i, 'abr'],
  [/\bd['’](?=[ao])/i, 'de '],
]
// Day 0 of Excel's calendar, set so that its leap year 1900 that never was does not matter after February of that year.
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/**
 * The instant (ISO 8601, UTC) that a cell names: ISO 8601, day before month (`03/11/2026 10:32`, `3-11-26`, `3 nov 2026`),
 * year first, or a serial number of Excel's (25000–80000: 1968 to 2119). A day alone is its first moment, and a time
 * without a zone is taken for UTC.
 */
export const readDate = remembered((text: string): string | Unreadable => {
  const iso = readInstant(text)
  if (iso !== null) return iso
  const serial = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0
  if (serial >= 25_000 && serial <= 80_000)
    return new Date(EXCEL_EPOCH_MS + Math.round((serial * DAY_MS) / 1000) * 1000).toISOString()
  const day = dayOf(text)
  const timeMs = timeOf(text)
  return day === null || timeMs === null
    ? new Unreadable(
        'DATE_INVALID',
        'This is no date. Write the day before the month, as 03/11/2026, or 2026-11-03.',
      )
    : new Date(Date.parse(`${day}T00:00Z`) + timeMs).toISOString()
})

function dayOf(text: string): string | null {
  const first = YEAR_FIRST.exec(text)
  if (first) return readDay(`${first[3]}/${first[2]}/${first[1]}`)?.toString() ?? null
  const short = SHORT_YEAR.exec(text)
  if (short) return readDay(`${short[1]}/${short[2]}/20${short[3]}`)?.toString() ?? null
  const words = OTHER_MONTHS.reduce((left, [month, known]) => left.replace(month, known), text.slice(0, 60))
  return readDay(words)?.toString() ?? null
}

/** Milliseconds since midnight; 0 if no time is named, null if there is no such time. */
function timeOf(text: string): number | null {
  const [found, hour = '0', minute = '0', second = '0', half] = TIME.exec(text) ?? []
  if (found === undefined) return 0
  const isHalf = half !== undefined
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return hours > 23 ? null : ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000
}
