/** Finds the drives that decide about bookings and moves. What is refused for another reason needs none. */
import type { Drive } from '../../../domain/slots/travel.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { type EventTypeRow, findEventType } from '../event-types/queries.ts'
import { findSlotDrives } from '../slots/nearest-slots.ts'
import { readVisitPlace } from '../slots/place.ts'
import { type BookingRequest, isProven } from './book.ts'
import { findVisitorLead } from './lead.ts'
import { takesPlaceAtProperty, toVisitPlace } from './location.ts'
import { findAppointments } from './queries.ts'
import { type RescheduleRequest, readPlace, toEventTypeOf } from './reschedule.ts'
import type { AppointmentRow } from './row.ts'
import { normalizeVisitor, toVisitorIdentifiers } from './visitor.ts'

export async function findBookingDrives(
  tx: Tx,
  request: Omit<BookingRequest, 'isChecked'>,
): Promise<Drive[]> {
  const eventType = await findEventType(tx, request.eventTypeId)
  if (!eventType?.config.travel.enabled) return []
  const leadId = request.leadId ?? (takesPlaceAtProperty(eventType) ? await findLead(tx, request) : null)
  const place = await readVisitPlace(tx, eventType, leadId)
  return findSlotDrives(tx, { eventType, startMs: Date.parse(request.start), place })
}

async function findLead(tx: Tx, request: Omit<BookingRequest, 'isChecked'>): Promise<string | null> {
  const { country } = await getWorkspaceLocale(tx)
  const identifiers = toVisitorIdentifiers(normalizeVisitor(request.visitor, country))
  const proven = identifiers.filter(({ kind }) => isProven(request, kind))
  return findVisitorLead(tx, { leadId: null, identifiers: proven })
}

/** An appointment whose place counts when it moves. */
export async function findTravelling(
  tx: Tx,
  appointmentId: string,
): Promise<{ appointment: AppointmentRow; eventType: EventTypeRow } | null> {
  const [appointment] = await findAppointments(tx, [appointmentId])
  const eventType = appointment && (await findEventType(tx, appointment.eventTypeId))
  return appointment && eventType?.config.travel.enabled ? { appointment, eventType } : null
}

export async function findRescheduleDrives(
  tx: Tx,
  appointmentId: string,
  { start }: Pick<RescheduleRequest, 'start'>,
): Promise<Drive[]> {
  const found = await findTravelling(tx, appointmentId)
  if (!found) return []
  const { appointment, eventType } = found
  const place = await readPlace(tx, eventType, appointment)
  return findSlotDrives(tx, { eventType, startMs: Date.parse(start), place })
}

export async function findAssignDrives(
  tx: Tx,
  appointmentId: string,
  { agendaId }: { agendaId: string },
): Promise<Drive[]> {
  const found = await findTravelling(tx, appointmentId)
  if (!found) return []
  const { appointment, eventType } = found
  return findSlotDrives(tx, {
    eventType: toEventTypeOf(eventType, agendaId),
    startMs: appointment.start.getTime(),
    place: toVisitPlace(appointment.location),
  })
}
