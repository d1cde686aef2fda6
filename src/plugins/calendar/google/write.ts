/** Writes appointments to a Google calendar. The id of an event follows from its UID, so the same one is never created twice. */
import { createHash } from 'node:crypto'
import { asText } from '../../../kit/json-values.ts'
import type { CalendarConnection, CalendarContext, CalendarWrites, OutgoingEvent } from '../../calendar.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import type { ApiReply, Session } from '../../calendar-kit/oauth-session.ts'
import { label, toApiUrl, toEventsPath } from './endpoints.ts'
import { eventFields, toExternalEvent, uidProperty } from './read.ts'
import { openSession } from './session.ts'

type Context = CalendarContext<OAuthCredentials>
type Connection = CalendarConnection<OAuthCredentials>
type Written = { externalId: string; version: string | null }

export const writes: CalendarWrites<OAuthCredentials> = {
  async put({ credentials, externalId: calendarId }, event, written, context) {
    const session = openSession(credentials, context)
    const write = createWriter(session, calendarId, context)
    const changed = written ? await write.change(written, event) : null
    if (changed) return changed
    // A deleted event is not found if the calendar is another one, or long after.
    if (written?.version) throw fail('CONFLICT', label)
    const created = await write.create(event)
    return (
      created ??
      (await write.change({ externalId: toEventId(event.uid), version: null }, event)) ??
      refuse('CONFLICT')
    )
  },
  async find({ credentials, externalId: calendarId, timezone }, { externalId }, range, context) {
    const { status, body } = await openSession(credentials, context).call({
      url: toApiUrl(context.baseUrl, toEventsPath(calendarId, externalId), { fields: eventFields }),
      accepted: [404, 410],
    })
    if (status !== 200 || body.status === 'cancelled') return null
    return toExternalEvent(externalId, body, { range, timezone }) ?? refuse('UNAVAILABLE')
  },
  async remove({ credentials, externalId: calendarId }, { externalId }, context) {
    await openSession(credentials, context).call({
      method: 'DELETE',
      url: toApiUrl(context.baseUrl, toEventsPath(calendarId, externalId), { sendUpdates: 'none' }),
      accepted: [204, 404, 410],
    })
  },
}

function refuse(code: 'CONFLICT' | 'UNAVAILABLE'): never {
  throw fail(code, label)
}

/** Google accepts digits and the letters up to v. */
const toEventId = (uid: string): string => createHash('sha256').update(uid).digest('hex')

function createWriter(session: Session, calendarId: Connection['externalId'], { baseUrl }: Context) {
  const toUrl = (eventId?: string) =>
    toApiUrl(baseUrl, toEventsPath(calendarId, eventId), { sendUpdates: 'none', fields: 'id,etag' })
  return {
    /** Null: the event does not exist. A change keeps the reminders and the colour that the agent has chosen. */
    async change({ externalId, version }: Written, event: OutgoingEvent): Promise<Written | null> {
      const reply = await session.call({
        method: 'PATCH',
        url: toUrl(externalId),
        headers: version ? { 'if-match': version } : {},
        body: toBody(event),
        accepted: [404],
      })
      return reply.status === 404 ? null : toWritten(reply)
    },
    /** Null: it exists, or did before it was deleted. */
    async create(event: OutgoingEvent): Promise<Written | null> {
      const reply = await session.call({
        method: 'POST',
        url: toUrl(),
        body: { ...toBody(event), id: toEventId(event.uid) },
        accepted: [409],
      })
      return reply.status === 409 ? null : toWritten(reply)
    },
  }
}

function toWritten({ body }: ApiReply): Written {
  const externalId = asText(body.id)
  if (externalId === null) throw fail('UNAVAILABLE', label)
  return { externalId, version: asText(body.etag) }
}

/** Without `sequence`: Google counts itself, and refuses a lower number than its own. */
function toBody(event: OutgoingEvent) {
  const toTime = (instant: Temporal.Instant) => ({ dateTime: instant.toString(), timeZone: event.timezone })
  return {
    summary: event.summary,
    description: event.description,
    location: event.location,
    start: toTime(event.start),
    end: toTime(event.end),
    status: event.isTentative ? 'tentative' : 'confirmed',
    extendedProperties: { private: { [uidProperty]: event.uid } },
    ...(event.url ? { source: { title: event.summary, url: event.url } } : {}),
  }
}
