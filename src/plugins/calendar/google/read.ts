/** Reads a Google calendar: all occurrences of a range, and then what changes, by its sync token. */
import { asList, asObject, asText } from '../../../kit/json-values.ts'
import {
  type CalendarChanges,
  type CalendarConnection,
  type CalendarContext,
  CalendarError,
  type CalendarRange,
  type ExternalCalendar,
  type ExternalEvent,
} from '../../calendar.ts'
import {
  type Busy,
  type Collector,
  clipBusy,
  createCollector,
  toBusyDays,
} from '../../calendar-kit/busy-times.ts'
import { extendRange, findCursor, formatCursor } from '../../calendar-kit/cursor.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { readPages } from '../../calendar-kit/oauth-session.ts'
import { label, toApiUrl, toEventsPath } from './endpoints.ts'
import { openSession } from './session.ts'

type Context = CalendarContext<OAuthCredentials>
type Item = Record<string, unknown>

/** The private property that holds the UID: Google gives the events that a program creates UIDs of its own. */
export const uidProperty = 'aldabaUid'

const calendarsMax = 200
/** How often all is read: an event that a person moves out of the range may be in no list of changes. */
const completeHours = 6
export const eventFields =
  'id,iCalUID,etag,status,start,end,transparency,eventType,attendees(self,responseStatus),extendedProperties/private'

export async function listCalendars(
  credentials: OAuthCredentials,
  context: Context,
): Promise<ExternalCalendar[]> {
  const query = { minAccessRole: 'freeBusyReader', maxResults: '250' }
  const { body } = await openSession(credentials, context).call({
    url: toApiUrl(context.baseUrl, '/users/me/calendarList', query),
  })
  return asList(body.items)
    .map(asObject)
    .flatMap(item => {
      const id = asText(item?.id)
      if (!item || id === null) return []
      return {
        id,
        name: asText(item.summaryOverride) ?? asText(item.summary) ?? id,
        isPrimary: item.primary === true,
        isWritable: item.accessRole === 'owner' || item.accessRole === 'writer',
        timezone: asText(item.timeZone),
      }
    })
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .slice(0, calendarsMax)
}

export async function readChanges(
  { credentials, externalId, timezone }: CalendarConnection<OAuthCredentials>,
  { cursor, range: requested }: { cursor: string | null; range: CalendarRange },
  context: Context,
): Promise<CalendarChanges> {
  const session = openSession(credentials, context)
  const known = findCursor(cursor, requested)
  const range = known?.range ?? extendRange(requested, completeHours)
  const collector = createCollector(label)
  const query = {
    singleEvents: 'true',
    maxResults: '2500',
    maxAttendees: '1',
    fields: `nextPageToken,nextSyncToken,items(${eventFields})`,
    ...(known
      ? { syncToken: known.token }
      : { timeMin: range.from.toString(), timeMax: range.to.toString() }),
  }
  const toUrl = (page: Record<string, string>) =>
    toApiUrl(context.baseUrl, toEventsPath(externalId), { ...query, ...page })
  let syncToken: string | null = null
  const read = readPages(label, toUrl({}), async url => {
    const { body } = await session.call({ url })
    if (!Array.isArray(body.items) && !asText(body.nextSyncToken)) throw fail('UNAVAILABLE', label)
    for (const item of asList(body.items)) collect(asObject(item) ?? {}, { collector, range, timezone })
    syncToken = asText(body.nextSyncToken)
    const pageToken = asText(body.nextPageToken)
    return pageToken && toUrl({ pageToken })
  })
  await read.catch((error: unknown) => {
    // Google also says 400 of a token that it can't read.
    if (known && error instanceof CalendarError && error.code === 'REJECTED')
      throw fail('CURSOR_EXPIRED', label, { cause: error })
    throw error
  })
  return collector.finish(known === null, syncToken && formatCursor({ token: syncToken, range }))
}

function collect(
  item: Item,
  { collector, ...reading }: { collector: Collector; range: CalendarRange; timezone: string },
): void {
  const id = asText(item.id)
  if (id === null) return
  const event = item.status === 'cancelled' ? null : toExternalEvent(id, item, reading)
  if (event) collector.add(event)
  else if (item.status === 'cancelled') collector.remove(id)
  else collector.skip()
}

/** Null: it has no times that can be read. */
export function toExternalEvent(
  id: string,
  item: Item,
  { range, timezone }: { range: CalendarRange; timezone: string },
): ExternalEvent | null {
  const busy = findBusy(item, timezone)
  if (!busy) return null
  const ownUid = asText(asObject(asObject(item.extendedProperties)?.private)?.[uidProperty])
  return {
    id,
    uid: ownUid ?? asText(item.iCalUID) ?? id,
    version: asText(item.etag),
    busy: isFree(item) ? [] : clipBusy(busy, range),
  }
}

const freeTypes = ['workingLocation', 'birthday']

function isFree({ transparency, eventType, attendees }: Item): boolean {
  const hasDeclined = asList(attendees)
    .map(asObject)
    .some(one => one?.self === true && one.responseStatus === 'declined')
  return transparency === 'transparent' || freeTypes.includes(asText(eventType) ?? '') || hasDeclined
}

function findBusy({ start, end }: Item, timezone: string): Busy | null {
  const [from, to] = [asObject(start), asObject(end)]
  try {
    const [fromDate, toDate] = [asText(from?.date), asText(to?.date)]
    if (fromDate && toDate) return toBusyDays(fromDate, toDate, timezone)
    const toInstant = (value: unknown) => Temporal.Instant.from(asText(value) ?? '')
    return { start: toInstant(from?.dateTime), end: toInstant(to?.dateTime) }
  } catch {
    return null
  }
}
