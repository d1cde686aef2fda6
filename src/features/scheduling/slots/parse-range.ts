/** The range of a listing: days of the visitor, or moments. */
import { toDayRange } from '../../../domain/slots/group-by-day.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import type { InputError } from '../../../kit/problem.ts'

const dayMs = 86_400_000
export const rangeDaysMax = 62
const rangeDaysDefault = 7

interface SentRange {
  /** An ISO date or time; omitted: now. */
  from?: string | undefined
  /** An ISO date, which is included, or a time; omitted: seven days after the beginning. */
  to?: string | undefined
}

/** Returns the range, or what is wrong with it. */
export function parseRange(
  { from, to }: SentRange,
  timezone: string,
  nowMs: number,
): Interval | { errors: InputError[] } {
  const start = from === undefined ? { startMs: nowMs, endMs: nowMs } : parseBound(from, timezone)
  const end = to === undefined ? null : parseBound(to, timezone)
  const errors = [
    ...(start === undefined ? [invalidBound('/from')] : []),
    ...(end === undefined ? [invalidBound('/to')] : []),
  ]
  if (start === undefined || end === undefined) return { errors }
  const range = { startMs: start.startMs, endMs: end?.endMs ?? start.startMs + rangeDaysDefault * dayMs }
  const path = to === undefined ? '/from' : '/to'
  if (range.endMs <= range.startMs)
    return { errors: [{ path, code: 'CONTRADICTION', message: 'must be after from' }] }
  // Days of a range in which the clocks go back have an hour more.
  if (range.endMs - range.startMs > rangeDaysMax * dayMs + 2 * 3_600_000) {
    const isDay = end !== null && end.startMs < end.endMs
    const message = `must end a range of at most ${rangeDaysMax} days${isDay ? ', this day included' : ''}`
    return { errors: [{ path, code: 'TOO_LARGE', message }] }
  }
  return range
}

const invalidBound = (path: string): InputError => ({
  path,
  code: 'WRONG_FORMAT',
  message: 'must be a day such as 2026-12-01, or a time such as 2026-12-01T10:00:00Z',
})

/** A day has a beginning and an end; a moment is both. */
function parseBound(value: string, timezone: string): Interval | undefined {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return toDayRange(value, value, timezone)
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(value)) return undefined
    const { epochMilliseconds } = Temporal.Instant.from(value)
    return { startMs: epochMilliseconds, endMs: epochMilliseconds }
  } catch {
    return undefined
  }
}
