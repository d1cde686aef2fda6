/** The appointment as an iCalendar file, which visitors add to their calendar. */
import { writeCalendar } from '../../../domain/icalendar/write-calendar.ts'
import type { PublicFile } from '../../../kit/public-route.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { EventTypeRow } from '../event-types/queries.ts'

interface InviteFacts {
  eventType: Pick<EventTypeRow, 'name'>
  appointment: AppointmentRow
  /** The page of the appointment. */
  url: string
  now: Temporal.Instant
}

const statuses = { pending: 'TENTATIVE', cancelled: 'CANCELLED' } as const
const alarmMin = 60

export function toInvite({ eventType, appointment, url, now }: InviteFacts): PublicFile {
  const { location, status } = appointment
  const text = writeCalendar(
    [
      {
        uid: appointment.icalUid,
        sequence: appointment.sequence,
        start: appointment.start.toTemporalInstant(),
        end: appointment.end.toTemporalInstant(),
        timezone: appointment.timezone,
        summary: eventType.name,
        description: [location.instructions, url].filter(part => part).join('\n\n'),
        location: location.address ?? location.url ?? location.phone,
        url,
        status: statuses[status as keyof typeof statuses] ?? 'CONFIRMED',
        createdAt: appointment.createdAt.toTemporalInstant(),
        updatedAt: appointment.updatedAt.toTemporalInstant(),
        organizer: null,
        attendees: [],
        alarmsMin: [alarmMin],
      },
    ],
    { method: 'PUBLISH', now },
  )
  return {
    type: 'text/calendar; charset=utf-8',
    bytes: Buffer.from(text),
    headers: { 'Content-Disposition': 'attachment; filename="appointment.ics"' },
  }
}
