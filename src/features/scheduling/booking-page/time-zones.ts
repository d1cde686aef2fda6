/** The time zones that the pages offer, and how they are shown. */

/** Where most visitors are. The zone of the agency and that of the visitor's device are added. */
const offered = [
  'Pacific/Honolulu',
  'America/Los_Angeles',
  'America/Denver',
  'America/Mexico_City',
  'America/Chicago',
  'America/Bogota',
  'America/Lima',
  'America/New_York',
  'America/Toronto',
  'America/Caracas',
  'America/Santiago',
  'America/Argentina/Buenos_Aires',
  'America/Montevideo',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'Atlantic/Canary',
  'Europe/Dublin',
  'Europe/Lisbon',
  'Europe/London',
  'Africa/Casablanca',
  'Europe/Amsterdam',
  'Europe/Berlin',
  'Europe/Brussels',
  'Europe/Madrid',
  'Europe/Paris',
  'Europe/Rome',
  'Europe/Stockholm',
  'Europe/Warsaw',
  'Europe/Zurich',
  'Europe/Athens',
  'Europe/Bucharest',
  'Europe/Helsinki',
  'Europe/Kyiv',
  'Africa/Johannesburg',
  'Europe/Istanbul',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
]

export interface OfferedZone {
  id: string
  label: string
}

/** Sorted by offset from UTC, then by name. `chosen` and `own` are always among them. */
export function listZones(chosen: string, own: string, atMs: number): OfferedZone[] {
  return [...new Set([...offered, chosen, own])]
    .map(id => ({ id, label: formatZone(id, atMs), offset: getOffsetNs(id, atMs) }))
    .sort((a, b) => a.offset - b.offset || a.label.localeCompare(b.label))
    .map(({ id, label }) => ({ id, label }))
}

/** `Madrid (UTC+1)`. */
export function formatZone(id: string, atMs: number): string {
  const [city, offset] = [toCity(id), formatOffset(id, atMs)]
  return city === offset ? city : `${city} (${offset})`
}

const toCity = (id: string): string => id.split('/').at(-1)!.replaceAll('_', ' ')

/** `UTC+1`. */
export function formatOffset(id: string, atMs: number): string {
  const minutes = Math.round(getOffsetNs(id, atMs) / 60_000_000_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const sign = minutes < 0 ? '−' : '+'
  return `UTC${minutes === 0 ? '' : `${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`}`
}

const getOffsetNs = (id: string, atMs: number): number =>
  Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(id).offsetNanoseconds
