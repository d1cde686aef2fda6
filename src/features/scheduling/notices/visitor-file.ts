/** The iCalendar file of an appointment, which visitors add to their calendar. It is the event of the invitation by e-mail. */
import { writeInvitation } from '../../../domain/icalendar/write-calendar.ts'
import { getInstant } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { chooseAccount } from './choose-account.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { toInvitation } from './invitation.ts'
import { formatPlace, writeEventText } from './notice-text.ts'
import { readOrganizer } from './organizer.ts'
import { readVisitorFacts } from './read-facts.ts'

export async function writeVisitorFile(
  tx: Tx,
  appointment: AppointmentRow,
  eventType: EventTypeRow,
  dependencies: NoticeDependencies,
): Promise<string> {
  const { notices, reminders } = eventType.config
  const chosen = await chooseAccount(tx, dependencies.accounts, { channel: 'email', notices })
  const organizer = 'code' in chosen ? null : await readOrganizer(tx, dependencies, chosen)
  const isCancelled = appointment.status === 'cancelled'
  const kind = isCancelled ? 'cancelled' : 'booked'
  const facts = await readVisitorFacts(tx, { kind }, appointment, { eventType, dependencies })
  const event = toInvitation({
    appointment,
    title: facts.title,
    description: writeEventText(facts),
    place: formatPlace(facts),
    link: facts.link,
    organizer,
    remindersMin: reminders.map(({ minutesBefore }) => minutesBefore),
  })
  // Every method requires an organizer (RFC 5546).
  const method = organizer === null ? null : isCancelled ? 'CANCEL' : 'PUBLISH'
  return writeInvitation(event, { method, now: getInstant(tx) })
}
