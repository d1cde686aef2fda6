/**
 * The occurrences of a recurrence rule in a window. ical.js iterates by the wall clock; here its work is bounded: it starts
 * close to the window, also if the rule has a COUNT and equally many occurrences in each interval, and every step is counted.
 */
import ICAL from 'ical.js'
import { toIcalTime } from './zones.ts'

/** What all the rules of a calendar may take together. */
export interface Budget {
  steps: number
  occurrences: number
}

export interface Window {
  from: Temporal.PlainDateTime
  to: Temporal.PlainDateTime
}

export type Until = { isDate: boolean; isUtc: boolean; local: Temporal.PlainDateTime } | null

const ruleMaxLength = 1000
/** Steps of one rule: two years of an hourly one, or fifty years of one by day that has a COUNT and an uneven pattern. */
const ruleStepsMax = 20_000
const occurrencesMax = 10_000
/** Before, ical.js has the leap years of Julius Caesar. */
const firstYear = 1753

export interface Expansion {
  starts: Temporal.PlainDateTime[]
  until: Until
  isCut: boolean
}

class WindowEnded extends Error {}
class StepsExceeded extends Error {}

/** The calendar has rules that take too long. */
export class BudgetExceeded extends Error {}

/** Returns null if the rule can't be read. Throws BudgetExceeded. */
export function expandRule(
  text: string,
  start: { local: Temporal.PlainDateTime; isDate: boolean },
  window: Window,
  budget: Budget,
): Expansion | null {
  const rule = parseRule(text)
  if (!rule) return null
  const until = toUntil(rule.until)
  const starts: Temporal.PlainDateTime[] = []
  const expansion = { starts, until, isCut: false }
  if (until && Temporal.PlainDateTime.compare(until.local.add({ days: 2 }), window.from) < 0) return expansion
  const first = jump(rule, start.local, window.from)
  if (first === null) return expansion
  if (rule.count && first.year < firstYear) return null
  if (/^(?:MONTHLY|YEARLY)$/.test(rule.freq)) stateDay(rule, start.local)
  // Rules that never match stop there.
  rule.until = toIcalTime(window.to.add({ days: 2 }))
  try {
    for (const occurrence of iterate(rule, first, window, budget)) {
      if (Temporal.PlainDateTime.compare(occurrence, window.from) < 0) continue
      if (starts.length >= occurrencesMax) return { ...expansion, isCut: true }
      if (--budget.occurrences < 0) throw new BudgetExceeded()
      starts.push(occurrence)
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error
    if (error instanceof StepsExceeded) return { ...expansion, isCut: true }
    if (!(error instanceof WindowEnded)) return null
  }
  return expansion
}

function parseRule(text: string): ICAL.Recur | null {
  if (text.length > ruleMaxLength || /(?:^|;)(?:RSCALE|SKIP)=/i.test(text)) return null
  try {
    const rule = ICAL.Recur.fromString(text)
    return rule.freq && Number.isSafeInteger(rule.interval) && rule.interval > 0 ? rule : null
  } catch {
    return null
  }
}

function* iterate(
  rule: ICAL.Recur,
  first: Temporal.PlainDateTime,
  window: Window,
  budget: Budget,
): Generator<Temporal.PlainDateTime> {
  const end = window.to.add({ days: 1 }).toString()
  const iterator = rule.iterator(toIcalTime(first))
  let steps = 0
  const check = iterator.check_contracting_rules
  // ical.js calls it for every candidate, also between two occurrences.
  iterator.check_contracting_rules = function countStep() {
    if (--budget.steps < 0) throw new BudgetExceeded()
    if (++steps > ruleStepsMax) throw new StepsExceeded()
    if (steps % 16 === 0 && iterator.last.toString() > end) throw new WindowEnded()
    return check.call(iterator)
  }
  for (let time = iterator.next(); time; time = iterator.next()) {
    if (--budget.steps < 0) throw new BudgetExceeded()
    const local = new Temporal.PlainDateTime(
      time.year,
      time.month,
      time.day,
      time.hour,
      time.minute,
      Math.min(59, time.second),
    )
    if (Temporal.PlainDateTime.compare(local, window.to) >= 0) return
    if (hasStatedDay(rule, local)) yield local
  }
}

/** ical.js gives the 1st of March for a 29th of February that does not exist. */
function hasStatedDay(rule: ICAL.Recur, { month, day, daysInMonth }: Temporal.PlainDateTime): boolean {
  const { BYMONTH: months, BYMONTHDAY: days } = rule.parts as Record<string, number[] | undefined>
  return (
    (!months || months.includes(month)) &&
    (!days || days.includes(day) || days.includes(day - daysInMonth - 1))
  )
}

const units = {
  SECONDLY: 'seconds',
  MINUTELY: 'minutes',
  HOURLY: 'hours',
  DAILY: 'days',
  WEEKLY: 'weeks',
  MONTHLY: 'months',
  YEARLY: 'years',
} as const

/**
 * A start of the same rule shortly before the window, a whole number of intervals later. COUNT becomes what is left of it; null:
 * nothing is.
 */
function jump(
  rule: ICAL.Recur,
  start: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
): Temporal.PlainDateTime | null {
  if (isEveryWeekday(rule)) rule.freq = 'WEEKLY'
  const unit = units[rule.freq as keyof typeof units]
  const each = rule.count ? countEachInterval(rule, start) : 0
  if (!unit || each === null) return start
  const elapsed = start.until(from, { largestUnit: unit })[unit]
  const intervals = Math.floor(elapsed / rule.interval) - 2
  if (intervals < 1) return start
  if (rule.count) {
    if (rule.count <= intervals * each) return null
    rule.count -= intervals * each
  }
  const isLong = unit === 'months' || unit === 'years'
  const base = isLong && start.day > 28 ? start.with({ day: 28 }) : start
  return base.add({ [unit]: intervals * rule.interval })
}

/** The occurrences in every interval, wherever it begins; null: they differ. */
function countEachInterval(rule: ICAL.Recur, { day }: Temporal.PlainDateTime): number | null {
  const parts = rule.parts as Record<string, unknown[]>
  const names = Object.keys(parts)
  if (names.length === 0) return /^(?:MONTHLY|YEARLY)$/.test(rule.freq) && day > 28 ? null : 1
  return rule.freq === 'WEEKLY' && hasOnlyDays(rule) ? new Set(parts.BYDAY).size : null
}

/** `DAILY` on some days of the week is `WEEKLY` on these. */
const isEveryWeekday = (rule: ICAL.Recur) => rule.freq === 'DAILY' && rule.interval === 1 && hasOnlyDays(rule)

function hasOnlyDays({ parts }: ICAL.Recur): boolean {
  const { BYDAY: days = [], ...others } = parts as Record<string, unknown[]>
  return (
    Object.keys(others).length === 0 && days.length > 0 && days.every(day => /^[A-Z]{2}$/.test(String(day)))
  )
}

/** Writes the day of the start into a rule by month or year that names none, because the start may be moved. */
function stateDay(rule: ICAL.Recur, { month, day }: Temporal.PlainDateTime): void {
  const parts = rule.parts as Record<string, unknown[]>
  const names = (...keys: string[]) => keys.some(key => parts[key])
  if (names('BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO')) return
  if (rule.freq === 'YEARLY' && !names('BYMONTH')) parts.BYMONTH = [month]
  parts.BYMONTHDAY = [day]
}

function toUntil(until: ICAL.Time | null): Until {
  if (!until) return null
  const { year, month, day, hour, minute, second, isDate } = until
  return {
    isDate,
    isUtc: !isDate && until.zone === ICAL.Timezone.utcTimezone,
    local: new Temporal.PlainDateTime(year, month, day, hour, minute, Math.min(59, second)),
  }
}
