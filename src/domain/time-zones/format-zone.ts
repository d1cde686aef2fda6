/** How people read a time zone: its city in their language, and its offset from UTC. */
import type { MessageLanguage } from '../messaging/opt-out-words.ts'
import { cities } from './cities.generated.ts'

/** `Madrid (UTC+1)`. `locale`: of the reader, such as `pt-PT`. */
export function formatZone(id: string, atMs: number, locale: string): string {
  const language = locale.split('-', 1)[0] as MessageLanguage
  const [city, offset] = [cities[language]?.[id] ?? toCity(id), formatOffset(id, atMs)]
  return city === offset ? city : `${city} (${offset})`
}

/** The English name in the id. */
export const toCity = (id: string): string => id.split('/').at(-1)!.replaceAll('_', ' ')

/** `UTC+1`. */
export function formatOffset(id: string, atMs: number): string {
  const minutes = Math.round(getOffsetNs(id, atMs) / 60_000_000_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const sign = minutes < 0 ? '−' : '+'
  return `UTC${minutes === 0 ? '' : `${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`}`
}

export const getOffsetNs = (id: string, atMs: number): number =>
  Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(id).offsetNanoseconds
