/** An iCalendar feed: the secret address of a calendar that a program publishes. It can only be read. */
import type { CalendarProvider } from '../../calendar.ts'
import { extendRange, findCursor, formatCursor } from '../../calendar-kit/cursor.ts'
import { FeedCredentials } from './credentials.ts'
import { readFeed } from './read-feed.ts'

/** A feed is one calendar. */
const feedId = 'feed'

export const icalFeed: CalendarProvider<typeof FeedCredentials> = {
  id: 'ical_feed',
  label: 'iCalendar feed',
  baseUrl: null,
  credentials: FeedCredentials,
  readIntervalMin: 15,
  async listCalendars({ url }, context) {
    const { text } = await readFeed(url, null, context)
    const range = { from: context.now, to: context.now.add({ hours: 24 }) }
    const { name } = await context.readIcalendar(text!, { range, timezone: 'UTC' })
    return [
      { id: feedId, name: name ?? new URL(url).hostname, isPrimary: true, isWritable: false, timezone: null },
    ]
  },
  async read({ credentials, timezone }, { cursor, range: requested }, context) {
    // Occurrences depend on the range: an unchanged feed is read again when the range leaves what was read.
    const known = findCursor(cursor, requested)
    const { text, validators } = await readFeed(credentials.url, known?.token ?? null, context)
    if (text === null) return { isComplete: false, events: [], removedIds: [], cursor, warnings: [] }
    const range = extendRange(requested)
    const { events, warnings } = await context.readIcalendar(text, { range, timezone })
    return {
      isComplete: true,
      events: events.map(({ uid, busy }) => ({ id: uid, uid, version: null, busy })),
      removedIds: [],
      cursor: validators === null ? null : formatCursor({ token: validators, range }),
      warnings,
    }
  },
}
