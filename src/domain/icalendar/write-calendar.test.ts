/** What ical.js reads back of what is written, whatever people put into their names and notes. */
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { toParameterText } from './content-line.ts'
import { type CalendarEvent, writeCalendar, writeInvitation, writeStoredEvent } from './write-calendar.ts'

const now = Temporal.Instant.from('2026-11-01T10:00:00Z')
const event: CalendarEvent = {
  uid: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f@aldaba',
  sequence: 2,
  start: Temporal.Instant.from('2026-12-01T09:00:00Z'),
  end: Temporal.Instant.from('2026-12-01T09:30:00Z'),
  timezone: 'Europe/Madrid',
  summary: 'Visita: Calle Mayor, 1; 2º',
  description: 'Línea uno\nLínea dos \\ tres',
  location: 'Calle Mayor, 1',
  url: 'https://agency.example/a?b=c',
  status: 'CONFIRMED',
  updatedAt: now,
  organizer: { name: 'Ana Pérez, Agente', email: 'ana@agency.example' },
  attendees: [{ name: 'Luis', email: 'luis+1@example.com', participation: 'ACCEPTED', replies: true }],
  alarmsMin: [60],
}

test('an invitation has what Google, Outlook and Apple require', () => {
  const text = writeInvitation(event, { method: 'REQUEST', now })
  expect(text.replace(/\r\n /g, '').split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Aldaba//Scheduling//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:REQUEST',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Madrid',
    'BEGIN:STANDARD',
    'DTSTART:20261025T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:20270328T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'UID:01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f@aldaba',
    'DTSTAMP:20261101T100000Z',
    'DTSTART;TZID=Europe/Madrid:20261201T100000',
    'DTEND;TZID=Europe/Madrid:20261201T103000',
    'SEQUENCE:2',
    'STATUS:CONFIRMED',
    'LAST-MODIFIED:20261101T100000Z',
    'SUMMARY:Visita: Calle Mayor\\, 1\\; 2º',
    'DESCRIPTION:Línea uno\\nLínea dos \\\\ tres',
    'LOCATION:Calle Mayor\\, 1',
    'URL:https://agency.example/a?b=c',
    'ORGANIZER;CN="Ana Pérez, Agente":mailto:ana@agency.example',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE;CN=Luis:mailto:luis+1@example.com',
    'TRANSP:OPAQUE',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT60M',
    'DESCRIPTION:Visita: Calle Mayor\\, 1\\; 2º',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('a cancellation keeps the UID, says so, and rings no more', () => {
  const text = writeInvitation({ ...event, sequence: 3 }, { method: 'CANCEL', now })
  expect(text).toContain('METHOD:CANCEL\r\n')
  expect(text).toContain('STATUS:CANCELLED\r\n')
  expect(text).toContain('SEQUENCE:3\r\n')
  expect(text).toContain(`UID:${event.uid}\r\n`)
  expect(text).not.toContain('VALARM')
})

test('a stored event has neither a method nor participants', () => {
  const text = writeStoredEvent({ ...event, isTentative: true }, now)
  expect(text).toContain('STATUS:TENTATIVE\r\n')
  expect(text).not.toMatch(/METHOD|ORGANIZER|ATTENDEE/)
})

test('a local time that occurs twice is written in UTC', () => {
  const start = Temporal.Instant.from('2026-10-25T00:30:00Z')
  const text = writeInvitation({ ...event, start }, { method: 'PUBLISH', now })
  expect(text).toContain('DTSTART:20261025T003000Z\r\n')
  expect(text).toContain('DTEND;TZID=Europe/Madrid:')
})

test('a feed has its name, and one time zone for events of each zone', () => {
  const other = { ...event, uid: 'b', timezone: 'UTC' }
  const text = writeCalendar([event, { ...event, uid: 'a' }, other], {
    method: 'PUBLISH',
    now,
    feed: { name: 'Ana, agenda', refreshMin: 15 },
  })
  expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1)
  expect(text).toContain('X-WR-CALNAME:Ana\\, agenda\r\n')
  expect(text).toContain('DTSTART:20261201T090000Z\r\n')
})

/** Text as iCalendar can carry it. */
const normalize = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these can't be written.
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(
      '\r',
      '\n',
      '"',
      '^',
      ';',
      ',',
      ':',
      '\\',
      'n',
      "'",
      ' ',
      '=',
      'é',
      '🏠',
      '\t',
      '\0',
    ),
    maxLength: 120,
  }),
  fc.constantFrom(
    'x\r\nATTENDEE:mailto:evil@example.com',
    'x"\r\nEND:VEVENT\r\n',
    '^n',
    '\\n',
    'a'.repeat(300),
  ),
)

test('whatever texts contain, ical.js reads the same values and no other property', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      anyText,
      anyText,
      anyText,
      (summary, description, location, organizer, attendee) => {
        const text = writeInvitation(
          {
            ...event,
            summary,
            description,
            location,
            url: summary,
            organizer: { name: organizer, email: `${organizer}@agency.example` },
            attendees: [{ ...event.attendees[0]!, name: attendee, email: attendee }],
          },
          { method: 'REQUEST', now },
        )
        const lines = text.split('\r\n')
        expect(lines.every(line => Buffer.byteLength(line) <= 75)).toBe(true)
        expect(Buffer.from(text).toString()).toBe(text)
        const calendar = new ICAL.Component(ICAL.parse(text))
        const component = calendar.getFirstSubcomponent('vevent')!
        const read = new ICAL.Event(component)
        expect(read.summary).toBe(normalize(summary.toWellFormed()))
        expect(read.description ?? '').toBe(normalize(description.toWellFormed()))
        expect(read.location ?? '').toBe(normalize(location.toWellFormed()))
        expect(component.getFirstProperty('attendee')!.getParameter('cn') ?? '').toBe(
          attendee.trim() ? toParameterText(attendee) : '',
        )
        expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone', 'vevent'])
        const names = component.getAllProperties().map(({ name }) => name)
        expect(names.filter(name => !['description', 'location', 'url'].includes(name))).toEqual([
          ...['uid', 'dtstamp', 'dtstart', 'dtend', 'sequence', 'status', 'last-modified', 'summary'],
          ...['organizer', 'attendee', 'transp'],
        ])
      },
    ),
    { seed: 21, numRuns: 400 },
  )
})
