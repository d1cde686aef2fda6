/** Checks hours and days: what a schema cannot express. */
import type { DayHours } from '../../domain/slots/types.ts'
import type { InputError } from '../../kit/problem.ts'

type SentHours = Partial<DayHours & { day: number }>

interface SentDays {
  weekly?: SentHours[] | undefined
  overrides?: { date?: string; intervals?: SentHours[] }[] | undefined
}

/** For all days with other hours together: nearly three on each day of a year. */
const overrideIntervalsMax = 1000

/** Fields that are not valid themselves are missing. `path`: of the object. */
export function checkDays({ weekly = [], overrides = [] }: SentDays, path: string): InputError[] {
  const count = overrides.reduce((sum, { intervals = [] }) => sum + intervals.length, 0)
  return [
    ...checkHours(weekly, `${path}/weekly`),
    ...(count > overrideIntervalsMax
      ? [
          {
            path: `${path}/overrides`,
            code: 'TOO_MANY',
            message: `must have at most ${overrideIntervalsMax} intervals on all days together`,
          },
        ]
      : []),
    ...findRepeatedDates(overrides, `${path}/overrides`),
    ...overrides.flatMap(({ intervals = [] }, index) =>
      checkHours(intervals, `${path}/overrides/${index}/intervals`),
    ),
  ]
}

function checkHours(hours: SentHours[], path: string): InputError[] {
  const errors: InputError[] = []
  const valid: (DayHours & { day: number; index: number })[] = []
  for (const [index, { day = 0, from, to }] of hours.entries()) {
    if (from === undefined || to === undefined) continue
    if (from < to) valid.push({ day, from, to, index })
    else errors.push({ path: `${path}/${index}/to`, code: 'CONTRADICTION', message: 'must be after from' })
  }
  valid.sort((one, other) => one.day - other.day || (one.from < other.from ? -1 : 1))
  for (const [position, { day, from, index }] of valid.entries()) {
    const before = valid[position - 1]
    if (before?.day === day && before.to > from)
      errors.push({
        path: `${path}/${index}`,
        code: 'OVERLAP',
        message: `overlaps with ${before.from}–${before.to} of the same day; join them`,
      })
  }
  return errors
}

function findRepeatedDates(overrides: { date?: string }[], path: string): InputError[] {
  const seen = new Set<string>()
  return overrides.flatMap(({ date }, index) => {
    if (date === undefined) return []
    if (!seen.has(date)) {
      seen.add(date)
      return []
    }
    return [
      {
        path: `${path}/${index}/date`,
        code: 'DUPLICATE',
        message: 'is in the list twice; join the intervals',
      },
    ]
  })
}
