/** Reads the properties of an event that its busy times depend on. ical.js parses each line. */
import ICAL from 'ical.js'
import type { RawComponent } from './split-components.ts'
import { utc, type Zone, type Zones } from './zones.ts'

/** A time as it is written. All-day events have dates. */
export interface Moment {
  local: Temporal.PlainDateTime
  isDate: boolean
  zone: Zone
  ms: number
}

export type Length = { exactMs: number } | { nominal: Temporal.Duration }

export interface EventFields {
  uid: string
  sequence: number
  start: Moment
  length: Length
  /** RRULE, unread. */
  rules: string[]
  dates: { start: Moment; length: Length | null }[]
  excluded: Moment[]
  /** Set if it replaces an occurrence of the event with the same UID. */
  replaces: { moment: Moment; andFuture: boolean } | null
  blocks: boolean
}

export interface ReadingContext {
  zones: Zones
  /** The zone of floating times and days. */
  floating: Zone
  warn(code: WarningCode): void
}

export type WarningCode =
  | 'INVALID_EVENT'
  | 'INVALID_RECURRENCE'
  | 'UNKNOWN_TIME_ZONE'
  | 'TOO_MANY_OCCURRENCES'

interface Property {
  name: string
  parameters: Record<string, unknown>
  type: string
  values: unknown[]
}

/** Null: it has no start, or one that can't be read. */
export function readEvent(component: RawComponent, context: ReadingContext): EventFields | null {
  const properties = parseLines(
    component.lines.filter(line => !/^(?:RRULE|EXRULE)[:;]/i.test(line)),
    context,
  )
  const find = (name: string) => properties.find(property => property.name === name)
  const findText = (name: string) => String(find(name)?.values[0] ?? '')
  const start = toMoments(find('dtstart'), context)[0]
  if (!start) {
    context.warn('INVALID_EVENT')
    return null
  }
  const replaced = find('recurrence-id')
  const moment = toMoments(replaced, context)[0]
  if (component.lines.some(line => /^EXRULE[:;]/i.test(line))) context.warn('INVALID_RECURRENCE')
  return {
    uid: findText('uid').trim(),
    sequence: Number(findText('sequence')) || 0,
    start,
    length: readLength(start, find('dtend'), find('duration'), context),
    rules: component.lines
      .filter(line => /^RRULE[:;]/i.test(line))
      .map(line => line.slice(line.indexOf(':') + 1).trim()),
    dates: properties
      .filter(({ name }) => name === 'rdate')
      .flatMap(property => readDates(property, context)),
    excluded: properties
      .filter(({ name }) => name === 'exdate')
      .flatMap(property => toMoments(property, context)),
    replaces: moment
      ? { moment, andFuture: String(replaced!.parameters.range).toUpperCase() === 'THISANDFUTURE' }
      : null,
    blocks: isBlocking(findText),
  }
}

/** The periods of a VFREEBUSY in which somebody is busy. */
export function readFreeBusy(
  component: RawComponent,
  context: ReadingContext,
): { start: Moment; endMs: number }[] {
  return parseLines(component.lines, context)
    .filter(
      ({ name, parameters }) => name === 'freebusy' && String(parameters.fbtype).toUpperCase() !== 'FREE',
    )
    .flatMap(property => readDates(property, context))
    .map(({ start, length }) => ({ start, endMs: length ? addLength(start, length) : start.ms }))
}

function isBlocking(findText: (name: string) => string): boolean {
  if (findText('status').toUpperCase() === 'CANCELLED') return false
  // Outlook knows more than TRANSP can say.
  const microsoft = findText('x-microsoft-cdo-busystatus').toUpperCase()
  if (microsoft) return microsoft !== 'FREE' && microsoft !== 'WORKINGELSEWHERE'
  return findText('transp').toUpperCase() !== 'TRANSPARENT'
}

function parseLines(lines: string[], { warn }: ReadingContext): Property[] {
  return lines.flatMap(line => {
    try {
      const [name, parameters, type, ...values] = ICAL.parse.property(line) as [
        string,
        Record<string, unknown>,
        string,
        ...unknown[],
      ]
      return [{ name, parameters, type, values }]
    } catch {
      warn('INVALID_EVENT')
      return []
    }
  })
}

function readLength(
  start: Moment,
  endProperty: Property | undefined,
  durationProperty: Property | undefined,
  context: ReadingContext,
): Length {
  const end = toMoments(endProperty, context)[0]
  const length = end
    ? toLength(start, end)
    : durationProperty
      ? toNominal(String(durationProperty.values[0]))
      : null
  if (length && !isNegative(length)) return length
  if (endProperty || durationProperty) context.warn('INVALID_EVENT')
  return start.isDate ? oneDay : { exactMs: 0 }
}

const oneDay: Length = { nominal: Temporal.Duration.from({ days: 1 }) }

/** Many programs end a day at itself. */
function toLength(start: Moment, end: Moment): Length {
  if (!start.isDate) return { exactMs: end.ms - start.ms }
  const nominal = start.local.until(end.local.toPlainDate().toPlainDateTime(), { largestUnit: 'days' })
  return nominal.sign === 0 ? oneDay : { nominal }
}

const isNegative = (length: Length): boolean =>
  'exactMs' in length ? length.exactMs < 0 : length.nominal.sign < 0

function readDates(property: Property, context: ReadingContext): EventFields['dates'] {
  if (property.type !== 'period') return toMoments(property, context).map(start => ({ start, length: null }))
  return property.values.flatMap((value): EventFields['dates'] => {
    const [from, to] = value as [string, string]
    const start = toMoment(from, property, context)
    if (!start) return []
    const end = /^[+-]?P/.test(to) ? null : toMoment(to, property, context)
    const length: Length | null = end ? { exactMs: end.ms - start.ms } : toNominal(to)
    if (length && !isNegative(length)) return [{ start, length }]
    if (length) context.warn('INVALID_EVENT')
    return []
  })
}

const toMoments = (property: Property | undefined, context: ReadingContext): Moment[] =>
  (property?.values ?? []).flatMap(value => toMoment(String(value), property!, context) ?? [])

/** `text`: as ical.js writes it: `2026-12-01` or `2026-12-01T10:00:00`, in UTC with `Z`. */
function toMoment(text: string, { parameters }: Property, context: ReadingContext): Moment | null {
  const isDate = !text.includes('T')
  const isUtc = text.endsWith('Z')
  let local: Temporal.PlainDateTime
  try {
    local = isDate
      ? Temporal.PlainDate.from(text, { overflow: 'reject' }).toPlainDateTime()
      : Temporal.PlainDateTime.from(isUtc ? text.slice(0, -1) : text, { overflow: 'reject' })
  } catch {
    context.warn('INVALID_EVENT')
    return null
  }
  const zone = isUtc ? utc : isDate ? context.floating : findZone(parameters.tzid, context)
  return { local, isDate, zone, ms: zone.toMs(local) }
}

/** An unknown zone counts as that of the agenda, so that the event blocks something, with a warning. */
function findZone(id: unknown, { zones, floating, warn }: ReadingContext): Zone {
  if (typeof id !== 'string' || id === '') return floating
  const zone = zones.find(id)
  if (!zone) warn('UNKNOWN_TIME_ZONE')
  return zone ?? floating
}

/** Dates end in the year 275760, so no event may last for ever. */
const longest = Temporal.Duration.from({ days: 36_600 })

function toNominal(text: string): Length | null {
  try {
    const nominal = Temporal.Duration.from(text.trim())
    return { nominal: isTooLong(nominal) ? longest : nominal }
  } catch {
    return null
  }
}

function isTooLong({ years, months, weeks, days, hours, minutes, seconds }: Temporal.Duration): boolean {
  const timeDays = (hours + minutes / 60 + seconds / 3600) / 24
  return years * 366 + months * 31 + weeks * 7 + days + timeDays > longest.days
}

/** When an occurrence that begins at `start` ends. Days are by the wall clock, hours are exact (RFC 5545, 3.3.6). */
export function addLength(
  { local, zone, ms }: Pick<Moment, 'local' | 'zone' | 'ms'>,
  length: Length,
): number {
  if ('exactMs' in length) return ms + length.exactMs
  const { years, months, weeks, days } = length.nominal
  const { hours, minutes, seconds } = length.nominal
  const hasDays = years || months || weeks || days
  const dayMs = hasDays ? zone.toMs(local.add({ years, months, weeks, days })) : ms
  return dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000
}
