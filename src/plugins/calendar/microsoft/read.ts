/** Reads a calendar of Microsoft Graph: all occurrences of a range, and then what changes, by delta query. */
import { asList, asObject, asText } from '../../../kit/json-values.ts'
import type {
  CalendarChanges,
  CalendarConnection,
  CalendarContext,
  CalendarRange,
  ExternalCalendar,
} from '../../calendar.ts'
import { type Collector, createCollector } from '../../calendar-kit/busy-times.ts'
import { extendRange, findCursor, formatCursor } from '../../calendar-kit/cursor.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { readPages, type Session } from '../../calendar-kit/oauth-session.ts'
import { label, toApiUrl, toCalendarPath } from './endpoints.ts'
import { type Item, toExternalEvent } from './event.ts'
import { openSession, preferences } from './session.ts'

type Context = CalendarContext<OAuthCredentials>

const calendarsMax = 200
export const eventFields =
  'id,iCalUId,transactionId,type,isAllDay,isCancelled,showAs,responseStatus,start,end'

export async function listCalendars(
  credentials: OAuthCredentials,
  context: Context,
): Promise<ExternalCalendar[]> {
  const query = { $top: String(calendarsMax), $select: 'id,name,isDefaultCalendar,canEdit' }
  const { body } = await openSession(credentials, context).call({
    url: toApiUrl(context.baseUrl, '/calendars', query),
  })
  return asList(body.value)
    .map(asObject)
    .flatMap(item => {
      const id = asText(item?.id)
      if (!item || id === null) return []
      return {
        id,
        name: asText(item.name) ?? id,
        isPrimary: item.isDefaultCalendar === true,
        isWritable: item.canEdit === true,
        timezone: null,
      }
    })
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .slice(0, calendarsMax)
}

interface Reading {
  session: Session
  baseUrl: string
  calendarPath: string
  range: CalendarRange
  timezone: string
}

/**
 * The delta of a series has occurrences without their state, and says nothing of one that was deleted. So if a series
 * has changed, or something is gone, the whole range is read anew.
 */
export async function readChanges(
  { credentials, externalId, timezone }: CalendarConnection<OAuthCredentials>,
  { cursor, range: requested }: { cursor: string | null; range: CalendarRange },
  context: Context,
): Promise<CalendarChanges> {
  const known = findCursor(cursor, requested)
  const reading: Reading = {
    session: openSession(credentials, context),
    baseUrl: context.baseUrl,
    calendarPath: toCalendarPath(externalId),
    range: known?.range ?? extendRange(requested),
    timezone,
  }
  const changes = createCollector(label)
  const { token, hasSeries } = await readDelta(reading, known?.token ?? null, changes)
  const nextCursor = token && formatCursor({ token, range: reading.range })
  if (known && !hasSeries && !changes.hasRemoved) return changes.finish(false, nextCursor)
  return (await readRange(reading)).finish(true, nextCursor)
}

/** Collects single events. `token` is that of the next delta. */
async function readDelta(
  reading: Reading,
  token: string | null,
  collector: Collector,
): Promise<{ token: string | null; hasSeries: boolean }> {
  const { session, baseUrl, calendarPath, range } = reading
  const toUrl = (query: Record<string, string>) =>
    toApiUrl(baseUrl, `${calendarPath}/calendarView/delta`, query)
  let nextToken: string | null = null
  let hasSeries = false
  await readPages(label, toUrl(token ? { $deltatoken: token } : toTimes(range)), async url => {
    const body = await readPage(session, url, ['odata.maxpagesize=200'])
    for (const item of asList(body.value)) {
      const event = asObject(item) ?? {}
      hasSeries ||= asText(event.seriesMasterId) !== null || event.type === 'seriesMaster'
      collect(event, reading, collector)
    }
    nextToken = findParameter(body['@odata.deltaLink'], '$deltatoken')
    const skipToken = findParameter(body['@odata.nextLink'], '$skiptoken')
    return skipToken && toUrl({ $skiptoken: skipToken })
  })
  return { token: nextToken, hasSeries }
}

async function readRange(reading: Reading): Promise<Collector> {
  const { session, baseUrl, calendarPath, range } = reading
  const collector = createCollector(label)
  const query = { ...toTimes(range), $select: eventFields, $top: '500' }
  const firstUrl = toApiUrl(baseUrl, `${calendarPath}/calendarView`, query)
  await readPages(label, firstUrl, async url => {
    const body = await readPage(session, url, [])
    for (const item of asList(body.value)) collect(asObject(item) ?? {}, reading, collector)
    const { search } = URL.parse(asText(body['@odata.nextLink']) ?? '') ?? { search: '' }
    return search ? toApiUrl(baseUrl, `${calendarPath}/calendarView`) + search : null
  })
  return collector
}

const toTimes = ({ from, to }: CalendarRange) => ({
  startDateTime: from.toString(),
  endDateTime: to.toString(),
})

async function readPage(session: Session, url: string, more: string[]): Promise<Item> {
  const { body } = await session.call({
    url,
    headers: { prefer: [...preferences, ...more].join(', ') },
  })
  if (!Array.isArray(body.value)) throw fail('UNAVAILABLE', label)
  return body
}

/** Only the token of a link is used: requests never leave the address of the provider. */
function findParameter(link: unknown, name: string): string | null {
  const { searchParams } = URL.parse(asText(link) ?? '') ?? {}
  return searchParams?.get(name) || null
}

function collect(item: Item, { range, timezone }: Reading, collector: Collector): void {
  const id = asText(item.id)
  if (id === null || item.type === 'seriesMaster') return
  const event = item['@removed'] ? null : toExternalEvent(id, item, { range, timezone })
  if (event) collector.add(event)
  else if (item['@removed']) collector.remove(id)
  else collector.skip()
}
