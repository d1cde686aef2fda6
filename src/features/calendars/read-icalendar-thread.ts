/** A thread that reads iCalendar texts, so that long or hostile ones do not block the process. */
import { type ReadOptions, readCalendar } from '../../domain/icalendar/read-calendar.ts'
import { UnreadableCalendar } from '../../domain/icalendar/split-components.ts'
import { handleTasks } from '../../kit/thread.ts'

export interface ReadCalendarTask {
  text: string
  options: ReadOptions
}

/** Busy times in one array, because a thread passes on numbers faster than objects: start and end, event by event. */
export type ReadCalendarReply =
  | { refused: { code: UnreadableCalendar['code']; message: string } }
  | {
      name: string | null
      uids: string[]
      counts: number[]
      times: Float64Array
      warnings: { code: string; message: string; count: number }[]
    }

handleTasks(({ text, options }: ReadCalendarTask): ReadCalendarReply => {
  try {
    const { name, events, warnings } = readCalendar(text, options)
    const times = events.flatMap(({ busy }) => busy.flatMap(({ startMs, endMs }) => [startMs, endMs]))
    return {
      name,
      uids: events.map(({ uid }) => uid),
      counts: events.map(({ busy }) => busy.length),
      times: Float64Array.from(times),
      warnings,
    }
  } catch (error) {
    if (!(error instanceof UnreadableCalendar)) throw error
    return { refused: { code: error.code, message: error.message } }
  }
})
