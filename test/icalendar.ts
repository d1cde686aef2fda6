/** Calendar texts for tests, and what is busy in them. */
import { readCalendar } from '../src/domain/icalendar/read-calendar.ts'

export const range = {
  fromMs: Date.parse('2026-03-01'),
  toMs: Date.parse('2027-04-05'),
  timezone: 'Europe/Madrid',
}

export const wrap = (...components: string[]) => `BEGIN:VCALENDAR\r\n${components.join('')}END:VCALENDAR\r\n`
export const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`
export const read = (...components: string[]) => readCalendar(wrap(...components), range)

/** `start/end` in UTC, in their order. */
export const listBusy = (...components: string[]) =>
  read(...components)
    .events.flatMap(({ busy }) => busy)
    .map(({ startMs, endMs }) => `${toText(startMs)}/${toText(endMs)}`)
    .sort()
const toText = (ms: number) => new Date(ms).toISOString().slice(5, 16)
