/** Moves appointments to another time, or to another agent. Each is one transaction: a refused one changes nothing. */
import { toExpiry } from '../../../domain/scheduling/appointment-status.ts'
import type { BookableSlot } from '../../../domain/slots/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { invalidInput, throwIfInvalid } from '../../../kit/problem.ts'
import { checkTimezone, toTimezone } from '../../../kit/time-zone.ts'
import { findExistingAgendas, lockAgendas } from '../agendas/queries.ts'
import { listAgendaIds } from '../event-types/agenda-ids.ts'
import { type EventTypeRow, findEventType } from '../event-types/queries.ts'
import { releaseExpiredHolds } from '../holds/queries.ts'
import { appointmentChanged } from '../hooks.ts'
import { getFreeSlot } from '../slots/free-slot.ts'
import type { WantedSlot } from '../slots/nearest-slots.ts'
import { readVisitPlace, type VisitPlace } from '../slots/place.ts'
import { moveSeat, readAgendaIds, releaseSeat, type TakenSeat } from '../slots/reserve.ts'
import { getAgentUserId } from './agendas.ts'
import { changeAppointment, lockFor } from './change.ts'
import { toVisitPlace } from './location.ts'
import { addPresentAgent } from './present-agent.ts'
import { type AppointmentUpdate, updateAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'

export interface RescheduleRequest {
  start: string
  timezone?: string | null
  /** A visitor who chooses another time waits for the agent again, if the event type requires a confirmation. */
  by: 'agent' | 'visitor'
}

/**
 * Keeps the id, the UID and the links; the sequence grows. Throws 404; 409 INVALID_TRANSITION; 409 SLOT_TAKEN and 422
 * SLOT_UNAVAILABLE with the nearest free slots.
 */
export async function rescheduleAppointment(
  tx: Tx,
  id: string,
  { start, timezone, by }: RescheduleRequest,
): Promise<AppointmentRow> {
  throwIfInvalid(checkTimezone(timezone ?? undefined, '/timezone'))
  const before = await lockFor(tx, id, 'reschedule')
  const eventType = addPresentAgent((await findEventType(tx, before.eventTypeId))!, before)
  const startMs = Date.parse(start)
  const zone = timezone ? toTimezone(timezone)! : before.timezone
  if (startMs === before.start.getTime())
    return zone === before.timezone
      ? before
      : changeAppointment(tx, before, { kind: 'updated', update: { timezone: zone } })
  const place = await readPlace(tx, eventType, before)
  const query = { eventType, startMs, place, excludedSlotId: before.bookedSlotId }
  const seat = await moveToSlot(tx, before, query, listAgendaIds(eventType))
  return finishMove(tx, before, seat, {
    kind: 'rescheduled',
    update: {
      start: new Date(startMs),
      end: new Date(seat.endMs),
      timezone: zone,
      ...toStatusUpdate(tx, eventType, { status: before.status, startMs, by }),
    },
  })
}

/** Where it was booked to take place. The areas of agents depend on the postcode of the property. */
export async function readPlace(
  tx: Tx,
  eventType: EventTypeRow,
  { location, leadId }: AppointmentRow,
): Promise<VisitPlace> {
  const { postcode } = await readVisitPlace(tx, eventType, leadId)
  return { ...toVisitPlace(location), postcode }
}

/** `confirmedAt` stays: the visitor has an invitation, which follows every change. */
function toStatusUpdate(
  tx: Tx,
  { config: { confirmation } }: EventTypeRow,
  {
    status,
    startMs,
    by,
  }: Pick<AppointmentRow, 'status'> & Pick<RescheduleRequest, 'by'> & { startMs: number },
): AppointmentUpdate {
  if (status !== 'pending' && !(by === 'visitor' && confirmation.required)) return {}
  const expiresAt = new Date(toExpiry(getNow(tx).getTime(), startMs, confirmation.expiresAfterMin))
  return { status: 'pending', expiresAt }
}

/** Like a booking: refused without locks if the slot is taken; then decided again under the locks of the agendas. */
async function moveToSlot(
  tx: Tx,
  before: AppointmentRow,
  query: WantedSlot,
  agendaIds: string[],
): Promise<TakenSeat> {
  await getFreeSlot(tx, query)
  const locked = [...new Set([...agendaIds, before.agendaId])]
  await lockAgendas(tx, locked)
  await releaseExpiredHolds(tx, locked)
  const slot = keepAgent(await getFreeSlot(tx, query), before)
  return moveSeat(tx, before.bookedSlotId!, { eventType: query.eventType, slot, place: query.place })
}

/** The visitor keeps their agent, if that one is free. */
function keepAgent(slot: BookableSlot, { agendaId }: AppointmentRow): BookableSlot {
  if (!slot.agendaIds.includes(agendaId)) return slot
  return { ...slot, agendaIds: [agendaId, ...slot.agendaIds.filter(id => id !== agendaId)] }
}

async function finishMove(
  tx: Tx,
  before: AppointmentRow,
  { bookedSlotId, agendaId }: Pick<TakenSeat, 'bookedSlotId' | 'agendaId'>,
  { kind, update }: { kind: 'rescheduled' | 'assigned'; update: AppointmentUpdate },
): Promise<AppointmentRow> {
  const agentUserId = await getAgentUserId(tx, agendaId)
  const visitorAnswer = kind === 'rescheduled' ? null : before.visitorAnswer
  const moved = { bookedSlotId, agendaId, agentUserId, sequence: before.sequence + 1, visitorAnswer }
  const after = await updateAppointment(tx, before, { ...update, ...moved })
  // Before the event, for which all of the environment waits: who joins the slot now holds its row, and emits later.
  if (bookedSlotId !== before.bookedSlotId) await releaseSeat(tx, before.bookedSlotId!)
  await callHook(tx, appointmentChanged, { kind, before, after, isSilent: false })
  return after
}

/**
 * Another agent receives the visitor, at the same time. Throws 404; 400 for an unknown agenda; 409 INVALID_TRANSITION; 409
 * SLOT_TAKEN and 422 SLOT_UNAVAILABLE if that agent is not free.
 */
export async function assignAppointment(tx: Tx, id: string, agendaId: string): Promise<AppointmentRow> {
  const before = await lockFor(tx, id, 'assign')
  if (!(await findExistingAgendas(tx, [agendaId])).has(agendaId))
    throw invalidInput('/agendaId', 'UNKNOWN_AGENDA', 'There is no agenda with this id.')
  if (agendaId === before.agendaId) return before
  const eventType = (await findEventType(tx, before.eventTypeId))!
  const bookedSlotId = before.bookedSlotId!
  const occupied = await readAgendaIds(tx, bookedSlotId)
  if (occupied.includes(agendaId))
    return finishMove(tx, before, { bookedSlotId, agendaId }, { kind: 'assigned', update: {} })
  if (eventType.config.assignment.kind === 'collective')
    throw invalidInput(
      '/agendaId',
      'NOT_ALLOWED',
      `All agents of the event type receive the visitor together: choose one of ${occupied.join(', ')}.`,
    )
  const query = {
    eventType: toEventTypeOf(eventType, agendaId),
    startMs: before.start.getTime(),
    place: toVisitPlace(before.location),
    excludedSlotId: bookedSlotId,
  }
  const seat = await moveToSlot(tx, before, query, [agendaId])
  return finishMove(tx, before, seat, { kind: 'assigned', update: {} })
}

/** The event type as if it belonged to this agenda alone. A person decides, so notice and horizon do not count. */
export const toEventTypeOf = (eventType: EventTypeRow, agendaId: string): EventTypeRow => ({
  ...eventType,
  agendaId,
  availability: { ...eventType.availability, minimumNoticeMin: 0, horizonDays: 730 },
  config: { ...eventType.config, assignment: { kind: 'single', members: [] } },
})
