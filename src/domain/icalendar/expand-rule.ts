/**
 * The occurrences of a recurrence rule in a window, by the wall clock, period by period (RFC 5545, 3.3.10). Periods before the
 * window are skipped without a step where they can be counted; every other step is counted.
 */
import { findMonth, matchesDay, rememberMonth, toDay, toWeekStart } from './match-day.ts'
import { parseRule, type Rule, type RuleStart, type Until } from './parse-rule.ts'

/** What all the rules of a calendar may take together. */
export interface Budget {
  steps: number
  occurrences: number
}

interface Window {
  from: Temporal.PlainDateTime
  to: Temporal.PlainDateTime
}

/** Steps of one rule: a daily one that has a COUNT and began 500 years ago. */
const ruleStepsMax = 200_000
/** More than an hourly event has in two years, the time that is read. */
const occurrencesMax = 20_000
/** Another month takes longer than another day. */
const stepsPerMonth = 4
const daySeconds = 86_400
const secondsOf = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 } as const

interface Expansion {
  starts: Temporal.PlainDateTime[]
  until: Until
  isCut: boolean
}

class StepsExceeded extends Error {}

/** The calendar has rules that take too long. */
export class BudgetExceeded extends Error {}

/** Returns null if the rule can't be read. Throws BudgetExceeded. */
export function expandRule(text: string, start: RuleStart, window: Window, budget: Budget): Expansion | null {
  const rule = parseRule(text, start)
  if (!rule) return null
  // UNTIL may be in another time zone.
  const untilSecond = rule.until ? toSeconds(rule.until.local) + 2 * daySeconds : Infinity
  const search: Search = {
    rule,
    start: toSeconds(start.local),
    from: toSeconds(window.from),
    end: Math.min(toSeconds(window.to), untilSecond),
    takeSteps: createCounter(budget),
    getMonth: rememberMonth(),
  }
  const starts: Temporal.PlainDateTime[] = []
  const expansion = { starts, until: rule.until, isCut: false }
  if (search.end <= Math.max(search.from, search.start)) return expansion
  try {
    for (const second of findOccurrences(search)) {
      if (starts.length >= occurrencesMax) return { ...expansion, isCut: true }
      if (--budget.occurrences < 0) throw new BudgetExceeded()
      starts.push(toLocal(second))
    }
  } catch (error) {
    if (error instanceof StepsExceeded) return { ...expansion, isCut: true }
    throw error
  }
  return expansion
}

function createCounter(budget: Budget): (count: number) => void {
  let steps = 0
  return count => {
    steps += count
    budget.steps -= count
    if (budget.steps < 0) throw new BudgetExceeded()
    if (steps > ruleStepsMax) throw new StepsExceeded()
  }
}

/** Times are seconds since 1970 of the wall clock. `from` and `end`: half open. */
interface Search {
  rule: Rule
  start: number
  from: number
  end: number
  takeSteps(count: number): void
  /** Remembers the last one. */
  getMonth: typeof findMonth
}

/** The set of times in one period: every time of the day on every day, in their order. */
interface Period {
  days: number[]
  hours: number[]
  minutes: number[]
  seconds: number[]
}

function* findOccurrences(search: Search): Generator<number> {
  const { rule, start, from, end, takeSteps } = search
  const skipped = Math.floor(Math.max(0, countUnits(search)) / rule.interval)
  const perPeriod = rule.count ? countPerPeriod(search) : 0
  const first = rule.count && perPeriod === null ? 0 : skipped
  let left = rule.count ?? Infinity
  if (first > 0 && perPeriod) {
    const [firstPeriod] = listPeriods(search, 0)
    const before = [...listTimes(firstPeriod!, rule, takeSteps)].filter(time => time < start).length
    left -= first * perPeriod - before
  }
  for (const period of listPeriods(search, first * rule.interval)) {
    if (left <= 0) return
    if (rule.setPositions) takeSteps(rule.setPositions.length)
    if (isBetween(period, search)) {
      left -= countTimes(period, rule)
      continue
    }
    for (const time of listTimes(period, rule, takeSteps)) {
      if (time < start) continue
      if (time >= end || --left < 0) return
      if (time >= from) yield time
    }
  }
}

/** The period is after the start and before the window, so that it is enough to count it. */
function isBetween({ days }: Period, { start, from }: Search): boolean {
  if (days.length === 0) return true
  return days[0]! * daySeconds > start && (days.at(-1)! + 1) * daySeconds <= from
}

/** Yields in the order of time. Those of a day of the first period may be before the start. */
function* listTimes(period: Period, rule: Rule, takeSteps: Search['takeSteps']): Generator<number> {
  const { days, hours, minutes, seconds } = period
  const perDay = hours.length * minutes.length * seconds.length
  for (const index of listIndexes(days.length * perDay, rule)) {
    takeSteps(1)
    const second = index % seconds.length
    const minute = Math.floor(index / seconds.length) % minutes.length
    const hour = Math.floor(index / seconds.length / minutes.length) % hours.length
    const day = days[Math.floor(index / perDay)]!
    yield day * daySeconds + hours[hour]! * 3600 + minutes[minute]! * 60 + seconds[second]!
  }
}

function* listIndexes(size: number, { setPositions }: Rule): Generator<number> {
  if (setPositions) yield* chooseIndexes(size, setPositions)
  else for (let index = 0; index < size; index++) yield index
}

function chooseIndexes(size: number, setPositions: number[]): number[] {
  const indexes = setPositions.map(position => (position > 0 ? position - 1 : size + position))
  return [...new Set(indexes)].filter(index => index >= 0 && index < size).toSorted((a, b) => a - b)
}

function countTimes({ days, hours, minutes, seconds }: Period, { setPositions }: Rule): number {
  const size = days.length * hours.length * minutes.length * seconds.length
  return setPositions ? chooseIndexes(size, setPositions).length : size
}

/** Null: it is not the same in every period. */
function countPerPeriod({ rule, ...search }: Search): number | null {
  const { frequency, months, monthDays, yearDays, weekdays, hours, minutes, seconds } = rule
  if (frequency === 'MONTHLY' || frequency === 'YEARLY' || months || monthDays || yearDays) return null
  if (frequency !== 'WEEKLY' && weekdays) return null
  if (frequency in secondsOf && hours) return null
  if ((frequency === 'MINUTELY' && minutes) || (frequency === 'SECONDLY' && (minutes || seconds))) return null
  const [period] = listPeriods({ ...search, rule, start: 0, from: 0, end: Infinity }, 0)
  return countTimes(period!, rule)
}

/** Days, weeks, … between the start and the window. */
function countUnits({ rule, start, from }: Search): number {
  const [startDay, fromDay] = [start, from].map(second => Math.floor(second / daySeconds)) as [number, number]
  const { frequency } = rule
  if (frequency === 'DAILY') return fromDay - startDay
  if (frequency === 'WEEKLY') return (toWeekStart(fromDay, rule) - toWeekStart(startDay, rule)) / 7
  if (frequency === 'MONTHLY' || frequency === 'YEARLY') {
    const [a, b] = [findMonth(startDay), findMonth(fromDay)]
    return frequency === 'YEARLY' ? b.year - a.year : (b.year - a.year) * 12 + b.month - a.month
  }
  const unit = secondsOf[frequency]
  return Math.floor(from / unit) - Math.floor(start / unit)
}

/** `units`: from the period of the start to the first one that is listed. */
function listPeriods(search: Search, units: number): Generator<Period> {
  return search.rule.frequency in secondsOf
    ? listPeriodsOfDay(search, units, secondsOf[search.rule.frequency as keyof typeof secondsOf])
    : listPeriodsOfDays(search, units)
}

function* listPeriodsOfDays(search: Search, firstUnits: number): Generator<Period> {
  const { rule, end } = search
  const times = listDayTimes(search)
  for (let units = firstUnits; ; units += rule.interval) {
    const { first, after } = toDays(search, units)
    // The comparison is also false for what is not a date.
    if (!(first * daySeconds < end)) return
    yield { days: listDays(search, first, after), ...times }
  }
}

function listDayTimes({ rule, start }: Search): Omit<Period, 'days'> {
  const { hour, minute, second } = toLocal(start)
  return {
    hours: rule.hours ?? [hour],
    minutes: rule.minutes ?? [minute],
    seconds: rule.seconds ?? [second],
  }
}

/** The days of a period. */
function toDays({ rule, start }: Search, units: number): { first: number; after: number } {
  const startDay = Math.floor(start / daySeconds)
  if (rule.frequency === 'DAILY') return { first: startDay + units, after: startDay + units + 1 }
  if (rule.frequency === 'WEEKLY') {
    const first = toWeekStart(startDay, rule) + 7 * units
    return { first, after: first + 7 }
  }
  const { year, month } = findMonth(startDay)
  if (rule.frequency === 'YEARLY')
    return { first: toDay(year + units, 1, 1), after: toDay(year + units + 1, 1, 1) }
  return { first: toDay(year, month + units, 1), after: toDay(year, month + units + 1, 1) }
}

function listDays({ rule, takeSteps, getMonth }: Search, first: number, after: number): number[] {
  const days: number[] = []
  let month = getMonth(first)
  for (let day = first; day < after; day++) {
    takeSteps(1)
    if (day >= month.first + month.length) {
      takeSteps(stepsPerMonth)
      month = getMonth(day)
    }
    if (rule.months && !rule.months.has(month.month)) day = month.first + month.length - 1
    else if (matchesDay(rule, day, month)) days.push(day)
  }
  return days
}

/** Periods within a day: days, hours and minutes that the rule does not have are passed over at once. */
function* listPeriodsOfDay(search: Search, firstUnits: number, unit: 3600 | 60 | 1): Generator<Period> {
  const { rule, start, end, takeSteps, getMonth } = search
  const stride = rule.interval * unit
  const base = Math.floor(start / unit) * unit
  const isDay = memoizeLast((day: number) => matchesDay(rule, day, getMonth(day)))
  const times = listDayTimes(search)
  for (let at = base + firstUnits * unit; at < end; ) {
    takeSteps(1)
    const day = Math.floor(at / daySeconds)
    const inDay = at - day * daySeconds
    const [hour, minute, second] = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60]
    const lacks = (list: number[] | null, value: number) => list !== null && !list.includes(value)
    const passed = !isDay(day)
      ? daySeconds
      : lacks(rule.hours, hour)
        ? 3600
        : unit < 3600 && lacks(rule.minutes, minute)
          ? 60
          : unit < 60 && lacks(rule.seconds, second)
            ? 1
            : 0
    if (passed) {
      const next = (Math.floor(at / passed) + 1) * passed
      at += Math.ceil((next - at) / stride) * stride
      continue
    }
    yield {
      days: [day],
      hours: [hour],
      minutes: unit === 3600 ? times.minutes : [minute],
      seconds: unit === 1 ? [second] : times.seconds,
    }
    at += stride
  }
}

function memoizeLast<T>(compute: (key: number) => T): (key: number) => T {
  let known: { key: number; value: T } | null = null
  return key => {
    if (known?.key !== key) known = { key, value: compute(key) }
    return known.value
  }
}

const toSeconds = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime): number =>
  toDay(year, month, day) * daySeconds + hour * 3600 + minute * 60 + second

function toLocal(seconds: number): Temporal.PlainDateTime {
  const date = new Date(seconds * 1000)
  return new Temporal.PlainDateTime(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
}
