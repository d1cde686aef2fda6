/** The time zones that the pages offer. */
import { formatZone, getOffsetNs } from '../../../domain/time-zones/format-zone.ts'

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

/**
 * Sorted by offset from UTC, then by name. `chosen` and `own` are always among them; another id of the same city is not.
 * `locale`: of the reader.
 */
export function listZones(
  { chosen, own, locale }: { chosen: string; own: string; locale: string },
  atMs: number,
): OfferedZone[] {
  const zones = [...offered, own, chosen].map(id => {
    const label = formatZone(id, atMs, locale)
    return [label, { id, label, offset: getOffsetNs(id, atMs) }] as const
  })
  return [...new Map(zones).values()]
    .sort((a, b) => a.offset - b.offset || a.label.localeCompare(b.label, locale))
    .map(({ id, label }) => ({ id, label }))
}
