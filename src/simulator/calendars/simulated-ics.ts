/** Simulated events as iCalendar, and what the program stores, as simulated events. */
import type { EventFields, SimulatedEvent } from './store.ts'

const toTime = (time: string) => time.replace(/[-:]|\.\d+/g, '')

export function formatIcalendar(event: SimulatedEvent): string {
  const { repeats, isAllDay, skipped } = event
  const format = (name: string, time: string) =>
    isAllDay ? `${name};VALUE=DATE:${toTime(time)}` : `${name}:${toTime(time)}`
  const toSkipped = (index: number) =>
    isAllDay
      ? Temporal.PlainDate.from(event.start)
          .add({ days: index * repeats!.days })
          .toString()
      : Temporal.Instant.from(event.start)
          .add({ hours: 24 * index * repeats!.days })
          .toString()
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Simulated//EN',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    'DTSTAMP:20261101T100000Z',
    format('DTSTART', event.start),
    format('DTEND', event.end),
    `SUMMARY:${event.title}`,
    `STATUS:${event.isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
    `TRANSP:${event.isFree ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...(repeats ? [`RRULE:FREQ=DAILY;INTERVAL=${repeats.days};COUNT=${repeats.count}`] : []),
    ...(repeats ? skipped.map(index => format('EXDATE', toSkipped(index))) : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** The fields that the program writes; its times have a time zone or are UTC. */
export function parseIcalendar(text: string): EventFields & { uid: string } {
  const event = /BEGIN:VEVENT\r\n([\s\S]*)END:VEVENT/.exec(text.replace(/\r\n[ \t]/g, ''))?.[1] ?? ''
  const find = (name: string) => {
    const line = event.split('\r\n').find(one => one.startsWith(`${name}:`) || one.startsWith(`${name};`))
    const [, parameters = '', value = ''] = /^[A-Z]+((?:;[^:"]+|;[^:]*"[^"]*")*):(.*)$/.exec(line ?? '') ?? []
    return { zone: /TZID="?([^;":]+)/.exec(parameters)?.[1] ?? 'UTC', value }
  }
  const findTime = (name: string) => {
    const { zone, value } = find(name)
    return Temporal.PlainDateTime.from(value.replace('Z', '')).toZonedDateTime(zone).toInstant().toString()
  }
  return {
    uid: find('UID').value,
    title: find('SUMMARY').value,
    start: findTime('DTSTART'),
    end: findTime('DTEND'),
    isTentative: find('STATUS').value === 'TENTATIVE',
  }
}
