/** Writes appointments to a CalDAV calendar, each as one object whose address follows from its UID. */
import { writeStoredEvent } from '../../../domain/icalendar/write-calendar.ts'
import type { CalendarContext, CalendarWrites, OutgoingEvent } from '../../calendar.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { CalDavCredentials } from './credentials.ts'
import { type Dav, label, openDav } from './dav.ts'
import { readObject } from './objects.ts'
import { formatPropfind, toObjectId } from './requests.ts'
import { findText, parseXml } from './xml.ts'

type Written = { externalId: string; version: string | null }

export const writes: CalendarWrites<CalDavCredentials> = {
  async put({ credentials, externalId: calendarId }, event, written, context) {
    const dav = openDav(credentials, context)
    const calendarUrl = dav.resolve(calendarId, dav.home)
    if (written) {
      const url = dav.resolve(written.externalId, calendarUrl)
      const headers: Record<string, string> = written.version ? { 'if-match': written.version } : {}
      return (await store(dav, url, event, headers, context)) ?? refuse()
    }
    const url = new URL(`${encodeURIComponent(event.uid)}.ics`, toFolder(calendarUrl))
    const created = await store(dav, url, event, { 'if-none-match': '*' }, context)
    return created ?? (await store(dav, url, event, {}, context)) ?? refuse()
  },
  async find({ credentials, externalId: calendarId, timezone }, { externalId }, range, context) {
    const dav = openDav(credentials, context)
    const calendarUrl = dav.resolve(calendarId, dav.home)
    const url = dav.resolve(externalId, calendarUrl)
    const reply = await dav.call({ method: 'GET', url, accepted: [404, 410] })
    if (reply.status === 404 || reply.status === 410) return null
    const object = {
      id: toObjectId(reply.url),
      version: reply.headers.etag ?? null,
      text: reply.body.toString(),
    }
    const { readIcalendar } = context
    const found = await readObject(object, { dav, calendarUrl, range, timezone, readIcalendar })
    if (!found) throw fail('UNAVAILABLE', label)
    return found
  },
  async remove({ credentials, externalId: calendarId }, { externalId }, context) {
    const dav = openDav(credentials, context)
    const url = dav.resolve(externalId, dav.resolve(calendarId, dav.home))
    await dav.call({ method: 'DELETE', url, accepted: [404, 410] })
  },
}

const toFolder = ({ href }: URL) => (href.endsWith('/') ? href : `${href}/`)

function refuse(): never {
  throw fail('CONFLICT', label)
}

/** Null: the condition of the headers is not met, and it was the one of a new event. */
async function store(
  dav: Dav,
  url: URL,
  event: OutgoingEvent,
  condition: Record<string, string>,
  { now }: CalendarContext<CalDavCredentials>,
): Promise<Written | null> {
  const put = (target: URL) =>
    dav.call({
      method: 'PUT',
      url: target,
      headers: { 'content-type': 'text/calendar; charset=utf-8', ...condition },
      body: writeStoredEvent(event, now),
      accepted: [409, 412],
    })
  let reply = await put(url)
  // The person's program has stored the same UID at another address (RFC 4791, 5.3.2.1).
  const other = reply.status === 409 ? findOther(reply.body) : null
  if (other !== null) reply = await put(dav.resolve(other, url))
  if (reply.status === 412) return null
  if (reply.status === 409) throw fail('REJECTED', label)
  return {
    externalId: toObjectId(reply.url),
    version: reply.headers.etag ?? (await readVersion(dav, reply.url)),
  }
}

const findOther = (body: Buffer): string | null =>
  findText(parseXml(body.toString(), 'error'), 'no-uid-conflict', 'href')

/** A server that has changed the event while it stored it does not return its version. */
async function readVersion(dav: Dav, url: URL): Promise<string | null> {
  const body = formatPropfind('d:getetag')
  const { responses } = await dav.list({ method: 'PROPFIND', url, depth: 0, body })
  return findText(responses[0]?.properties ?? null, 'getetag')
}
