/**
 * Calendars of Microsoft Graph, version 1.0, as far as the provider uses them.
 * https://learn.microsoft.com/graph/api/event-delta, …/graph/delta-query-events; of the delta of a series:
 * github.com/microsoftgraph/microsoft-graph-docs issues 7632 and 22197, pull request 4501
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

export interface MicrosoftSimulator extends CalendarSimulator {
  oauth: SimulatedOAuth
}

const pageMax = 100

export async function startMicrosoftCalendar({
  port = 0,
}: {
  port?: number
} = {}): Promise<MicrosoftSimulator> {
  const oauth = createOAuth({
    label: 'Outlook',
    authorizePath: '/common/oauth2/v2.0/authorize',
    tokenPath: '/common/oauth2/v2.0/token',
    rotates: true,
  })
  const server = await startCalendarServer({
    port,
    api,
    oauth,
    isAuthorized: oauth.isValid,
    formatError: status => formatError(codes[status] ?? 'UnknownError'),
  })
  return { ...server, oauth }
}

const codes: Record<number, string> = {
  401: 'InvalidAuthenticationToken',
  403: 'ErrorAccessDenied',
  404: 'ErrorItemNotFound',
  410: 'SyncStateNotFound',
  412: 'ErrorIrresolvableConflict',
  429: 'ApplicationThrottled',
}

const formatError = (code: string, message = code) => ({
  error: { code, message, innerError: { date: '2026-11-26T10:00:00' } },
})

const refuse = (status: number, code: string, message?: string): ApiAnswer => ({
  status,
  body: formatError(code, message),
})

const api: CalendarApi = (request, store, origin) => {
  const path = request.url.pathname.replace(/^\/v1\.0\/me/, '')
  if (path === '/calendars') return { status: 200, body: { value: listCalendars(store) } }
  const [, eventId] = /^\/events\/([^/]+)$/.exec(path) ?? []
  if (eventId) return changeEvent(request, decodeURIComponent(eventId), store)
  const [, calendarId = '', rest] = /^\/calendars\/([^/]+)\/(.+)$/.exec(path) ?? []
  const calendar = store.calendars.find(one => one.id === decodeURIComponent(calendarId))
  if (!calendar) return refuse(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
  if (rest === 'calendarView/delta') return readDelta(request.url, calendar.id, store, origin)
  if (rest === 'calendarView') return readView(request.url, calendar.id, store)
  if (rest !== 'events') return refuse(400, 'BadRequest', 'Resource not found for the segment.')
  if (request.method === 'GET') return findEvents(request.url.searchParams, calendar.id, store)
  if (!calendar.isWritable) return refuse(403, 'ErrorAccessDenied', 'Access is denied.')
  return createEvent(request, calendar.id, store)
}

const listCalendars = ({ calendars }: CalendarStore) =>
  calendars.map(({ id, name, isPrimary, isWritable }) => ({
    id,
    name,
    isDefaultCalendar: isPrimary,
    canEdit: isWritable,
  }))

const toEtag = ({ change }: SimulatedEvent) => `W/"DwAAABYAAA${change}"`
const show = (status: number, event: SimulatedEvent): ApiAnswer => ({
  status,
  body: { '@odata.etag': toEtag(event), id: event.id, iCalUId: event.uid },
})

function changeEvent({ method, headers, body }: ApiRequest, id: string, store: CalendarStore): ApiAnswer {
  const event = store.events.get(id)
  if (!event || event.isDeleted)
    return refuse(404, 'ErrorItemNotFound', 'The specified object was not found in the store.')
  if (method === 'GET') return { status: 200, body: toItem(event, { ...event, index: 0 }) }
  if (method === 'DELETE') {
    store.change(id, { isDeleted: true })
    return { status: 204 }
  }
  const ifMatch = headers['if-match']
  if (ifMatch && ifMatch !== toEtag(event))
    return refuse(412, 'ErrorIrresolvableConflict', 'The send or update operation could not be performed.')
  return show(200, store.change(id, parseFields(body))!)
}

/** The same transaction id twice is the same event. */
function createEvent({ body }: ApiRequest, calendarId: string, store: CalendarStore): ApiAnswer {
  const { transactionId = '', singleValueExtendedProperties: properties = [] } = JSON.parse(body)
  const known = [...store.events.values()].find(
    one => transactionId && one.own.transactionId === transactionId,
  )
  if (known) return show(201, known)
  const own = { transactionId, property: properties[0]?.value ?? '' }
  return show(201, store.create({ title: '', start: '', end: '', ...parseFields(body), calendarId, own }))
}

function findEvents(query: URLSearchParams, calendarId: string, store: CalendarStore): ApiAnswer {
  const [, wanted] = /ep\/value eq '(.*)'\)$/.exec(query.get('$filter') ?? '') ?? []
  if (wanted === undefined) return refuse(400, 'ErrorInvalidUrlQueryFilter')
  const value = wanted.replaceAll("''", "'")
  const found = [...store.events.values()].filter(
    one => one.calendarId === calendarId && !one.isDeleted && one.own.property === value,
  )
  return { status: 200, body: { value: found.map(({ id }) => ({ id })) } }
}

function parseFields(text: string): Partial<SimulatedEvent> {
  const body = JSON.parse(text)
  const toInstant = (time: { dateTime: string }) => new Date(`${time.dateTime}Z`).toISOString()
  return {
    title: body.subject ?? '',
    description: body.body?.content ?? '',
    location: body.location?.displayName ?? '',
    start: toInstant(body.start),
    end: toInstant(body.end),
    isTentative: body.showAs === 'tentative',
  }
}

function readView(
  { searchParams, origin, pathname }: URL,
  calendarId: string,
  store: CalendarStore,
): ApiAnswer {
  const [from, to] = [searchParams.get('startDateTime'), searchParams.get('endDateTime')]
  if (!from || !to) return refuse(400, 'ErrorInvalidParameter')
  const items = store
    .listChanged(calendarId, 0)
    .flatMap(event => expand(event, from, to).map(one => [event, one] as const))
    .filter(([, { isDeleted }]) => !isDeleted)
    .map(([event, one]) => toItem(event, one))
  const skip = Number(searchParams.get('$skip') ?? 0)
  const next = new URLSearchParams(searchParams)
  next.set('$skip', String(skip + pageMax))
  return {
    status: 200,
    body: {
      value: items.slice(skip, skip + pageMax),
      ...(skip + pageMax < items.length ? { '@odata.nextLink': `${origin}${pathname}?${next}` } : {}),
    },
  }
}

interface State {
  since: number
  next: number
  from: string
  to: string
  offset: number
  epoch: number
}

const encode = (state: State) => Buffer.from(JSON.stringify(state)).toString('base64url')
const decode = (token: string): State => JSON.parse(Buffer.from(token, 'base64url').toString())

function readDelta(
  { searchParams, pathname }: URL,
  calendarId: string,
  store: CalendarStore,
  origin: string,
): ApiAnswer {
  const [skipToken, deltaToken] = [searchParams.get('$skiptoken'), searchParams.get('$deltatoken')]
  const state: State = skipToken
    ? decode(skipToken)
    : {
        from: searchParams.get('startDateTime') ?? '',
        to: searchParams.get('endDateTime') ?? '',
        since: 0,
        epoch: store.epoch,
        ...(deltaToken ? decode(deltaToken) : {}),
        next: store.lastChange(),
        offset: 0,
      }
  if (!state.from || !state.to) return refuse(400, 'ErrorInvalidParameter')
  if (state.epoch !== store.epoch)
    return refuse(410, 'SyncStateNotFound', 'The sync state generation is not found.')
  const items = store.listChanged(calendarId, state.since).flatMap(event => toChanges(event, state))
  const end = state.offset + pageMax
  const toLink = (name: string, next: State) => `${origin}${pathname}?${name}=${encode(next)}`
  return {
    status: 200,
    body: {
      value: items.slice(state.offset, end),
      ...(end < items.length
        ? { '@odata.nextLink': toLink('$skiptoken', { ...state, offset: end }) }
        : { '@odata.deltaLink': toLink('$deltatoken', { ...state, since: state.next, offset: 0 }) }),
    },
  }
}

/** A deleted occurrence of a series is missing without a word; occurrences have few fields. */
function toChanges(event: SimulatedEvent, { since, from, to }: State): object[] {
  const occurrences = expand(event, from, to)
  if (!event.repeats && (event.isDeleted || occurrences.length === 0))
    return since > 0 ? [{ id: event.id, '@removed': { reason: 'deleted' } }] : []
  if (event.isDeleted)
    return since > 0
      ? occurrences.map(one => ({ id: toId(event, one), '@removed': { reason: 'deleted' } }))
      : []
  const shown = occurrences.filter(({ isDeleted }) => !isDeleted)
  if (!event.repeats) return shown.map(one => toItem(event, one))
  return shown.map(one => {
    const { id, type, seriesMasterId, start, end } = toItem(event, one)
    return { '@odata.etag': toEtag(event), id, type, seriesMasterId, start, end }
  })
}

const toId = (event: SimulatedEvent, { index }: Occurrence) =>
  event.repeats ? `${event.id}.${index}` : event.id

function toItem(event: SimulatedEvent, occurrence: Occurrence) {
  const toTime = (time: string) => ({
    dateTime: `${time.slice(0, 19).replace('Z', '')}${event.isAllDay ? 'T00:00:00' : ''}.0000000`,
    timeZone: 'UTC',
  })
  return {
    '@odata.etag': toEtag(event),
    id: toId(event, occurrence),
    iCalUId: event.uid,
    transactionId: event.own.transactionId ?? null,
    type: event.repeats ? 'occurrence' : 'singleInstance',
    seriesMasterId: event.repeats ? event.id : null,
    subject: event.title,
    isAllDay: event.isAllDay,
    isCancelled: false,
    showAs: event.isFree ? 'free' : event.isTentative ? 'tentative' : 'busy',
    responseStatus: { response: 'organizer' },
    start: toTime(occurrence.start),
    end: toTime(occurrence.end),
  }
}
