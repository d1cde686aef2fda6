/** Writes appointments to a calendar of Microsoft Graph. */
import { asList, asObject, asText } from '../../../kit/json-values.ts'
import type { CalendarContext, CalendarWrites, OutgoingEvent } from '../../calendar.ts'
import { fail } from '../../calendar-kit/failures.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import type { ApiReply, Session } from '../../calendar-kit/oauth-session.ts'
import { label, toApiUrl, toCalendarPath } from './endpoints.ts'
import { toBody, toExternalEvent, toTransactionId, uidPropertyId } from './event.ts'
import { eventFields } from './read.ts'
import { openSession, preferences } from './session.ts'

type Written = { externalId: string; version: string | null }

const headers = { prefer: preferences.join(', ') }

export const writes: CalendarWrites<OAuthCredentials> = {
  async put({ credentials, externalId: calendarId }, event, written, context) {
    const writer = createWriter(openSession(credentials, context), calendarId, context)
    if (written) {
      const changed = await writer.change(written, event)
      if (changed) return changed
      if (written.version) throw fail('CONFLICT', label)
    }
    const found = (await writer.find(event.uid)) ?? (await writer.create(event))
    if (typeof found !== 'string') return found
    const changed = await writer.change({ externalId: found, version: null }, event)
    if (!changed) throw fail('CONFLICT', label)
    return changed
  },
  async find({ credentials, timezone }, { externalId }, range, context) {
    const { status, body } = await openSession(credentials, context).call({
      url: toApiUrl(context.baseUrl, toEventPath(externalId), { $select: eventFields }),
      headers,
      accepted: [404],
    })
    if (status === 404 || body.isCancelled === true) return null
    const event = toExternalEvent(externalId, body, { range, timezone })
    if (!event) throw fail('UNAVAILABLE', label)
    return event
  },
  async remove({ credentials }, { externalId }, context) {
    await openSession(credentials, context).call({
      method: 'DELETE',
      url: toApiUrl(context.baseUrl, toEventPath(externalId)),
      headers,
      accepted: [204, 404],
    })
  },
}

const toEventPath = (eventId: string) => `/events/${encodeURIComponent(eventId)}`

function createWriter(session: Session, calendarId: string, { baseUrl }: CalendarContext<OAuthCredentials>) {
  const eventsPath = `${toCalendarPath(calendarId)}/events`
  return {
    /** Null: the event does not exist. */
    async change({ externalId, version }: Written, event: OutgoingEvent): Promise<Written | null> {
      const reply = await session.call({
        method: 'PATCH',
        url: toApiUrl(baseUrl, toEventPath(externalId)),
        headers: version ? { ...headers, 'if-match': version } : headers,
        body: toBody(event),
        accepted: [404],
      })
      return reply.status === 404 ? null : toWritten(reply)
    },
    /** The id of the event with the UID. */
    async find(uid: string): Promise<string | null> {
      const value = uid.replaceAll("'", "''")
      const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${uidPropertyId}' and ep/value eq '${value}')`
      const { body } = await session.call({
        url: toApiUrl(baseUrl, eventsPath, { $filter: filter, $select: 'id', $top: '1' }),
        headers,
      })
      if (!Array.isArray(body.value)) throw fail('UNAVAILABLE', label)
      return asText(asObject(asList(body.value)[0])?.id)
    },
    async create(event: OutgoingEvent): Promise<Written> {
      const reply = await session.call({
        method: 'POST',
        url: toApiUrl(baseUrl, eventsPath),
        headers,
        body: {
          ...toBody(event),
          transactionId: toTransactionId(event, calendarId),
          singleValueExtendedProperties: [{ id: uidPropertyId, value: event.uid }],
        },
      })
      return toWritten(reply)
    },
  }
}

function toWritten({ body }: ApiReply): Written {
  const externalId = asText(body.id)
  if (externalId === null) throw fail('UNAVAILABLE', label)
  return { externalId, version: asText(body['@odata.etag']) }
}
