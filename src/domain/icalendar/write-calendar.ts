/** Writes appointments as iCalendar: invitations (RFC 5546), calendar objects for CalDAV, and feeds. */
import { formatLine, joinLines, toLocal, toMailUri, toText, toUri, toUtc } from './content-line.ts'
import { writeTimeZone } from './write-time-zone.ts'

/** `PUBLISH`: for information. `REQUEST`: an invitation, new or changed. `CANCEL`: takes it back. */
export type Method = 'PUBLISH' | 'REQUEST' | 'CANCEL'

export interface Participant {
  name: string
  email: string
}

export interface Attendee extends Participant {
  participation: 'NEEDS-ACTION' | 'ACCEPTED' | 'DECLINED' | 'TENTATIVE'
  /** True: the attendee is requested to reply. */
  replies: boolean
}

/** An appointment as a calendar shows it. */
export interface CalendarEvent {
  uid: string
  /** Grows with every change of the times, the place or the status. */
  sequence: number
  start: Temporal.Instant
  end: Temporal.Instant
  /** IANA: in which the event is shown. */
  timezone: string
  summary: string
  description: string | null
  location: string | null
  /** Absolute; another one is left out. */
  url: string | null
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  createdAt?: Temporal.Instant
  updatedAt: Temporal.Instant
  /** Invitations require it. Mail programs expect the address that the e-mail is sent from. */
  organizer: Participant | null
  /** Invitations require the recipient of the e-mail among them. */
  attendees: Attendee[]
  /** Minutes before the start. */
  alarmsMin: number[]
}

/** One event as an invitation: the content of a `text/calendar` part with the same `method`. `method`: null for a file that invites nobody. */
export const writeInvitation = (
  event: CalendarEvent,
  options: { method: Method | null; now: Temporal.Instant },
): string => writeCalendar([toMethod(event, options.method)], options)

function toMethod(event: CalendarEvent, name: Method | null): CalendarEvent {
  if (name === 'CANCEL') return { ...event, status: 'CANCELLED', alarmsMin: [] }
  return name === 'REQUEST' ? event : { ...event, attendees: [] }
}

/** An event as CalDAV servers store it. It has no participants, so that no server sends them anything. */
export const writeStoredEvent = (
  {
    isTentative,
    ...event
  }: Omit<CalendarEvent, 'status' | 'organizer' | 'attendees' | 'alarmsMin'> & {
    isTentative: boolean
  },
  now: Temporal.Instant,
): string =>
  writeCalendar(
    [
      {
        ...event,
        status: isTentative ? 'TENTATIVE' : 'CONFIRMED',
        organizer: null,
        attendees: [],
        alarmsMin: [],
      },
    ],
    { method: null, now },
  )

/**
 * Several events. `method`: null for objects that are stored in a calendar. `now`: when this is written; null: the text depends on
 * the events alone. `feed`: shown by programs that subscribe.
 */
export function writeCalendar(
  events: CalendarEvent[],
  {
    method,
    now,
    feed = null,
  }: {
    method: Method | null
    now: Temporal.Instant | null
    feed?: { name: string; refreshMin: number } | null
  },
): string {
  return joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Aldaba//Scheduling//EN',
    'CALSCALE:GREGORIAN',
    ...(method ? [`METHOD:${method}`] : []),
    ...(feed ? formatFeed(feed) : []),
    ...formatTimeZones(events),
    ...events.flatMap(event => formatEvent(event, now)),
    'END:VCALENDAR',
  ])
}

const formatFeed = ({ name, refreshMin }: { name: string; refreshMin: number }) => [
  formatLine('NAME', toText(name)),
  formatLine('X-WR-CALNAME', toText(name)),
  `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMin}M`,
  `X-PUBLISHED-TTL:PT${refreshMin}M`,
]

/** One component for each zone, right for all of its events. */
function formatTimeZones(events: CalendarEvent[]): string[] {
  const zones = Map.groupBy(events, ({ timezone }) => timezone)
  return [...zones].flatMap(([zone, own]) => {
    if (isUtc(zone)) return []
    const times = own.flatMap(({ start, end }) => [start, end]).toSorted(Temporal.Instant.compare)
    return writeTimeZone(zone, { from: times[0]!, to: times.at(-1)! })
  })
}

function formatEvent(event: CalendarEvent, now: Temporal.Instant | null): string[] {
  const { organizer, location, description, createdAt } = event
  const url = event.url === null ? null : toUri(event.url)
  return [
    'BEGIN:VEVENT',
    formatLine('UID', toText(event.uid)),
    `DTSTAMP:${toUtc(now ?? event.updatedAt)}`,
    formatTime('DTSTART', event.start, event.timezone),
    formatTime('DTEND', event.end, event.timezone),
    `SEQUENCE:${event.sequence}`,
    `STATUS:${event.status}`,
    ...(createdAt ? [`CREATED:${toUtc(createdAt)}`] : []),
    `LAST-MODIFIED:${toUtc(event.updatedAt)}`,
    formatLine('SUMMARY', toText(event.summary)),
    ...(description ? [formatLine('DESCRIPTION', toText(description))] : []),
    ...(location ? [formatLine('LOCATION', toText(location))] : []),
    ...(url ? [formatLine('URL', url)] : []),
    ...(organizer ? [formatLine('ORGANIZER', toMailUri(organizer.email), toName(organizer))] : []),
    ...event.attendees.map(formatAttendee),
    `TRANSP:${event.status === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...event.alarmsMin.flatMap(minutes => formatAlarm(minutes, event.summary)),
    'END:VEVENT',
  ]
}

const toName = ({ name }: Participant): Record<string, string> => (name.trim() ? { CN: name } : {})

const formatAttendee = (attendee: Attendee) =>
  formatLine('ATTENDEE', toMailUri(attendee.email), {
    CUTYPE: 'INDIVIDUAL',
    ROLE: 'REQ-PARTICIPANT',
    PARTSTAT: attendee.participation,
    RSVP: attendee.replies ? 'TRUE' : 'FALSE',
    ...toName(attendee),
  })

const formatAlarm = (minutes: number, summary: string) => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `TRIGGER:-PT${minutes}M`,
  formatLine('DESCRIPTION', toText(summary)),
  'END:VALARM',
]

/** Readers disagree on a local time that occurs twice, when clocks are set back: it is written in UTC. */
function formatTime(name: string, time: Temporal.Instant, zone: string): string {
  const local = time.toZonedDateTimeISO(zone).toPlainDateTime()
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const isUnique = earlier.equals(local.toZonedDateTime(zone, { disambiguation: 'later' }))
  if (isUtc(zone) || !isUnique) return `${name}:${toUtc(time)}`
  return formatLine(name, toLocal(local), { TZID: zone })
}

const isUtc = (zone: string) => /^(?:etc\/)?(?:utc|uct|zulu|universal|gmt)$/i.test(zone)
