/** Random rules, beside a search that tries every minute by the definition, and hostile rules. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BudgetExceeded, expandRule } from './expand-rule.ts'
import { parseRule, type Rule, type RuleStart } from './parse-rule.ts'

const dayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const toTime = (text: string) => Temporal.PlainDateTime.from(text)
const expand = (rule: string, start: string, from: string, to: string, steps = 10_000_000) =>
  expandRule(
    rule,
    { local: toTime(start), isDate: false },
    { from: toTime(from), to: toTime(to) },
    { steps, occurrences: 100_000 },
  )
const list = (...[rule, start, from, to]: Parameters<typeof expand>) =>
  expand(rule, start, from, to)?.starts.map(String) ?? null

const pick = <T>(values: T[], maxLength = 3) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength }), { nil: undefined })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const join = (name: string, values: unknown[] | undefined) => (values ? [`${name}=${values.join(',')}`] : [])
const both = (positions: number[]) => [...positions, ...positions.map(position => -position)]

const rules = fc
  .record({
    frequency: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'),
    interval: fc.constantFrom(1, 1, 2, 3, 7, 50),
    count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    weekStart: fc.constantFrom(undefined, ...dayNames),
    months: pick(range(1, 12), 5),
    weeks: pick(both([1, 2, 9, 20, 48, 49, 50, 51, 52, 53]), 6),
    yearDays: pick(both([1, 2, 59, 60, 61, 100, 340, 350, 364, 365, 366]), 6),
    monthDays: pick(both(range(1, 31)), 8),
    weekdays: pick(dayNames, 5),
    positions: fc.constantFrom(['', ''], ['', '1', '-1'], ['2', '5', '-2', ''], ['20', '-3', '53', '-53']),
    hours: pick(range(0, 23)),
    minutes: pick(range(0, 59)),
    setPositions: pick(both([1, 2, 3, 10]), 2),
  })
  .map(({ frequency, positions, ...parts }) => {
    const isLong = frequency === 'YEARLY' || frequency === 'MONTHLY'
    const weeks = frequency === 'YEARLY' ? parts.weeks : undefined
    const weekdays = parts.weekdays?.map((day, index) =>
      isLong && !weeks ? `${positions[index % positions.length]}${day}` : day,
    )
    return [
      `FREQ=${frequency}`,
      `INTERVAL=${parts.interval}`,
      ...join('COUNT', parts.count ? [parts.count] : undefined),
      ...join('WKST', parts.weekStart ? [parts.weekStart] : undefined),
      ...join('BYMONTH', parts.months),
      ...join('BYWEEKNO', weeks),
      ...join('BYYEARDAY', /^(?:YEA|HOU|MIN)/.test(frequency) ? parts.yearDays : undefined),
      ...join('BYMONTHDAY', frequency === 'WEEKLY' ? undefined : parts.monthDays),
      ...join('BYDAY', weekdays),
      ...join('BYHOUR', parts.hours),
      ...join('BYMINUTE', parts.minutes),
      ...join('BYSETPOS', parts.setPositions),
    ].join(';')
  })
/** Parts are left out, so that most rules have occurrences. */
const sparse = fc.tuple(rules, fc.infiniteStream(fc.integer({ min: 0, max: 2 }))).map(([rule, chances]) =>
  rule
    .split(';')
    .filter(part => /^(?:FREQ|INTERVAL)/.test(part) || chances.next().value === 0)
    .join(';'),
)

test('every occurrence of a random rule, and nothing else', () => {
  let found = 0
  fc.assert(
    fc.property(sparse, fc.integer({ min: 0, max: 1500 * 1440 }), (text, minutes) => {
      const start = toTime('2023-01-01T00:00').add({ minutes })
      const rule = parseRule(text, { local: start, isDate: false })!
      const days = /HOURLY|MINUTELY/.test(text) ? 60 : /YEARLY/.test(text) ? 1500 : 500
      const end = start.add({ days })
      const expected = search(rule, { local: start, isDate: false }, end)
      expect(list(text, String(start), String(start), String(end))).toEqual(expected.slice(0, 20_000))
      const middle = start.add({ hours: days * 16 })
      const later = expected.filter(time => time >= String(middle))
      expect(list(text, String(start), String(middle), String(end))).toEqual(later.slice(0, 20_000))
      found += expected.length
    }),
    { numRuns: 40 },
  )
  expect(found).toBeGreaterThan(100)
})

/** By the definition: the minutes from the start that match, in the periods that count, of which some are chosen. */
function search(rule: Rule, { local: start }: RuleStart, end: Temporal.PlainDateTime): string[] {
  const periods = new Map<number, string[]>()
  const periodOf = (time: Temporal.PlainDateTime) => countPeriods(rule, start, time)
  // A period may begin before the start: BYSETPOS counts from there.
  const first = start.toPlainDate().subtract({ days: rule.frequency === 'YEARLY' ? 366 : 31 })
  for (
    let day = first;
    Temporal.PlainDate.compare(day, end.add({ days: 367 })) < 0;
    day = day.add({ days: 1 })
  ) {
    if (Temporal.PlainDate.compare(day, end.add({ days: rule.frequency === 'YEARLY' ? 366 : 31 })) > 0) break
    if (!isDay(rule, day)) continue
    for (const time of listTimes(rule, start, day)) {
      const period = periodOf(time)
      if (period % rule.interval === 0) periods.set(period, [...(periods.get(period) ?? []), String(time)])
    }
  }
  return [...periods.values()]
    .flatMap(times => (rule.setPositions ? times.filter((_, at) => isChosen(rule, at, times.length)) : times))
    .filter(time => time >= String(start))
    .slice(0, rule.count ?? undefined)
    .filter(time => time < String(end))
}

const isChosen = ({ setPositions }: Rule, at: number, length: number) =>
  setPositions!.some(position => (position > 0 ? position - 1 : length + position) === at)

function countPeriods(rule: Rule, start: Temporal.PlainDateTime, time: Temporal.PlainDateTime): number {
  const startDay = start.toPlainDate()
  const day = time.toPlainDate()
  const toWeek = (date: Temporal.PlainDate) =>
    date.subtract({ days: (date.dayOfWeek + 6 - rule.weekStart) % 7 })
  const hours = startDay.until(day).days * 24 + time.hour - start.hour
  if (rule.frequency === 'YEARLY') return day.year - startDay.year
  if (rule.frequency === 'MONTHLY') return (day.year - startDay.year) * 12 + day.month - startDay.month
  if (rule.frequency === 'WEEKLY') return toWeek(startDay).until(toWeek(day)).days / 7
  if (rule.frequency === 'DAILY') return startDay.until(day).days
  return rule.frequency === 'HOURLY' ? hours : hours * 60 + time.minute - start.minute
}

function listTimes(
  rule: Rule,
  start: Temporal.PlainDateTime,
  day: Temporal.PlainDate,
): Temporal.PlainDateTime[] {
  const isHourly = rule.frequency === 'HOURLY'
  const isMinutely = rule.frequency === 'MINUTELY'
  return range(0, 23)
    .filter(hour => rule.hours?.includes(hour) ?? (isHourly || isMinutely || hour === start.hour))
    .flatMap(hour =>
      range(0, 59)
        .filter(minute => rule.minutes?.includes(minute) ?? (isMinutely || minute === start.minute))
        .map(minute => day.toPlainDateTime({ hour, minute })),
    )
}

function isDay(rule: Rule, day: Temporal.PlainDate): boolean {
  const matches = (wanted: Set<number> | null, at: number, length: number) =>
    !wanted || wanted.has(at) || wanted.has(at - length - 1)
  return (
    (!rule.months || rule.months.has(day.month)) &&
    matches(rule.monthDays, day.day, day.daysInMonth) &&
    matches(rule.yearDays, day.dayOfYear, day.daysInYear) &&
    (!rule.weekdays || isWeekday(rule, rule.weekdays, day)) &&
    (!rule.weeks || isWeek(rule, rule.weeks, day))
  )
}

function isWeekday(rule: Rule, weekdays: Set<number>, day: Temporal.PlainDate): boolean {
  if (![...weekdays].some(key => (key - day.dayOfWeek + 1) % 7 === 0)) return false
  const sameDays = listDaysOf(rule, day).filter(other => other.dayOfWeek === day.dayOfWeek)
  const at = sameDays.findIndex(other => other.equals(day))
  return [0, at + 1, at - sameDays.length].some(position => weekdays.has(position * 7 + day.dayOfWeek - 1))
}

/** The days that positions of BYDAY count. */
function listDaysOf(rule: Rule, day: Temporal.PlainDate): Temporal.PlainDate[] {
  if (rule.frequency === 'YEARLY' && !rule.months)
    return range(1, day.daysInYear).map(number => day.with({ month: 1, day: 1 }).add({ days: number - 1 }))
  return range(1, day.daysInMonth).map(number => day.with({ day: number }))
}

/** Counts the weeks of each year, from the first one that has four of its days. */
function isWeek(rule: Rule, weeks: Set<number>, day: Temporal.PlainDate): boolean {
  const listWeeks = (year: number) =>
    range(-1, 54)
      .map(week => Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: week * 7 }))
      .map(date => date.subtract({ days: (date.dayOfWeek + 6 - rule.weekStart) % 7 }))
      .filter(week => range(0, 6).filter(index => week.add({ days: index }).year === year).length >= 4)
  return [day.year - 1, day.year, day.year + 1].some(year => {
    const starts = listWeeks(year)
    const at = starts.findIndex(week => {
      const { days } = week.until(day)
      return days >= 0 && days < 7
    })
    return at >= 0 && (weeks.has(at + 1) || weeks.has(at - starts.length))
  })
}

test('the rules that readers often get wrong', () => {
  const count = (rule: string, start = '2020-01-01T09:00') =>
    list(rule, start, '2026-11-26T00:00', '2028-01-01T00:00')?.length
  for (const [rule, expected, start] of [
    ['FREQ=YEARLY;BYMONTHDAY=15', 13, '2020-01-15T09:00'],
    ['FREQ=YEARLY;BYHOUR=9,10', 2],
    ['FREQ=YEARLY;BYMONTH=6;BYDAY=MO;BYHOUR=9,15', 8],
    ['FREQ=YEARLY;BYWEEKNO=49;BYDAY=WE', 2, '2020-12-02T09:00'],
    // The weekday is that of the start.
    ['FREQ=YEARLY;BYWEEKNO=49', 2, '2020-12-02T09:00'],
    ['FREQ=YEARLY;BYWEEKNO=1,20;BYDAY=MO', 2],
    ['FREQ=YEARLY;BYDAY=20MO', 1],
    ['FREQ=YEARLY;BYSETPOS=-1;BYDAY=FR', 2],
    ['FREQ=WEEKLY;BYSETPOS=1;BYDAY=MO,WE', 57],
    ['FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9,15', 26],
    ['FREQ=YEARLY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,15,30,45', 32],
    ['FREQ=YEARLY;BYMONTH=3;BYYEARDAY=61', 1],
  ] as const)
    expect([rule, count(rule, start)]).toEqual([rule, expected])
})

test('a rule that began centuries ago is counted', () => {
  const count = (rule: string) =>
    list(rule, '1601-01-01T09:00', '2026-03-01T00:00', '2027-03-01T00:00')?.length
  // 155,287 days are before the window.
  expect(count('FREQ=DAILY;COUNT=155287')).toBe(0)
  expect(count('FREQ=DAILY;COUNT=155289')).toBe(2)
  expect(count('FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=999999')).toBe(260)
  expect(count('FREQ=HOURLY;INTERVAL=24;COUNT=155289')).toBe(2)
  expect(count('FREQ=SECONDLY;INTERVAL=86400;COUNT=155289')).toBe(2)
  expect(count('FREQ=DAILY;BYHOUR=9,10;BYSETPOS=-1;COUNT=155289')).toBe(2)
  expect(count('FREQ=DAILY;UNTIL=20260302T235959Z')).toBeGreaterThan(1)
})

test('what the RFC forbids is not read', () => {
  for (const rule of [
    ...[
      '',
      'INTERVAL=2',
      'FREQ=FORTNIGHTLY',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;COUNT=1,2',
    ],
    ...[
      'FREQ=DAILY;BYHOUR=24',
      'FREQ=DAILY;BYMONTH=13',
      'FREQ=MONTHLY;BYMONTHDAY=0',
      'FREQ=MONTHLY;BYDAY=0MO',
    ],
    ...['FREQ=MONTHLY;BYDAY=XX', 'FREQ=DAILY;UNTIL=20261340', 'FREQ=DAILY;UNTIL=soon', 'FREQ=DAILY;WKST=1'],
    ...[
      'FREQ=MONTHLY;BYWEEKNO=1',
      'FREQ=DAILY;BYYEARDAY=1',
      'FREQ=WEEKLY;BYMONTHDAY=1',
      'FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO',
    ],
    ...[
      'FREQ=DAILY;FREQ=WEEKLY',
      'RSCALE=HEBREW;FREQ=YEARLY',
      'FREQ=MONTHLY;SKIP=OMIT',
      `FREQ=DAILY;X=${'1'.repeat(1000)}`,
    ],
  ])
    expect([rule, parseRule(rule, { local: toTime('2026-01-01T09:00'), isDate: false })]).toEqual([
      rule,
      null,
    ])
})

test('the steps of a rule and of a calendar are bounded', () => {
  const window = ['1601-01-01T00:00:01', '2026-03-01T00:00', '2027-03-01T00:00'] as const
  const all = (from: number, to: number) => range(from, to).join(',')
  const everySecond = `BYHOUR=${all(0, 23)};BYMINUTE=${all(0, 59)};BYSECOND=${all(0, 59)}`
  for (const rule of [
    'FREQ=SECONDLY;BYHOUR=3;COUNT=999999999',
    'FREQ=SECONDLY',
    `FREQ=YEARLY;BYDAY=MO;${everySecond}`,
    `FREQ=DAILY;BYDAY=MO;COUNT=99999999;BYSETPOS=${all(1, 200)}`,
  ])
    expect([rule, expand(rule, ...window)?.isCut]).toEqual([rule, true])
  expect(() => expand('FREQ=DAILY;BYDAY=MO;COUNT=999999', ...window, 100_000)).toThrow(BudgetExceeded)
  expect(
    expand(`FREQ=YEARLY;BYSETPOS=-1;BYDAY=MO;${everySecond}`, ...window, 1000)?.starts.map(String),
  ).toEqual(['2026-12-28T23:59:59'])
})
