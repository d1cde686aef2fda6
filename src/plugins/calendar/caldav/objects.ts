/** Reads calendar objects by their addresses. */
import type {
  CalendarConnection,
  CalendarContext,
  CalendarError,
  CalendarRange,
  ExternalEvent,
} from '../../calendar.ts'
import type { Collector } from '../../calendar-kit/busy-times.ts'
import type { CalDavCredentials } from './credentials.ts'
import type { Dav } from './dav.ts'
import { formatMultiget, toObjectId } from './requests.ts'
import { findText } from './xml.ts'

export interface ObjectReading {
  dav: Dav
  calendarUrl: URL
  range: CalendarRange
  timezone: CalendarConnection<CalDavCredentials>['timezone']
  readIcalendar: CalendarContext<CalDavCredentials>['readIcalendar']
}

/** Objects of one request, and texts that are read at once. */
const batchSize = 50
const atOnce = 4

export async function collectObjects(
  reading: ObjectReading,
  paths: string[],
  collector: Collector,
): Promise<void> {
  for (let at = 0; at < paths.length; at += batchSize) {
    const body = formatMultiget(paths.slice(at, at + batchSize))
    const { responses } = await reading.dav.list({
      method: 'REPORT',
      url: reading.calendarUrl,
      depth: 1,
      body,
    })
    const objects = responses.map(({ url, properties }) => ({
      id: toObjectId(url),
      version: findText(properties, 'getetag'),
      text: findText(properties, 'calendar-data'),
    }))
    // One that was deleted meanwhile has no text; the next read says so.
    const readable = objects.flatMap(({ text, ...object }) => (text === null ? [] : [{ ...object, text }]))
    for (let next = 0; next < readable.length; next += atOnce) {
      const events = await Promise.all(
        readable.slice(next, next + atOnce).map(object => readObject(object, reading, collector.warn)),
      )
      for (const event of events) {
        if (event) collector.add(event)
        else collector.skip()
      }
    }
  }
}

/** Null: it can't be read. An object is one event with its exceptions; one without events, such as a task, is never busy. */
export async function readObject(
  { id, version, text }: { id: string; version: string | null; text: string },
  { range, timezone, readIcalendar }: ObjectReading,
  warn: Collector['warn'] = () => {},
): Promise<ExternalEvent | null> {
  try {
    const { events, warnings } = await readIcalendar(text, { range, timezone })
    warnings.forEach(warn)
    return { id, uid: events[0]?.uid ?? id, version, busy: events.flatMap(({ busy }) => busy) }
  } catch (error) {
    const { code } = error as CalendarError
    if (code === 'NOT_A_CALENDAR' || code === 'TOO_LARGE') return null
    throw error
  }
}
