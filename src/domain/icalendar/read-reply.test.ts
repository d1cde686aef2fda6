/** Answers to invitations, as Google, Outlook and Apple write them, and hostile ones. */
import { describe, expect, it, test } from 'vitest'
import { readInvitationReply, replyMaxLength } from './read-reply.ts'

const write = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    'UID:a@b',
    'DTSTAMP:20261126T100000Z',
    ...lines,
  ]
    .concat('END:VEVENT', 'END:VCALENDAR', '')
    .join('\r\n')
const attendee = (status: string) => `ATTENDEE;PARTSTAT=${status};CN=Marta:mailto:Marta@Example.com`

const google = `BEGIN:VCALENDAR\r
PRODID:-//Google Inc//Google Calendar 70.9054//EN\r
VERSION:2.0\r
CALSCALE:GREGORIAN\r
METHOD:REPLY\r
BEGIN:VEVENT\r
DTSTART:20261201T090000Z\r
DTEND:20261201T093000Z\r
DTSTAMP:20261126T101500Z\r
ORGANIZER;CN=Finques Puig:mailto:ana@agency.example\r
UID:01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f@api.example.com\r
ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Marta So\r
 ler;X-NUM-GUESTS=0:mailto:marta@gmail.com\r
SEQUENCE:2\r
STATUS:CONFIRMED\r
SUMMARY:Visita\r
END:VEVENT\r
END:VCALENDAR\r
`
const outlook = `BEGIN:VCALENDAR
METHOD:REPLY
PRODID:Microsoft Exchange Server 2010
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Romance Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
ATTENDEE;PARTSTAT=DECLINED;CN=Marta:MAILTO:marta@outlook.com
COMMENT;LANGUAGE=es-ES:\\n
UID:01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f@api.example.com
SUMMARY;LANGUAGE=es-ES:Declined: Visita
DTSTART;TZID=Romance Standard Time:20261201T100000
DTEND;TZID=Romance Standard Time:20261201T103000
SEQUENCE:0
X-MICROSOFT-CDO-APPT-SEQUENCE:0
END:VEVENT
END:VCALENDAR
`
const uid = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f@api.example.com'

test.each([
  ['Google', google, { uid, sequence: 2, answer: 'accepted', hasComment: false }],
  ['Outlook', outlook, { uid, sequence: 0, answer: 'declined', hasComment: false }],
  [
    'Apple',
    write('SEQUENCE:1', 'COMMENT:Puedo a las 11', attendee('TENTATIVE')),
    { uid: 'a@b', sequence: 1, answer: 'tentative', hasComment: true },
  ],
])('an answer of %s is read', (_program, text, reply) => {
  expect(readInvitationReply(text)).toEqual(reply)
})

describe('is no answer', () => {
  it.each([
    ['an invitation', write(attendee('ACCEPTED')).replace('REPLY', 'REQUEST')],
    ['one that nobody gave', write(attendee('NEEDS-ACTION'))],
    ['one of nobody', write()],
    ['one to one occurrence', write(attendee('ACCEPTED'), 'RECURRENCE-ID:20261201T090000Z')],
    ['a negative sequence', write('SEQUENCE:-1', attendee('ACCEPTED'))],
    ['one of two people', write(attendee('ACCEPTED'), attendee('DECLINED'))],
    ['a long UID', write(attendee('ACCEPTED')).replace('a@b', 'x'.repeat(301))],
    ['a text that is too long', write(attendee('ACCEPTED'), `SUMMARY:${'x'.repeat(replyMaxLength)}`)],
    ['a text that is cut off', google.slice(0, -40)],
    ['what is no calendar', 'METHOD:REPLY\r\n\0\ufffd'],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(readInvitationReply(text)).toBeNull()
  })
})
