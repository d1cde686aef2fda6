/** An appointment in the calendar of the visitor: in the invitation of an e-mail, and in files. */
import type { CalendarEvent, Participant } from '../../../domain/icalendar/write-calendar.ts'
import type { AppointmentRow } from '../appointments/row.ts'

/** Without reminders, calendars remind their owner an hour before. */
const defaultAlarmMin = 60
const alarmsMax = 3
const statuses = { pending: 'TENTATIVE', cancelled: 'CANCELLED' } as const

export interface InvitationFacts {
  appointment: AppointmentRow
  title: string
  description: string
  place: string | null
  link: string | null
  /** The mailbox that sends it: mail programs compare it with the sender. Null: there is none. */
  organizer: Participant | null
  /** The reminders of the event type, in minutes before the start. */
  remindersMin: number[]
}

export function toInvitation(facts: InvitationFacts): CalendarEvent {
  const { appointment, title, description, place, link, organizer, remindersMin } = facts
  const { visitor, icalUid, sequence, start, end, timezone, createdAt, updatedAt } = appointment
  const alarms = [...new Set(remindersMin)].sort((one, other) => one - other).slice(0, alarmsMax)
  const isCancelled = appointment.status === 'cancelled'
  return {
    uid: icalUid,
    sequence,
    start: start.toTemporalInstant(),
    end: end.toTemporalInstant(),
    timezone,
    summary: title,
    description,
    location: place,
    url: link,
    status: statuses[appointment.status as keyof typeof statuses] ?? 'CONFIRMED',
    createdAt: createdAt.toTemporalInstant(),
    updatedAt: updatedAt.toTemporalInstant(),
    organizer,
    attendees: visitor.email
      ? [{ name: visitor.name ?? '', email: visitor.email, participation: 'NEEDS-ACTION', replies: true }]
      : [],
    alarmsMin: isCancelled ? [] : alarms.length > 0 ? alarms : [defaultAlarmMin],
  }
}
