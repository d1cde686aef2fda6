/**
 * VTIMEZONE of an IANA time zone, for the years that a calendar needs. Zones that change their clocks by the same rule every
 * year get an RRULE, which Outlook understands best; in others every change is listed. Outlook and Exchange ignore a zone without
 * STANDARD, read offsets in minutes, and repeat a listed pair of changes every year (MS-OXCICAL 2.1.3.1.1.19).
 */
import { formatLine, toLocal } from './content-line.ts'

interface Transition {
  at: Temporal.ZonedDateTime
  /** The wall clock before the change. */
  local: Temporal.PlainDateTime
  fromNs: number
  toNs: number
  /** Clocks go forward, and change again within a year. A zone that stays forward has a new standard time. */
  isDaylight: boolean
}

/** A rule must hold this many years from the first change on. */
const ruleYears = 8
const transitionsMax = 1000

/** The lines of the component. `from`, `to`: times that it has to be right for. */
export function writeTimeZone(
  zone: string,
  range: { from: Temporal.Instant; to: Temporal.Instant },
): string[] {
  const first = range.from.toZonedDateTimeISO(zone)
  const begin = first.getTimeZoneTransition('previous') ?? first
  const ruled = listTransitions(begin, begin.add({ years: ruleYears }))
  const last = range.to.toZonedDateTimeISO(zone).add({ days: 1 })
  const listed = listNeeded(begin, last)
  const rules = last.year - begin.year < ruleYears ? findRules(ruled) : null
  const observances = rules
    ? ruled.slice(0, 2).map((transition, index) => formatObservance(transition, rules[index]!))
    : listed.map(transition => formatObservance(transition, null))
  return [
    'BEGIN:VTIMEZONE',
    formatLine('TZID', zone),
    ...(observances.length > 1 ? observances.flat() : formatFixed(first.offsetNanoseconds)),
    'END:VTIMEZONE',
  ]
}

/** The changes until `end`, and the next one, if that makes a pair of summer time and standard time. */
function listNeeded(begin: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): Transition[] {
  const transitions = listTransitions(begin, end.add({ years: 1 }))
  const count = transitions.filter(({ at }) => Temporal.ZonedDateTime.compare(at, end) <= 0).length
  const isPair = transitions[count - 1]?.isDaylight || transitions[count]?.isDaylight
  return transitions.slice(0, isPair ? count + 1 : count)
}

/** The changes from `begin`, which is one or the first time of all, until `end`. */
function listTransitions(begin: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): Transition[] {
  const transitions: Transition[] = []
  let at: Temporal.ZonedDateTime | null = begin.subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  while (at && Temporal.ZonedDateTime.compare(at, end) <= 0 && transitions.length < transitionsMax) {
    const before = at.subtract({ nanoseconds: 1 })
    const local = at.toPlainDateTime().add({ nanoseconds: before.offsetNanoseconds - at.offsetNanoseconds })
    const [fromNs, toNs] = [before.offsetNanoseconds, at.offsetNanoseconds]
    const next: Temporal.ZonedDateTime | null = at.getTimeZoneTransition('next')
    const isShort = next !== null && Temporal.ZonedDateTime.compare(next, at.add({ years: 1 })) < 0
    transitions.push({ at, local, fromNs, toNs, isDaylight: toNs > fromNs && isShort })
    at = next
  }
  return transitions
}

/** The yearly rules of the first two changes, if they explain all of them. */
function findRules(transitions: Transition[]): string[] | null {
  if (transitions.length < 2 * (ruleYears - 1)) return null
  const rules = [0, 1].map(parity => {
    const own = transitions.filter((_, index) => index % 2 === parity)
    const ordinals = own.map(({ local }) => Math.ceil(local.day / 7))
    const isLast = own.every(({ local }) => local.day + 7 > local.daysInMonth)
    const isSame = own.every(
      ({ local, fromNs, toNs }) =>
        local.month === own[0]!.local.month &&
        local.dayOfWeek === own[0]!.local.dayOfWeek &&
        local.toPlainTime().equals(own[0]!.local.toPlainTime()) &&
        fromNs === own[0]!.fromNs &&
        toNs === own[0]!.toNs,
    )
    const isNth = ordinals.every(ordinal => ordinal === ordinals[0])
    if (!isSame || !(isLast || isNth)) return null
    const { month, dayOfWeek } = own[0]!.local
    const day = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'][dayOfWeek - 1]
    return `FREQ=YEARLY;BYMONTH=${month};BYDAY=${isLast ? -1 : ordinals[0]}${day}`
  })
  return rules.every(rule => rule !== null) ? (rules as string[]) : null
}

function formatObservance({ local, fromNs, toNs, isDaylight }: Transition, rule: string | null): string[] {
  const name = isDaylight ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${toLocal(local)}`,
    `TZOFFSETFROM:${formatOffset(fromNs)}`,
    `TZOFFSETTO:${formatOffset(toNs)}`,
    ...(rule ? [`RRULE:${rule}`] : []),
    `END:${name}`,
  ]
}

const formatFixed = (offsetNs: number) => [
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  `TZOFFSETFROM:${formatOffset(offsetNs)}`,
  `TZOFFSETTO:${formatOffset(offsetNs)}`,
  'END:STANDARD',
]

function formatOffset(offsetNs: number): string {
  const minutes = Math.round(Math.abs(offsetNs) / 60e9)
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${offsetNs < 0 ? '-' : '+'}${pad(minutes / 60)}${pad(minutes % 60)}`
}
