/** What a visitor has chosen: language, time zone, embedding. It is in the query of every link, so no cookie is needed. */
import type { IncomingHttpHeaders } from 'node:http'
import { findAcceptedLanguage, findLanguage } from '../../../documents/visitor-language.ts'
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import { toTimezone } from '../../../kit/time-zone.ts'
import { getBookingWords } from './languages.ts'
import type { BookingWords } from './words.ts'

export interface Visit {
  language: MessageLanguage
  words: BookingWords
  /** IANA: in which times are shown. */
  timezone: string
  /** False: it is the default, and the browser may know better. */
  isTimezoneChosen: boolean
  /** The page is in a frame of another site. */
  isEmbedded: boolean
  /** The parameters that every link carries. */
  carried: [name: string, value: string][]
}

export interface VisitDefaults {
  /** The language of the page, whatever the browser prefers; null: the browser's. */
  language: string | null
  /** If the browser prefers none that the pages have. */
  fallback: MessageLanguage
  timezone: string
}

const zoneMax = 100

export function readVisit(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  defaults: VisitDefaults,
): Visit {
  const chosenLanguage = findLanguage(query.get('lang'))
  const language =
    chosenLanguage ??
    findLanguage(defaults.language) ??
    findAcceptedLanguage(headers['accept-language']) ??
    defaults.fallback
  const chosenZone = toTimezone((query.get('tz') ?? '').slice(0, zoneMax))
  const isEmbedded = query.get('embed') === '1'
  return {
    language,
    words: getBookingWords(language),
    timezone: chosenZone ?? defaults.timezone,
    isTimezoneChosen: query.has('tz'),
    isEmbedded,
    carried: [
      ...(chosenLanguage ? [['lang', chosenLanguage] as [string, string]] : []),
      ...(chosenZone ? [['tz', chosenZone] as [string, string]] : []),
      ...(isEmbedded ? [['embed', '1'] as [string, string]] : []),
    ],
  }
}

/** A query for a link: what the visitor has chosen, with these parameters. It begins with `?`. */
export function toQuery({ carried }: Pick<Visit, 'carried'>, params: Record<string, string> = {}): string {
  const query = new URLSearchParams(carried)
  for (const [name, value] of Object.entries(params)) query.set(name, value)
  return `?${query}`
}
