/** An event of Microsoft Graph. https://learn.microsoft.com/graph/api/resources/event */
import { createHash } from 'node:crypto'
import { asObject, asText } from '../../../kit/json-values.ts'
import type { CalendarRange, ExternalEvent, OutgoingEvent } from '../../calendar.ts'
import { type Busy, clipBusy, toBusyDays } from '../../calendar-kit/busy-times.ts'

export type Item = Record<string, unknown>

/** A named property with the UID: Graph gives events UIDs of its own, but finds them by this one. */
export const uidPropertyId = 'String {5c2c9f0a-6f2c-4c0a-9a54-0d3b6a1e7f41} Name aldabaUid'

/**
 * Graph creates one event for a transaction id, however often it is posted. It also returns it with each event: it begins
 * with the UID. What follows differs after each change, because the id of a deleted event may be refused.
 */
export function toTransactionId({ uid, updatedAt }: OutgoingEvent, calendarId: string): string {
  const hash = createHash('sha256').update(`${calendarId} ${updatedAt}`).digest('hex')
  return `${uid}${separator}${hash.slice(0, 12)}`
}
const separator = '/aldaba/'

const findOwnUid = (transactionId: string | null): string | null =>
  transactionId?.includes(separator) ? transactionId.slice(0, transactionId.lastIndexOf(separator)) : null

const freeStates = ['free', 'workingElsewhere']

function isFree({ showAs, isCancelled, responseStatus }: Item): boolean {
  const hasDeclined = asObject(responseStatus)?.response === 'declined'
  return freeStates.includes(asText(showAs) ?? '') || isCancelled === true || hasDeclined
}

/** Null: it has no times that can be read. */
export function toExternalEvent(
  id: string,
  item: Item,
  { range, timezone }: { range: CalendarRange; timezone: string },
): ExternalEvent | null {
  const busy = findBusy(item, timezone)
  if (!busy) return null
  return {
    id,
    uid: findOwnUid(asText(item.transactionId)) ?? asText(item.iCalUId) ?? id,
    version: asText(item['@odata.etag']),
    busy: isFree(item) ? [] : clipBusy(busy, range),
  }
}

/** Times have no offset, and are UTC as preferred. All-day events begin at midnight, whatever the time zone. */
function findBusy({ start, end, isAllDay }: Item, timezone: string): Busy | null {
  const [from, to] = [asText(asObject(start)?.dateTime), asText(asObject(end)?.dateTime)]
  if (!from || !to) return null
  try {
    if (isAllDay === true) return toBusyDays(from.slice(0, 10), to.slice(0, 10), timezone)
    const toInstant = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').toInstant()
    return { start: toInstant(from), end: toInstant(to) }
  } catch {
    return null
  }
}

export function toBody(event: OutgoingEvent) {
  const toTime = (instant: Temporal.Instant) => ({
    dateTime: instant.toZonedDateTimeISO('UTC').toPlainDateTime().toString(),
    timeZone: 'UTC',
  })
  return {
    subject: event.summary,
    body: {
      contentType: 'text',
      content: [event.description, event.url].filter(Boolean).join('\n\n'),
    },
    location: { displayName: event.location ?? '' },
    start: toTime(event.start),
    end: toTime(event.end),
    showAs: event.isTentative ? 'tentative' : 'busy',
  }
}
