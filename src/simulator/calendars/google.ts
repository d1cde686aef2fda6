/**
 * The Google Calendar API, version 3, as far as the provider uses it.
 * https://developers.google.com/calendar/api/v3/reference, …/guides/sync, …/guides/errors
 */
import { createOAuth, type SimulatedOAuth } from './oauth.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  type CalendarApi,
  type CalendarSimulator,
  startCalendarServer,
} from './server.ts'
import { type CalendarStore, expand, type Occurrence, type SimulatedEvent } from './store.ts'

export interface GoogleSimulator extends CalendarSimulator {
  oauth: SimulatedOAuth
}

/** The real one has up to 2,500; a test reads more than one page soon. */
const pageMax = 100

export async function startGoogleCalendar({ port = 0 }: { port?: number } = {}): Promise<GoogleSimulator> {
  const oauth = createOAuth({
    label: 'Google Calendar',
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    rotates: false,
  })
  const server = await startCalendarServer({
    port,
    api,
    oauth,
    isAuthorized: oauth.isValid,
    formatError: status => formatError(status, reasons[status] ?? 'backendError'),
  })
  return { ...server, oauth }
}

const reasons: Record<number, string> = {
  401: 'authError',
  403: 'rateLimitExceeded',
  404: 'notFound',
  410: 'fullSyncRequired',
  412: 'conditionNotMet',
  429: 'rateLimitExceeded',
}

const formatError = (code: number, reason: string, message = reason) => ({
  error: { code, message, errors: [{ domain: 'calendar', reason, message }] },
})

const refuse = (status: number, reason: string, message?: string): ApiAnswer => ({
  status,
  body: formatError(status, reason, message),
})

const api: CalendarApi = (request, store) => {
  const { method, url } = request
  const [, path = ''] = /^\/calendar\/v3(.*)$/.exec(url.pathname) ?? []
  if (path === '/users/me/calendarList') return { status: 200, body: { items: listCalendars(store) } }
  const [, calendarId = '', id] = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path) ?? []
  const calendar = store.calendars.find(one => one.id === decodeURIComponent(calendarId))
  if (!calendar) return refuse(404, 'notFound', 'Not Found')
  const event = id && store.events.get(id)
  if (method === 'GET' && !id) return listEvents(url.searchParams, calendar.id, store)
  if (method === 'GET' && event && event.calendarId === calendar.id)
    return { status: 200, body: toItem(event, { ...event, index: 0 }) }
  if (!calendar.isWritable)
    return refuse(403, 'requiredAccessLevel', 'You need to have writer access to this calendar.')
  if (method === 'POST') return insert(request, calendar.id, store)
  if (!event || event.calendarId !== calendar.id) return refuse(404, 'notFound', 'Not Found')
  if (method === 'DELETE') {
    if (event.isDeleted) return refuse(410, 'deleted', 'Resource has been deleted')
    store.change(event.id, { isDeleted: true })
    return { status: 204 }
  }
  const ifMatch = request.headers['if-match']
  if (ifMatch && ifMatch !== toEtag(event)) return refuse(412, 'conditionNotMet', 'Precondition Failed')
  return show(store.change(event.id, parseFields(request.body))!)
}

const listCalendars = ({ calendars }: CalendarStore) =>
  calendars.map(({ id, name, isPrimary, isWritable, timezone }) => ({
    id,
    summary: name,
    primary: isPrimary || undefined,
    accessRole: isWritable ? 'owner' : 'reader',
    timeZone: timezone,
  }))

const toEtag = ({ change }: SimulatedEvent) => `"${change}"`
const show = (event: SimulatedEvent): ApiAnswer => ({
  status: 200,
  body: { id: event.id, etag: toEtag(event) },
})

function insert({ body }: ApiRequest, calendarId: string, store: CalendarStore): ApiAnswer {
  const { id } = JSON.parse(body)
  if (id !== undefined && !/^[0-9a-v]{5,1024}$/.test(id))
    return refuse(400, 'invalid', 'Invalid resource id value.')
  if (id !== undefined && store.events.has(id))
    return refuse(409, 'duplicate', 'The requested identifier already exists.')
  const fields = { title: '', start: '', end: '', ...parseFields(body) }
  return show(store.create({ ...fields, calendarId, ...(id === undefined ? {} : { id }) }))
}

function parseFields(text: string): Partial<SimulatedEvent> {
  const body = JSON.parse(text)
  return {
    title: body.summary ?? '',
    description: body.description ?? '',
    location: body.location ?? '',
    start: new Date(body.start.dateTime).toISOString(),
    end: new Date(body.end.dateTime).toISOString(),
    isTentative: body.status === 'tentative',
    isDeleted: body.status === 'cancelled',
    own: body.extendedProperties?.private ?? {},
  }
}

interface Page {
  since: number
  next: number
  from: string
  to: string
  offset: number
  epoch: number
}

const encode = (page: Page) => Buffer.from(JSON.stringify(page)).toString('base64url')
const decode = (token: string): Page => JSON.parse(Buffer.from(token, 'base64url').toString())

function listEvents(query: URLSearchParams, calendarId: string, store: CalendarStore): ApiAnswer {
  const syncToken = query.get('syncToken')
  if (syncToken && (query.has('timeMin') || query.has('timeMax')))
    return refuse(
      400,
      'syncTokenWithRequestRestrictions',
      'Sync token cannot be used with other request restrictions.',
    )
  const pageToken = query.get('pageToken')
  const page: Page = pageToken
    ? decode(pageToken)
    : {
        from: query.get('timeMin') ?? '2000-01-01T00:00:00Z',
        to: query.get('timeMax') ?? '2100-01-01T00:00:00Z',
        since: 0,
        epoch: store.epoch,
        ...(syncToken ? decode(syncToken) : {}),
        next: store.lastChange(),
        offset: 0,
      }
  if (page.epoch !== store.epoch)
    return refuse(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.')
  const items = store.listChanged(calendarId, page.since).flatMap(event => toItems(event, page))
  const end = page.offset + Math.min(pageMax, Number(query.get('maxResults') ?? 250))
  const isLast = end >= items.length
  return {
    status: 200,
    body: {
      kind: 'calendar#events',
      items: items.slice(page.offset, end),
      ...(isLast
        ? { nextSyncToken: encode({ ...page, since: page.next, offset: 0 }) }
        : { nextPageToken: encode({ ...page, offset: end }) }),
    },
  }
}

/** With `singleEvents`, a series is its occurrences. A complete list has no deleted ones. */
function toItems(event: SimulatedEvent, { since, from, to }: Page): object[] {
  return expand(event, from, to)
    .filter(({ isDeleted }) => since > 0 || !isDeleted)
    .map(occurrence => toItem(event, occurrence))
}

function toItem(event: SimulatedEvent, { index, start, end, isDeleted }: Occurrence): object {
  const suffix = event.repeats ? `_${start.replace(/[-:]|\.\d+/g, '')}` : ''
  const id = `${event.id}${suffix}`
  if (isDeleted) return { id, status: 'cancelled', etag: toEtag(event) }
  const toTime = (time: string) => (event.isAllDay ? { date: time } : { dateTime: time })
  return {
    id,
    etag: toEtag(event),
    status: event.isTentative ? 'tentative' : 'confirmed',
    iCalUID: event.uid,
    summary: event.title,
    eventType: 'default',
    start: toTime(start),
    end: toTime(end),
    ...(event.isFree ? { transparency: 'transparent' } : {}),
    ...(event.repeats ? { recurringEventId: event.id, originalStartTime: toTime(start), index } : {}),
    ...(Object.keys(event.own).length > 0 ? { extendedProperties: { private: event.own } } : {}),
  }
}
