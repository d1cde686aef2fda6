/** The file of an appointment for the calendar program of the visitor. */
import type { Tx } from '../../../kit/db/index.ts'
import { downloadRoute, inOnePiece, type Route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { getAppointment } from '../appointments/queries.ts'
import { findEventType } from '../event-types/queries.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { writeVisitorFile } from './visitor-file.ts'

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

export const invitationRoute = (dependencies: NoticeDependencies): Route =>
  downloadRoute({
    path: '/scheduling/appointments/{id}/invitation.ics',
    operation: 'downloadInvitation',
    tag: 'Calendars',
    summary: 'Download an appointment as an iCalendar file',
    description:
      'For the calendar program of the visitor. A cancelled appointment has the method CANCEL, which removes it there. Without an e-mail account there is no organizer, and so no method.',
    scope: 'scheduling:read',
    params: strictObject({ id: id('The appointment.') }),
    types: { 'text/calendar': { description: 'An iCalendar object (RFC 5545).', example } },
    async download({ params, caller, database }) {
      const text = await database.readTenant(caller, tx => writeFile(tx, params.id, dependencies))
      return { type: 'text/calendar', fileName: 'invite.ics', pieces: inOnePiece(text) }
    },
  })

async function writeFile(tx: Tx, appointmentId: string, dependencies: NoticeDependencies): Promise<string> {
  const appointment = await getAppointment(tx, appointmentId)
  const eventType = (await findEventType(tx, appointment.eventTypeId))!
  return writeVisitorFile(tx, appointment, eventType, dependencies)
}
