/**
 * The occurrences of a recurrence rule in a window. ical.js iterates by the wall clock; here its work is bounded: it starts
 * close to the window if the rule has no COUNT, and every step is counted.
 */
import ICAL from 'ical.js'
import { toIcalTime } from './zones.ts'

/** Steps that all the rules of a calendar may take together. */
export interface Budget {
  steps: number
}

export interface Window {
  from: Temporal.PlainDateTime
  to: Temporal.PlainDateTime
}

export type Until = { isDate: boolean; isUtc: boolean; local: Temporal.PlainDateTime } | null

const ruleMaxLength = 1000
/** Steps of one rule: two years of an hourly one, or fifty years of a daily one that has a COUNT. */
const ruleStepsMax = 20_000
const occurrencesMax = 10_000

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
  if (/^(?:MONTHLY|YEARLY)$/.test(rule.freq)) stateDay(rule, start.local)
  const first = jump(rule, start.local, window.from)
  // Rules that never match stop there.
  rule.until = toIcalTime(window.to.add({ days: 2 }))
  const starts: Temporal.PlainDateTime[] = []
  const expansion = { starts, until, isCut: false }
  try {
    for (const occurrence of iterate(rule, first, window, budget)) {
      if (Temporal.PlainDateTime.compare(occurrence, window.from) < 0) continue
      if (starts.length >= occurrencesMax) return { ...expansion, isCut: true }
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
 * A start of the same rule shortly before the window, a whole number of intervals later.
 */
function jump(
  rule: ICAL.Recur,
  start: Temporal.PlainDateTime,
  from: Temporal.PlainDateTime,
): Temporal.PlainDateTime {
  const unit = units[rule.freq as keyof typeof units]
  if (rule.count || !unit) return start
  const elapsed = start.until(from, { largestUnit: unit })[unit]
  const intervals = Math.floor(elapsed / rule.interval) - 2
  if (intervals < 1) return start
  const isLong = unit === 'months' || unit === 'years'
  const base = isLong && start.day > 28 ? start.with({ day: 28 }) : start
  return base.add({ [unit]: intervals * rule.interval })
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
