/** Finds the calendars of a person (RFC 6764, RFC 4791 section 6.2.1): principal, home, and what is in it. */
import { type CalendarContext, CalendarError, type ExternalCalendar } from '../../calendar.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { CalDavCredentials } from './credentials.ts'
import { type Dav, type DavResponse, label, openDav } from './dav.ts'
import { formatPropfind } from './requests.ts'
import { contains, findChild, findText } from './xml.ts'

const calendarsMax = 200
const listed = formatPropfind(
  'd:resourcetype',
  'd:displayname',
  'd:current-user-privilege-set',
  'c:supported-calendar-component-set',
  'c:calendar-timezone',
)

export async function listCalendars(
  credentials: CalDavCredentials,
  context: CalendarContext<CalDavCredentials>,
): Promise<ExternalCalendar[]> {
  const dav = openDav(credentials, context)
  const start = await findStart(dav)
  const principal = findHref(dav, start, 'current-user-principal')
  const home =
    principal && findHref(dav, await readOne(dav, principal, 'c:calendar-home-set'), 'calendar-home-set')
  const depth = home ? 1 : 0
  const { responses } = await dav.list({ method: 'PROPFIND', url: home ?? start.url, depth, body: listed })
  const calendars = responses.filter(isCalendar).slice(0, calendarsMax).map(toCalendar)
  if (!home && calendars.length === 0) throw fail('NOT_A_CALENDAR', label)
  const primary = calendars.find(({ isWritable }) => isWritable)
  return calendars.map(calendar => ({ ...calendar, isPrimary: calendar === primary }))
}

/** The address itself, then the well-known one of its host. A wrong password ends the search. */
async function findStart(dav: Dav): Promise<DavResponse> {
  const { home } = dav
  const urls = new Map([home.href, '/.well-known/caldav', '/'].map(path => [new URL(path, home).href, path]))
  let failure: unknown = fail('NOT_A_CALENDAR', label)
  for (const path of urls.values()) {
    try {
      return await readOne(dav, new URL(path, home), 'd:current-user-principal')
    } catch (error) {
      const isElsewhere =
        error instanceof CalendarError && ['NOT_FOUND', 'NOT_A_CALENDAR', 'REJECTED'].includes(error.code)
      if (!isElsewhere) throw error
      if (error.code === 'REJECTED') failure = error
    }
  }
  throw failure
}

async function readOne(dav: Dav, url: URL, property: string): Promise<DavResponse> {
  const body = formatPropfind(property, 'd:resourcetype')
  const { responses } = await dav.list({ method: 'PROPFIND', url, depth: 0, body })
  if (!responses[0]) throw fail('NOT_A_CALENDAR', label)
  return responses[0]
}

function findHref(dav: Dav, { properties, url }: DavResponse, name: string): URL | null {
  const href = findText(properties, name, 'href')
  return href === null ? null : dav.resolve(href, url)
}

/** Lists of tasks are calendars as well. */
function isCalendar({ properties }: DavResponse): boolean {
  const components = findChild(properties, 'supported-calendar-component-set')?.children ?? []
  const hasEvents = components.some(({ attributes }) => attributes.name?.toUpperCase() === 'VEVENT')
  const isCollection = contains(findChild(properties, 'resourcetype'), 'calendar')
  return isCollection && (components.length === 0 || hasEvents)
}

function toCalendar({ url, properties }: DavResponse): ExternalCalendar {
  const privileges = findChild(properties, 'current-user-privilege-set')
  const canWrite = ['write', 'write-content', 'all'].some(name => contains(privileges, name))
  return {
    id: url.href,
    name: findText(properties, 'displayname') ?? toName(url),
    isPrimary: false,
    isWritable: privileges === null || canWrite,
    timezone: findTimezone(findText(properties, 'calendar-timezone')),
  }
}

const toName = ({ pathname, host }: URL) => pathname.split('/').filter(Boolean).at(-1) ?? host

function findTimezone(text: string | null): string | null {
  const name = /^TZID:(.+?)\s*$/m.exec(text ?? '')?.[1]
  try {
    return name ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : null
  } catch {
    return null
  }
}
