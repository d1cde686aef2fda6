/** Reads a CalDAV calendar: all events of a range, and then what changes, by its sync token or its ctag. */
import type { CalendarChanges, CalendarConnection, CalendarContext, CalendarRange } from '../../calendar.ts'
import { type Collector, createCollector } from '../../calendar-kit/busy-times.ts'
import { extendRange, findCursor, formatCursor } from '../../calendar-kit/cursor.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { CalDavCredentials } from './credentials.ts'
import { label, openDav } from './dav.ts'
import { collectObjects, type ObjectReading } from './objects.ts'
import { formatPropfind, formatQuery, formatSync, toObjectId } from './requests.ts'
import { findText } from './xml.ts'

/** A server may cut the list of changes, and names a token for the rest. */
const syncPagesMax = 100

/** The state of a calendar. `sync`: the server lists changes since then. `ctag`: it only says whether there are any. */
type State = { kind: 'sync' | 'ctag'; token: string } | null

export async function readChanges(
  { credentials, externalId, timezone }: CalendarConnection<CalDavCredentials>,
  { cursor, range: requested }: { cursor: string | null; range: CalendarRange },
  context: CalendarContext<CalDavCredentials>,
): Promise<CalendarChanges> {
  const dav = openDav(credentials, context)
  const known = findCursor(cursor, requested)
  const range = known?.range ?? extendRange(requested)
  const calendarUrl = dav.resolve(externalId, dav.home)
  const reading: ObjectReading = { dav, calendarUrl, range, timezone, readIcalendar: context.readIcalendar }
  const format = (state: State) => state && formatCursor({ token: `${state.kind}:${state.token}`, range })
  const collector = createCollector(label)
  const [, kind, token = ''] = /^(sync|ctag):(.+)$/s.exec(known?.token ?? '') ?? []
  if (kind === 'sync') {
    const next = await readSync(reading, token, collector)
    return collector.finish(false, format({ kind, token: next }))
  }
  // Read before the events: what changes meanwhile is read twice, and not missed.
  const state = await readState(reading)
  if (kind === 'ctag' && state?.kind === 'ctag' && state.token === token)
    return collector.finish(false, cursor)
  const { responses } = await dav.list({
    method: 'REPORT',
    url: calendarUrl,
    depth: 1,
    body: formatQuery(range),
  })
  await collectObjects(
    reading,
    responses.map(({ url }) => toObjectId(url)),
    collector,
  )
  return collector.finish(true, format(state))
}

async function readState({ dav, calendarUrl }: ObjectReading): Promise<State> {
  const body = formatPropfind('d:sync-token', 's:getctag')
  const { responses } = await dav.list({ method: 'PROPFIND', url: calendarUrl, depth: 0, body })
  const properties = responses[0]?.properties ?? null
  if (!properties) throw fail('NOT_A_CALENDAR', label)
  const syncToken = findText(properties, 'sync-token')
  if (syncToken) return { kind: 'sync', token: syncToken }
  const ctag = findText(properties, 'getctag')
  return ctag ? { kind: 'ctag', token: ctag } : null
}

/** Returns the next token. */
async function readSync(reading: ObjectReading, token: string, collector: Collector): Promise<string> {
  const { dav, calendarUrl } = reading
  const ownId = toObjectId(calendarUrl)
  const changed = new Set<string>()
  let next = token
  for (let page = 0; ; page += 1) {
    if (page === syncPagesMax) throw fail('TOO_LARGE', label)
    const { responses, syncToken } = await dav.list({
      method: 'REPORT',
      url: calendarUrl,
      depth: 0,
      body: formatSync(next),
    })
    if (syncToken === null) throw fail('CURSOR_EXPIRED', label)
    for (const { url, status } of responses) {
      const id = toObjectId(url)
      if (id === ownId) continue
      if (status === 404 || status === 410) collector.remove(id)
      else changed.add(id)
    }
    const isCut = responses.some(({ url, status }) => status === 507 && toObjectId(url) === ownId)
    const isAtEnd = !isCut || syncToken === next
    next = syncToken
    if (isAtEnd) break
  }
  await collectObjects(reading, [...changed], collector)
  return next
}
