/** The cursor of a read: what the provider calls the present state, and the range that it was read for. */
import { parseJson } from '../../kit/json-limits.ts'
import { asObject, asText } from '../../kit/json-values.ts'
import type { CalendarRange } from '../calendar.ts'

export interface ReadCursor {
  token: string
  range: CalendarRange
}

/**
 * A provider lists the occurrences of a recurring event in a range that is fixed by the first read. The range is longer
 * than what was requested, so that the days of the next weeks need no complete read.
 */
const reserveHours = 14 * 24

export const extendRange = ({ from, to }: CalendarRange, hours = reserveHours): CalendarRange => ({
  from,
  to: to.add({ hours }),
})

export const formatCursor = ({ token, range: { from, to } }: ReadCursor): string =>
  JSON.stringify({ token, from: from.toString(), to: to.toString() })

/** Null: the next read must be complete, because the range of the cursor has been left. */
export function findCursor(text: string | null, { from, to }: CalendarRange): ReadCursor | null {
  if (text === null) return null
  try {
    const fields = asObject(parseJson(text))
    const token = asText(fields?.token)
    const range = {
      from: Temporal.Instant.from(asText(fields?.from) ?? ''),
      to: Temporal.Instant.from(asText(fields?.to) ?? ''),
    }
    const isCovered =
      Temporal.Instant.compare(range.from, from) <= 0 && Temporal.Instant.compare(range.to, to) >= 0
    return token && isCovered ? { token, range } : null
  } catch {
    return null
  }
}
