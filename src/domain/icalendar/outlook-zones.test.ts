/** Time zones that Outlook and Exchange define in their calendars. */
import { expect, test } from 'vitest'
import { event, listBusy, read } from '../../../test/icalendar.ts'

/** A zone as Outlook writes it: its own name, and rules since 1601. */
const outlookZone = (id: string) =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${id}`,
    'BEGIN:STANDARD',
    'DTSTART:16011028T030000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010325T020000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:DAYLIGHT',
    'END:VTIMEZONE\r\n',
  ].join('\r\n')

test.each([
  'Romance Standard Time',
  'Customized Time Zone',
  '(UTC+01:00) Bruselas, Copenhague, Madrid, París',
])('a zone of Outlook, %s, changes its clocks with Madrid', id => {
  const at = (day: string, time = '120000') =>
    event(`UID:${day}${time}`, `DTSTART;TZID="${id}":${day}T${time}`, 'DURATION:PT1H')
  const days = ['20260327', '20260330', '20261023', '20261026', '20270327', '20270329']
  expect(listBusy(outlookZone(id), ...days.map(day => at(day)))).toEqual([
    '03-27T11:00/03-27T12:00',
    '03-27T11:00/03-27T12:00',
    '03-29T10:00/03-29T11:00',
    '03-30T10:00/03-30T11:00',
    '10-23T10:00/10-23T11:00',
    '10-26T11:00/10-26T12:00',
  ])
  // The hours around both changes.
  expect(listBusy(outlookZone(id), at('20260329', '013000'))).toEqual(['03-29T00:30/03-29T01:30'])
  expect(listBusy(outlookZone(id), at('20260329', '033000'))).toEqual(['03-29T01:30/03-29T02:30'])
  expect(listBusy(outlookZone(id), at('20261025', '013000'))).toEqual(['10-24T23:30/10-25T00:30'])
  expect(listBusy(outlookZone(id), at('20261025', '023000'))).toEqual(['10-25T00:30/10-25T01:30'])
  expect(listBusy(outlookZone(id), at('20261025', '033000'))).toEqual(['10-25T02:30/10-25T03:30'])
  const weekly = event(
    'UID:w',
    `DTSTART;TZID="${id}":20261023T090000`,
    `DTEND;TZID="${id}":20261023T100000`,
    'RRULE:FREQ=WEEKLY;COUNT=2',
  )
  expect(listBusy(outlookZone(id), weekly)).toEqual(['10-23T07:00/10-23T08:00', '10-30T08:00/10-30T09:00'])
  expect(read(outlookZone(id), weekly).warnings).toEqual([])
})

test('a zone of Outlook that lists its changes year by year, without rules', () => {
  const observance = (kind: string, start: string, from: string, to: string) =>
    `BEGIN:${kind}\r\nDTSTART:${start}\r\nTZOFFSETFROM:${from}\r\nTZOFFSETTO:${to}\r\nEND:${kind}\r\n`
  const zone = [
    'BEGIN:VTIMEZONE\r\nTZID:Oficina\r\n',
    observance('STANDARD', '20251026T030000', '+0200', '+0100'),
    observance('DAYLIGHT', '20260329T020000', '+0100', '+0200'),
    observance('STANDARD', '20261025T030000', '+0200', '+0100'),
    'END:VTIMEZONE\r\n',
  ].join('')
  const at = (day: string) => event(`UID:${day}`, `DTSTART;TZID=Oficina:${day}T120000`, 'DURATION:PT1H')
  expect(listBusy(zone, at('20260327'), at('20260701'), at('20261201'))).toEqual([
    '03-27T11:00/03-27T12:00',
    '07-01T10:00/07-01T11:00',
    '12-01T11:00/12-01T12:00',
  ])
})
