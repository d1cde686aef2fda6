/** An appointment as calendars show it: to the agent, with what is known of the visitor. */
import type { OutgoingEvent } from '../../plugins/calendar.ts'
import type { AppointmentRow } from '../scheduling/service.ts'

const textMax = 8000

/** For the agent. */
export function toAgentEvent(
  appointment: AppointmentRow,
  eventTypeName: string,
  timezone: string,
): OutgoingEvent {
  const { visitor, notes, location } = appointment
  const name = visitor.name ?? null
  return {
    ...toTimes(appointment),
    timezone,
    summary: name === null ? eventTypeName : `${eventTypeName}: ${name}`,
    description: joinLines([name, visitor.phone, visitor.email, location.instructions, notes]),
    location: toPlace(location),
    url: location.url,
    isTentative: appointment.status === 'pending',
  }
}

const toTimes = ({ icalUid, sequence, start, end, updatedAt }: AppointmentRow) => ({
  uid: icalUid,
  sequence,
  start: start.toTemporalInstant(),
  end: end.toTemporalInstant(),
  updatedAt: updatedAt.toTemporalInstant(),
})

const toPlace = ({ address, url, phone }: AppointmentRow['location']): string | null =>
  address ?? url ?? phone

const joinLines = (lines: (string | null | undefined)[]): string =>
  lines
    .filter(line => line !== null && line !== undefined && line !== '')
    .join('\n')
    .slice(0, textMax)
