/** The bodies of requests, and the ids of calendar objects. */
import type { CalendarRange } from '../../calendar.ts'
import { escapeXml } from './xml.ts'

const namespaces =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'
const format = (name: string, content: string) =>
  `<?xml version="1.0" encoding="utf-8"?><${name} ${namespaces}>${content}</${name}>`
const formatProperties = (names: string[]) => `<d:prop>${names.map(name => `<${name}/>`).join('')}</d:prop>`

export const formatPropfind = (...names: string[]): string => format('d:propfind', formatProperties(names))

const toTime = (instant: Temporal.Instant) => instant.round('second').toString().replace(/[-:]/g, '')

/** Events with an occurrence in the range (RFC 4791, 7.8). */
export const formatQuery = ({ from, to }: CalendarRange): string =>
  format(
    'c:calendar-query',
    `${formatProperties(['d:getetag'])}<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">` +
      `<c:time-range start="${toTime(from)}" end="${toTime(to)}"/></c:comp-filter></c:comp-filter></c:filter>`,
  )

export const formatMultiget = (paths: string[]): string =>
  format(
    'c:calendar-multiget',
    formatProperties(['d:getetag', 'c:calendar-data']) +
      paths.map(path => `<d:href>${escapeXml(path)}</d:href>`).join(''),
  )

/** What has changed since the token (RFC 6578). */
export const formatSync = (token: string): string =>
  format(
    'd:sync-collection',
    `<d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level>${formatProperties(['d:getetag'])}`,
  )

/** Servers encode the same path in different ways. */
export function toObjectId({ pathname }: URL): string {
  try {
    return pathname
      .split('/')
      .map(part => encodeURIComponent(decodeURIComponent(part)))
      .join('/')
  } catch {
    return pathname
  }
}
