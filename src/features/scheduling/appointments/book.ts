/**
 * Books appointments. A slot that is taken is refused before any lock is taken, so a stampede costs reads only. Then the
 * agendas are locked, and the same calculator decides again. The constraint of the database is the last guard.
 */

import type { Identifier } from '../../../domain/contact/identifiers.ts'
import { toExpiry } from '../../../domain/scheduling/appointment-status.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { toTimezone } from '../../../kit/time-zone.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { lockAgendas } from '../agendas/queries.ts'
import { listAgendaIds } from '../event-types/agenda-ids.ts'
import { type EventTypeRow, getEventType } from '../event-types/queries.ts'
import { releaseExpiredHolds, takeHold } from '../holds/queries.ts'
import { appointmentChanged } from '../hooks.ts'
import { getFreeSlot } from '../slots/free-slot.ts'
import { goThere } from '../slots/members.ts'
import { getOwnPlace, isSamePlace, readVisitPlace, type VisitPlace } from '../slots/place.ts'
import { getReceiver, releaseSeat, type TakenSeat, takeSeat } from '../slots/reserve.ts'
import { getAgentUserId } from './agendas.ts'
import { findOrCreateLead, findVisitorLead } from './lead.ts'
import { createLinks, type LinkDependencies } from './links.ts'
import { takesPlaceAtProperty, toLocation } from './location.ts'
import { holdNotValid } from './problems.ts'
import { insertAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'
import type { Appointment, NewAppointment } from './schemas.ts'
import { findBookingErrors, normalizeVisitor, toAnswers, toVisitorIdentifiers } from './visitor.ts'

export interface BookingRequest extends NewAppointment {
  source: 'api' | 'page'
  /** On a page, the visitor has entered a code that was sent to the e-mail address. */
  hasProvenEmail?: boolean
  /** `refuseTaken` has just found the slot free. */
  isChecked: boolean
}

export interface Booking {
  appointment: AppointmentRow
  links: NonNullable<Appointment['links']>
}

/**
 * Throws 404 for an unknown event type or lead; 400; 409 SLOT_TAKEN and 422 SLOT_UNAVAILABLE with the nearest free slots;
 * 409 HOLD_NOT_VALID.
 */
export async function bookAppointment(
  tx: Tx,
  request: BookingRequest,
  dependencies: LinkDependencies,
): Promise<Booking> {
  const [eventType, { country }] = await Promise.all([
    getEventType(tx, request.eventTypeId),
    getWorkspaceLocale(tx),
  ])
  throwIfInvalid(findBookingErrors(request, eventType, country))
  const visitor = normalizeVisitor(request.visitor, country)
  const identifiers = toVisitorIdentifiers(visitor)
  const startMs = Date.parse(request.start)
  const proven = identifiers.filter(({ kind }) => isProven(request, kind))
  const place = await readPlace(tx, eventType, { leadId: request.leadId ?? null, identifiers: proven })
  const slot = { eventType, startMs, place }
  const seat = request.holdId
    ? await convertHold(tx, request.holdId, slot)
    : await takeFreeSeat(tx, slot, request)
  const id = createId(tx)
  const [agentUserId] = await Promise.all([getAgentUserId(tx, seat.agendaId), lockLeadWrites(tx)])
  const leadId = await findOrCreateLead(tx, {
    leadId: request.leadId ?? null,
    name: visitor.name,
    identifiers,
    proven,
    appointmentId: id,
    start: new Date(startMs),
    isReply: eventType.config.bookingPage.stopsSequence,
  })
  const row = {
    ...toStatus(tx, eventType, startMs),
    id,
    eventTypeId: eventType.id,
    bookedSlotId: seat.bookedSlotId,
    agendaId: seat.agendaId,
    agentUserId,
    start: new Date(startMs),
    end: new Date(seat.endMs),
    timezone: toTimezone(request.timezone ?? eventType.availability.timezone)!,
    visitor,
    leadId,
    location: toLocation(eventType, place, visitor),
    answers: toAnswers(eventType, request.answers ?? {}),
    notes: request.notes ?? null,
    source: request.source,
    icalUid: `${id}@${new URL(dependencies.baseUrl).hostname}`,
    sequence: 0,
  }
  // They are sent at once.
  const [appointment, links] = await Promise.all([
    insertAppointment(tx, row),
    createLinks(tx, id, dependencies),
  ])
  const change = { kind: 'booked', before: null, after: appointment, isSilent: false } as const
  await callHook(tx, appointmentChanged, change)
  return { appointment, links }
}

/** Anybody can write the phone of somebody else into a public page. */
export function isProven(
  { source, hasProvenEmail = false }: Pick<BookingRequest, 'source' | 'hasProvenEmail'>,
  kind: Identifier['kind'],
): boolean {
  return source === 'api' || (kind === 'email' && hasProvenEmail)
}

/** Where it takes place. Only the property of a lead requires to know the lead. */
async function readPlace(
  tx: Tx,
  eventType: EventTypeRow,
  visitor: Parameters<typeof findVisitorLead>[1],
): Promise<VisitPlace> {
  const isAtProperty = takesPlaceAtProperty(eventType)
  const leadId = isAtProperty || visitor.leadId !== null ? await findVisitorLead(tx, visitor) : null
  return isAtProperty ? readVisitPlace(tx, eventType, leadId) : getOwnPlace(eventType)
}

function toStatus(
  tx: Tx,
  { config: { confirmation } }: EventTypeRow,
  startMs: number,
): Pick<AppointmentRow, 'status' | 'expiresAt' | 'confirmedAt'> {
  const now = getNow(tx)
  if (!confirmation.required) return { status: 'confirmed', expiresAt: null, confirmedAt: now }
  const expiresAt = new Date(toExpiry(now.getTime(), startMs, confirmation.expiresAfterMin))
  return { status: 'pending', expiresAt, confirmedAt: null }
}

interface WantedSlot {
  eventType: EventTypeRow
  startMs: number
  place: VisitPlace
}

async function takeFreeSeat(
  tx: Tx,
  { eventType, startMs, place }: WantedSlot,
  { isChecked }: Pick<BookingRequest, 'isChecked'>,
): Promise<TakenSeat> {
  const query = { eventType, startMs, place, excludedSlotId: null }
  if (!isChecked) await getFreeSlot(tx, query)
  const agendaIds = listAgendaIds(eventType)
  await lockAgendas(tx, agendaIds)
  // They are sent at once. For the calculator, what only expired holds take is free.
  const released = releaseExpiredHolds(tx, agendaIds)
  const slot = await getFreeSlot(tx, query).finally(() => released)
  return takeSeat(tx, { eventType, slot, place })
}

/**
 * The seat of the hold becomes that of the appointment. If the visitor's property is elsewhere, it is decided again who can go there.
 * Throws 409 HOLD_NOT_VALID.
 */
async function convertHold(tx: Tx, holdId: string, wanted: WantedSlot): Promise<TakenSeat> {
  const { eventType, startMs, place } = wanted
  const hold = await takeHold(tx, holdId)
  if (!hold) throw new Problem(holdNotValid, holdNotValid.example)
  if (hold.eventTypeId !== eventType.id || hold.startMs !== startMs)
    throw new Problem(
      holdNotValid,
      `This hold is for ${new Date(hold.startMs).toISOString()} of the event type ${hold.eventTypeId}. Book that slot, or book without holdId.`,
    )
  if (isSamePlace(hold.place, place.place) && goThere(eventType, hold.agendaIds, place))
    return { ...hold, agendaId: getReceiver(eventType, hold.agendaIds) }
  await lockAgendas(tx, listAgendaIds(eventType))
  await releaseSeat(tx, hold.bookedSlotId)
  // It was held in time.
  const held = { ...eventType, availability: { ...eventType.availability, minimumNoticeMin: 0 } }
  return takeFreeSeat(tx, { ...wanted, eventType: held }, { isChecked: true })
}
