/** Which days a recurrence rule has. Days are numbers since 1970. */
import { type Rule, toWeekdayKey } from './parse-rule.ts'

interface Month {
  year: number
  month: number
  first: number
  length: number
  yearFirst: number
  yearLength: number
}

const dayMs = 86_400_000

export const toDay = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) / dayMs

export function findMonth(day: number): Month {
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + 1
  const first = toDay(year, month, 1)
  const yearFirst = toDay(year, 1, 1)
  return {
    year,
    month,
    first,
    length: toDay(year, month + 1, 1) - first,
    yearFirst,
    yearLength: toDay(year + 1, 1, 1) - yearFirst,
  }
}

/** Finds months, and remembers the last one. */
export function rememberMonth(): typeof findMonth {
  let month = findMonth(0)
  return day => {
    if (day < month.first || day >= month.first + month.length) month = findMonth(day)
    return month
  }
}

/** The first day of its week. */
export const toWeekStart = (day: number, { weekStart }: Rule): number => day - modulo(day + 3 - weekStart, 7)

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

/** `month`: that of the day. */
export function matchesDay(rule: Rule, day: number, month: Month): boolean {
  const { months, monthDays, yearDays, weeks, weekdays } = rule
  if (months && !months.has(month.month)) return false
  if (monthDays && !hasPosition(monthDays, day - month.first, month.length)) return false
  if (yearDays && !hasPosition(yearDays, day - month.yearFirst, month.yearLength)) return false
  if (weekdays && !matchesWeekday(rule, day, month)) return false
  return !weeks || matchesWeek(rule, weeks, day, month)
}

/** `index`: from 0. */
const hasPosition = (positions: Set<number>, index: number, length: number) =>
  positions.has(index + 1) || positions.has(index - length)

function matchesWeekday({ frequency, months, weekdays }: Rule, day: number, month: Month): boolean {
  const ofYear = frequency === 'YEARLY' && !months
  const index = day - (ofYear ? month.yearFirst : month.first)
  const length = ofYear ? month.yearLength : month.length
  const fromStart = Math.floor(index / 7) + 1
  const fromEnd = -Math.floor((length - 1 - index) / 7) - 1
  const weekday = modulo(day + 3, 7)
  return [0, fromStart, fromEnd].some(position => weekdays!.has(toWeekdayKey(weekday, position)))
}

/** A week belongs to the year that has its fourth day. */
function matchesWeek(rule: Rule, weeks: Set<number>, day: number, month: Month): boolean {
  const fourth = toWeekStart(day, rule) + 3
  const isSameYear = fourth >= month.yearFirst && fourth < month.yearFirst + month.yearLength
  const { yearFirst, yearLength } = isSameYear ? month : findMonth(fourth)
  const fourthDay = fourth - yearFirst
  const index = Math.floor(fourthDay / 7)
  const count = index + Math.floor((yearLength - 1 - fourthDay) / 7) + 1
  return hasPosition(weeks, index, count)
}
