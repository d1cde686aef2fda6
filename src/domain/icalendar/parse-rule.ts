/** Parses a recurrence rule (RFC 5545, 3.3.10). What the rule leaves to the start of the event is filled in. */

export type Frequency = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY' | 'HOURLY' | 'MINUTELY' | 'SECONDLY'

export type Until = { isDate: boolean; isUtc: boolean; local: Temporal.PlainDateTime } | null

/** Null: the rule does not have the part. Lists are sorted and distinct. */
export interface Rule {
  frequency: Frequency
  interval: number
  count: number | null
  until: Until
  /** Monday is 0. */
  weekStart: number
  months: Set<number> | null
  weeks: Set<number> | null
  yearDays: Set<number> | null
  monthDays: Set<number> | null
  /** See `toWeekdayKey`. */
  weekdays: Set<number> | null
  hours: number[] | null
  minutes: number[] | null
  seconds: number[] | null
  setPositions: number[] | null
}

export interface RuleStart {
  local: Temporal.PlainDateTime
  isDate: boolean
}

/** `position`: in the month or in the year, from the end if negative; 0: every one. */
export const toWeekdayKey = (weekday: number, position: number): number => position * 7 + weekday

const ruleMaxLength = 1000
const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const names = new Set([
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY'],
  ...['BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS'],
])
/** The frequencies at which RFC 5545 forbids a part. */
const forbidden: Record<string, RegExp> = {
  BYWEEKNO: /^(?!YEARLY)/,
  BYYEARDAY: /^(?:MONTHLY|WEEKLY|DAILY)$/,
  BYMONTHDAY: /^WEEKLY$/,
}

class InvalidRule extends Error {}

/** Returns null if the rule can't be read. */
export function parseRule(text: string, start: RuleStart): Rule | null {
  if (text.length > ruleMaxLength) return null
  try {
    return fillIn(readRule(readParts(text)), start)
  } catch (error) {
    if (error instanceof InvalidRule) return null
    throw error
  }
}

function readParts(text: string): Map<string, string> {
  const parts = text
    .toUpperCase()
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '' && !part.startsWith('X-'))
    .map((part): [string, string] => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    })
  const byName = new Map(parts)
  if (byName.size < parts.length || !parts.every(([name]) => names.has(name))) throw new InvalidRule()
  return byName
}

function readRule(parts: Map<string, string>): Rule {
  const frequency = parts.get('FREQ') ?? ''
  if (!/^(?:YEARLY|MONTHLY|WEEKLY|(?:DAI|HOUR|MINUTE|SECOND)LY)$/.test(frequency)) throw new InvalidRule()
  if (Object.entries(forbidden).some(([name, pattern]) => parts.has(name) && pattern.test(frequency)))
    throw new InvalidRule()
  const readList = (name: string, min: number, max: number) =>
    parts.has(name) ? toList(parts.get(name)!, min, max) : null
  const readSet = (name: string, min: number, max: number) => {
    const list = readList(name, min, max)
    return list && new Set(list)
  }
  const readNumber = (name: string) => {
    if (parts.get(name)?.includes(',')) throw new InvalidRule()
    return readList(name, 1, Number.MAX_SAFE_INTEGER)?.[0] ?? null
  }
  const weekStart = weekdayNames.indexOf(parts.get('WKST') ?? 'MO')
  if (weekStart < 0) throw new InvalidRule()
  return {
    frequency: frequency as Frequency,
    interval: readNumber('INTERVAL') ?? 1,
    count: readNumber('COUNT'),
    until: parts.has('UNTIL') ? toUntil(parts.get('UNTIL')!) : null,
    weekStart,
    months: readSet('BYMONTH', 1, 12),
    weeks: readSet('BYWEEKNO', -53, 53),
    yearDays: readSet('BYYEARDAY', -366, 366),
    monthDays: readSet('BYMONTHDAY', -31, 31),
    weekdays: parts.has('BYDAY') ? toWeekdays(parts.get('BYDAY')!, frequency, parts.has('BYWEEKNO')) : null,
    hours: readList('BYHOUR', 0, 23),
    minutes: readList('BYMINUTE', 0, 59),
    // Leap seconds count as the second before.
    seconds: readList('BYSECOND', 0, 60)?.filter(second => second < 60) ?? null,
    setPositions: readList('BYSETPOS', -86_400 * 366, 86_400 * 366),
  }
}

/** Positions may be negative, but not 0. */
function toList(text: string, min: number, max: number): number[] {
  const values = text.split(',').map(item => {
    const value = /^[+-]?\d{1,15}$/.test(item.trim()) ? Number(item) : Number.NaN
    if (!(value >= min && value <= max) || (value === 0 && min < 0)) throw new InvalidRule()
    return value
  })
  return [...new Set(values)].toSorted((a, b) => a - b)
}

/** Positions have no meaning in a week or a day: many programs ignore them there. */
function toWeekdays(text: string, frequency: string, hasWeeks: boolean): Set<number> {
  const keys = text.split(',').map(item => {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item.trim())
    const weekday = weekdayNames.indexOf(match?.[2] ?? '')
    const position = Number(match?.[1] ?? 0)
    if (weekday < 0 || Math.abs(position) > 53 || (match?.[1] && position === 0)) throw new InvalidRule()
    if (position && hasWeeks) throw new InvalidRule()
    return toWeekdayKey(weekday, /^(?:YEARLY|MONTHLY)$/.test(frequency) ? position : 0)
  })
  return new Set(keys)
}

function toUntil(text: string): Until {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text)
  if (!match) throw new InvalidRule()
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => Number(part ?? 0))
  try {
    const local = new Temporal.PlainDateTime(year!, month!, day!, hour, minute, Math.min(59, second))
    return { isDate: match[4] === undefined, isUtc: match[7] === 'Z', local }
  } catch {
    throw new InvalidRule()
  }
}

/** The day and the time of the start count where the rule names none. */
function fillIn(rule: Rule, { local, isDate }: RuleStart): Rule {
  const filled = isDate ? { ...rule, hours: null, minutes: null, seconds: null } : { ...rule }
  const { frequency, weeks, yearDays, monthDays, weekdays } = rule
  if (yearDays || monthDays || weekdays) return filled
  if (frequency === 'WEEKLY' || weeks) filled.weekdays = new Set([toWeekdayKey(local.dayOfWeek - 1, 0)])
  else if (frequency === 'MONTHLY' || frequency === 'YEARLY') filled.monthDays = new Set([local.day])
  if (frequency === 'YEARLY' && !weeks) filled.months ??= new Set([local.month])
  return filled
}
