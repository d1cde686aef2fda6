/** Parses dates and times in cells of a table. */
import { parseDay } from '../listing/dates.ts'
import { parseInstant } from '../listing/values.ts'
import { memoize } from '../memoize.ts'
import { UnreadableValue } from './unreadable-value.ts'

const timePattern = /(?<!\d)(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:\s*([ap])\.?m\b)?/i
const yearFirstPattern = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/
const shortYearPattern = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)/
// English and Catalan months that `parseDay` does not know.
const otherMonthNames: [RegExp, string][] = [
  [/\baug(?:ust)?\b/i, 'ago'],
  [/\bdec(?:ember)?\b|\bdes(?:embre)?\b/i, 'dic'],
  [/\bapr(?:il)?\b/i, 'abr'],
  [/\bd['’](?=[ao])/i, 'de '],
]
// Day 0 of Excel's calendar, corrected for the nonexistent leap day of 1900. Valid for dates after it.
const excelEpochMs = Date.UTC(1899, 11, 30)
const msPerDay = 86_400_000

/**
 * The instant (ISO 8601, UTC) in a cell: ISO 8601, day before month (`03/11/2026 10:32`, `3-11-26`, `3 nov 2026`), year
 * first, or a serial number of Excel (25000–80000: 1968 to 2119). A day without a time is the start of the day, and a
 * time without a zone is UTC.
 */
export const parseDate = memoize((text: string): string | UnreadableValue => {
  const iso = parseInstant(text)
  if (iso !== null) return iso
  const serial = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : 0
  if (serial >= 25_000 && serial <= 80_000)
    return new Date(excelEpochMs + Math.round((serial * msPerDay) / 1000) * 1000).toISOString()
  const day = toDay(text)
  const timeMs = toTime(text)
  return day === null || timeMs === null
    ? new UnreadableValue(
        'DATE_INVALID',
        'This is not a date. Write the day before the month, such as 03/11/2026, or 2026-11-03.',
      )
    : new Date(Date.parse(`${day}T00:00Z`) + timeMs).toISOString()
})

function toDay(text: string): string | null {
  const first = yearFirstPattern.exec(text)
  if (first) return parseDay(`${first[3]}/${first[2]}/${first[1]}`)?.toString() ?? null
  const short = shortYearPattern.exec(text)
  if (short) return parseDay(`${short[1]}/${short[2]}/20${short[3]}`)?.toString() ?? null
  const words = otherMonthNames.reduce(
    (left, [month, known]) => left.replace(month, known),
    text.slice(0, 60),
  )
  return parseDay(words)?.toString() ?? null
}

/** Milliseconds since midnight; 0 if there is no time, null if it is invalid. */
function toTime(text: string): number | null {
  const [found, hour = '0', minute = '0', second = '0', meridiem] = timePattern.exec(text) ?? []
  if (found === undefined) return 0
  const hasMeridiem = meridiem !== undefined
  const hours = hasMeridiem ? (Number(hour) % 12) + (meridiem.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return hours > 23 ? null : ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000
}
