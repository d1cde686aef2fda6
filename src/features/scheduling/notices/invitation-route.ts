/** The file of an appointment for the calendar program of the visitor. */
import { writeInvitation } from '../../../domain/icalendar/write-calendar.ts'
import { getInstant } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { downloadRoute, inOnePiece, type Route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { getAppointment } from '../../scheduling/service.ts'
import { toVisitorEvent } from '../appointment-event.ts'
import { listEventTypeNames } from '../writes/queries.ts'

const example = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Aldaba//Scheduling//EN',
  'METHOD:PUBLISH',
  'BEGIN:VEVENT',
  'UID:01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f@aldaba.example',
  'DTSTART;TZID=Europe/Madrid:20261201T100000',
  'DTEND;TZID=Europe/Madrid:20261201T103000',
  'SUMMARY:Viewing',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

export const invitationRoute: Route = downloadRoute({
  path: '/scheduling/appointments/{id}/invitation.ics',
  operation: 'downloadInvitation',
  tag: 'Calendars',
  summary: 'Download an appointment as an iCalendar file',
  description:
    'For the calendar program of the visitor. A cancelled appointment has the method CANCEL, which removes it there.',
  scope: 'scheduling:read',
  params: strictObject({ id: id('The appointment.') }),
  types: { 'text/calendar': { description: 'An iCalendar object (RFC 5545).', example } },
  async download({ params, caller, database }) {
    const text = await database.readTenant(caller, tx => writeFile(tx, params.id))
    return { type: 'text/calendar', fileName: 'invitation.ics', pieces: inOnePiece(text) }
  },
})

async function writeFile(tx: Tx, appointmentId: string): Promise<string> {
  const appointment = await getAppointment(tx, appointmentId)
  const names = await listEventTypeNames(tx, [appointment.eventTypeId])
  const event = toVisitorEvent(appointment, {
    eventTypeName: names.get(appointment.eventTypeId) ?? '',
    pageUrl: null,
  })
  const method = appointment.status === 'cancelled' ? 'CANCEL' : 'PUBLISH'
  return writeInvitation(event, { method, now: getInstant(tx) })
}
