/** Reads iCalendar texts on few threads, which the tenants share. */
import { type Client, createThreadPool, ThreadFailed } from '../../kit/thread-pool.ts'
import { type CalendarContext, CalendarError, type IcalendarContent } from '../../plugins/calendar.ts'
import type { ReadCalendarReply, ReadCalendarTask } from './read-icalendar-thread.ts'

const threads = createThreadPool<ReadCalendarTask, ReadCalendarReply>({
  name: 'calendars',
  module: new URL('./read-icalendar-thread.ts', import.meta.url),
  size: 2,
})

/** Throws CalendarError NOT_A_CALENDAR or TOO_LARGE; the reason of the client's signal. */
export async function readIcalendar(
  client: Client,
  text: string,
  { range: { from, to }, timezone }: Parameters<CalendarContext<unknown>['readIcalendar']>[1],
): Promise<IcalendarContent> {
  const options = { fromMs: from.epochMilliseconds, toMs: to.epochMilliseconds, timezone }
  const reply = await threads.run(client, { text, options }).catch((cause: unknown) => {
    if (!(cause instanceof ThreadFailed)) throw cause
    const message = `The calendar cannot be read: ${cause.message}. Remove old events from it, or choose another calendar.`
    throw new CalendarError('TOO_LARGE', message, { cause })
  })
  if ('refused' in reply) throw new CalendarError(reply.refused.code, reply.refused.message)
  return toContent(reply)
}

function toContent({
  name,
  uids,
  counts,
  times,
  warnings,
}: Exclude<ReadCalendarReply, { refused: unknown }>): IcalendarContent {
  let at = 0
  const toInstant = () => Temporal.Instant.fromEpochMilliseconds(times[at++]!)
  const events = uids.map((uid, index) => ({
    uid,
    busy: Array.from({ length: counts[index]! }, () => ({ start: toInstant(), end: toInstant() })),
  }))
  return { name, events, warnings }
}
