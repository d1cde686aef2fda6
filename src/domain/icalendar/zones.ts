/** The time zones that an iCalendar text names: IANA's, those of Windows, and its own VTIMEZONE components. */
import ICAL from 'ical.js'
import { findIana, type WindowsZoneName } from 'windows-iana'
import type { RawComponent } from './split-components.ts'

export interface Zone {
  /** Takes the first of two instants with the same local time; a local time that does not exist means the hour after. */
  toMs(local: Temporal.PlainDateTime): number
  toLocal(ms: number): Temporal.PlainDateTime
}

export interface Zones {
  /** `id`: a TZID. Null: it is unknown. */
  find(id: string): Zone | null
}

const observancesMax = 200
/** Clocks are set back by less. */
const overlapMaxHours = 3
/** Daily rules would not be a time zone, and would take long. */
const yearly = /^FREQ=YEARLY(?:;|$)/i

export function createZones(components: RawComponent[]): Zones {
  const own = new Map<string, RawComponent>()
  for (const component of components) {
    const id = component.kind === 'VTIMEZONE' ? findText(component.lines, 'TZID') : null
    if (id && !own.has(id)) own.set(id, component)
  }
  const known = new Map<string, Zone | null>()
  return {
    find(id) {
      const name = id.trim()
      const found = known.get(name)
      if (found !== undefined) return found
      const zone = findNamed(name) ?? readOwn(own.get(name))
      known.set(name, zone)
      return zone
    },
  }
}

/** A zone of IANA; null: there is none of this name. */
export function createIanaZone(id: string): Zone | null {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(id)
  } catch {
    return null
  }
  return {
    toMs: local => local.toZonedDateTime(id, { disambiguation: 'compatible' }).epochMilliseconds,
    toLocal: ms => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(id).toPlainDateTime(),
  }
}

export const utc = createIanaZone('UTC')!

/** Names of IANA, also behind a prefix such as `/citadel.org/20260414_1/Europe/Madrid`, and of Windows. */
function findNamed(name: string): Zone | null {
  if (name.length === 0 || name.length > 200 || /^[+-]/.test(name)) return null
  const windows = findIana(name as WindowsZoneName)?.[0]
  if (windows) return createIanaZone(windows)
  const parts = name.split('/').filter(Boolean)
  const candidates = name.startsWith('/') ? [3, 2, 1].map(count => parts.slice(-count).join('/')) : [name]
  for (const candidate of candidates) {
    const zone = createIanaZone(candidate)
    if (zone) return zone
  }
  return null
}

function readOwn(component: RawComponent | undefined): Zone | null {
  if (!component) return null
  const location = findText(component.lines, 'X-LIC-LOCATION')
  return (location && findNamed(location)) || readRules(component)
}

function readRules({ lines, observances }: RawComponent): Zone | null {
  if (observances.length === 0 || observances.length > observancesMax) return null
  const rules = observances.flat().filter(line => /^RRULE[:;]/i.test(line))
  if (!rules.every(line => yearly.test(line.slice(line.indexOf(':') + 1)))) return null
  try {
    const text = [
      'BEGIN:VTIMEZONE',
      ...lines,
      ...observances.flatMap(own => ['BEGIN:STANDARD', ...own, 'END:STANDARD']),
      'END:VTIMEZONE',
    ]
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text.join('\n')) as never[]))
    const readOffsetMs = (local: Temporal.PlainDateTime) => zone.utcOffset(toIcalTime(local)) * 1000
    readOffsetMs(Temporal.PlainDateTime.from('2026-01-01T00:00'))
    return {
      toMs(local) {
        const offsetMs = readOffsetMs(local)
        const beforeMs = readOffsetMs(local.subtract({ hours: overlapMaxHours }))
        const setBackMs = beforeMs - offsetMs
        // ical.js takes the second of two equal local times.
        const isTwice =
          setBackMs > 0 && readOffsetMs(local.subtract({ milliseconds: setBackMs })) === beforeMs
        return toUtcMs(local) - (isTwice ? beforeMs : offsetMs)
      },
      toLocal: ms => fromUtcMs(ms + readOffsetMs(fromUtcMs(ms + readOffsetMs(fromUtcMs(ms))))),
    }
  } catch {
    return null
  }
}

const toUtcMs = (local: Temporal.PlainDateTime) => local.toZonedDateTime('UTC').epochMilliseconds

const fromUtcMs = (ms: number) => utc.toLocal(ms)

/** A local time for ical.js, in no zone. */
export const toIcalTime = (local: Temporal.PlainDateTime): ICAL.Time =>
  new ICAL.Time(
    {
      year: local.year,
      month: local.month,
      day: local.day,
      hour: local.hour,
      minute: local.minute,
      second: local.second,
      isDate: false,
    },
    ICAL.Timezone.localTimezone,
  )

function findText(lines: string[], name: string): string | null {
  const line = lines.find(line => line.toUpperCase().startsWith(name) && /[:;]/.test(line[name.length] ?? ''))
  return line ? line.slice(line.indexOf(':') + 1).trim() : null
}
