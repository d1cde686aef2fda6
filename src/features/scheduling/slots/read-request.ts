/** Reads what the slot calculator needs to know: for listings, holds, bookings and reschedules alike. */
import { estimateTravel, listDrivesBetween } from '../../../domain/slots/travel.ts'
import type { AgendaState, Interval, SlotRequest, Travel, WorkingHours } from '../../../domain/slots/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { listHolidays } from '../holidays.ts'
import { readDrivingTimes } from '../travel/queries.ts'
import { checkAccess } from './agent-access.ts'
import { countBookedPerDay } from './booked-per-day.ts'
import { findMembers, type Member, toSurroundings } from './members.ts'
import { getOwnPlace, type VisitPlace } from './place.ts'
import {
  type Fairness,
  readAgendas,
  readBusyTimes,
  readFairness,
  readGroupSlots,
  readNamesWithoutAccess,
  readReservations,
  type StoredAgenda,
  type StoredReservation,
} from './queries.ts'

export interface SlotQuery {
  /** Slots that begin in it; at most 62 days. */
  range: Interval
  /** The booked slot of the appointment that moves: it is in nobody's way. */
  excludedSlotId?: string | null
  /** Omitted: that of the event type. */
  place?: VisitPlace
  /** An agenda is to be chosen: read whose turn it is. A listing does not choose. */
  choosesAgenda?: boolean
}

export const slotWarningCodes = [
  'CALENDAR_STALE',
  'AGENT_WITHOUT_ACCESS',
  'NO_AGENT_FOR_AREA',
  'PLACE_UNKNOWN',
] as const

export interface SlotWarning {
  code: (typeof slotWarningCodes)[number]
  message: string
  /** Null: it concerns all agendas. */
  agendaId: string | null
}

export interface LoadedSlotRequest extends SlotRequest {
  /** Why there may be fewer slots than people expect. */
  warnings: SlotWarning[]
}

/** Reads the request of an event type: a few statements, whose results are bounded by the range and the members. */
export async function readSlotRequest(
  tx: Tx,
  eventType: EventTypeRow,
  { range, excludedSlotId = null, place = getOwnPlace(eventType), choosesAgenda = false }: SlotQuery,
): Promise<LoadedSlotRequest> {
  const { kind } = eventType.config.assignment
  const members = findMembers(eventType, place.postcode)
  const agendaIds = members.map(({ agendaId }) => agendaId)
  const durationMs = eventType.durationMin * 60_000
  const around = toSurroundings(eventType, range)
  const query = { eventTypeId: eventType.id, excludedSlotId }
  const { holidays } = eventType.config
  const reading = readReservations(tx, agendaIds, { ...query, range: around })
  const [closedDates, known, namesWithoutAccess, busy, reservations, fairness, groupSlots] =
    await Promise.all([
      holidays ? listHolidays(holidays, range) : [],
      readAgendas(tx, agendaIds, around),
      readNamesWithoutAccess(tx),
      readBusyTimes(tx, agendaIds, around),
      reading,
      choosesAgenda && kind === 'round_robin' && members.length > 1
        ? readFairness(tx, eventType.id)
        : new Map<string, Fairness>(),
      eventType.config.seats > 1
        ? // Afterwards: a group slot whose reservation is known is there, though another connection has just booked it.
          reading.then(() =>
            readGroupSlots(tx, { ...query, range: { ...range, endMs: range.endMs + durationMs } }),
          )
        : [],
    ])
  const { agendas, withoutAccess } = checkAccess(eventType, known, namesWithoutAccess)
  const isLeft = new Set(agendas.map(({ agendaId }) => agendaId))
  const leftOut = new Set(known.flatMap(({ agendaId }) => (isLeft.has(agendaId) ? [] : agendaId)))
  const reservationsByAgenda = Map.groupBy(reservations, ({ agendaId }) => agendaId)
  const weights = new Map(members.map(({ agendaId, weight }) => [agendaId, weight]))
  return {
    nowMs: getNow(tx).getTime(),
    range,
    durationMin: eventType.durationMin,
    bufferBeforeMin: eventType.bufferBeforeMin,
    bufferAfterMin: eventType.bufferAfterMin,
    availability: { ...eventType.availability, closedDates },
    assignment: kind === 'collective' ? 'collective' : 'round_robin',
    agendas: agendas.map(agenda =>
      toState(agenda, {
        eventType,
        weight: weights.get(agenda.agendaId)!,
        around,
        busy: busy.get(agenda.agendaId) ?? [],
        reservations: reservationsByAgenda.get(agenda.agendaId) ?? [],
        fairness: fairness.get(agenda.agendaId),
      }),
    ),
    travel: await readTravel(tx, eventType, place, reservations),
    seats: eventType.config.seats,
    groupSlots: groupSlots.filter(slot => !slot.agendaIds.some(id => leftOut.has(id))),
    warnings: [
      ...findAreaWarnings(members, place),
      ...withoutAccess.map(agenda => toAccessWarning(agenda, kind)),
      ...findStaleWarnings(agendas, { ...range, endMs: range.endMs + durationMs }),
    ],
  }
}

async function readTravel(
  tx: Tx,
  { config: { travel } }: EventTypeRow,
  { place }: VisitPlace,
  reservations: StoredReservation[],
): Promise<Travel | null> {
  if (!travel.enabled || place === null) return null
  const others = reservations.map(other => other.place).filter(other => other !== null)
  const drivingTimes = await readDrivingTimes(tx, listDrivesBetween(place, others))
  return estimateTravel(place, travel.speedKmh, drivingTimes)
}

interface Known {
  eventType: EventTypeRow
  weight: number
  around: Interval
  busy: Interval[]
  reservations: StoredReservation[]
  fairness: Fairness | undefined
}

function toState(agenda: StoredAgenda, known: Known): AgendaState {
  const { eventType, weight, around, busy, reservations, fairness } = known
  const unknownFromMs = findUnknownTime(agenda, around)
  const { dailyLimit, timezone } = eventType.availability
  return {
    agendaId: agenda.agendaId,
    workingHours: toWorkingHours(agenda),
    busy,
    ...(unknownFromMs === null ? {} : { unknown: { startMs: unknownFromMs, endMs: around.endMs } }),
    reservations,
    bookedPerDay:
      dailyLimit === null
        ? {}
        : countBookedPerDay(
            reservations.filter(({ isOwnEventType }) => isOwnEventType),
            timezone,
          ),
    weight,
    recentBookings: fairness?.recentBookings ?? 0,
    lastBookedAtMs: fairness?.lastBookedAtMs ?? null,
  }
}

const toWorkingHours = ({ timezone, workingHours }: StoredAgenda): WorkingHours | null =>
  workingHours && { timezone, ...workingHours, closedDates: [] }

/** From when on an agenda that fails closed is unknown; null: nothing is, or it does not fail closed. */
function findUnknownTime({ failsClosed, isStale, coveredToMs }: StoredAgenda, { startMs, endMs }: Interval) {
  if (!failsClosed) return null
  if (isStale) return startMs
  return coveredToMs !== null && coveredToMs < endMs ? Math.max(coveredToMs, startMs) : null
}

function findAreaWarnings(members: Member[], { postcode }: VisitPlace): SlotWarning[] {
  if (members.length > 0) return []
  const message = `No agent shows properties in the postcode ${postcode}. Add it to the areas of a member.`
  return [{ code: 'NO_AGENT_FOR_AREA', message, agendaId: null }]
}

const toAccessWarning = (
  { agendaId, name }: { agendaId: string; name: string },
  kind: string,
): SlotWarning => ({
  code: 'AGENT_WITHOUT_ACCESS',
  message: `${name}, whose agenda it is, has no access to the workspace any more, so no slot ${kind === 'collective' ? 'of the event type' : 'of the agenda'} is offered. Invite them again, or give the event type the agenda of somebody else.`,
  agendaId,
})

const findStaleWarnings = (agendas: StoredAgenda[], range: Interval): SlotWarning[] =>
  agendas
    .filter(agenda => findUnknownTime(agenda, range) !== null)
    .map(agenda => ({ code: 'CALENDAR_STALE', message: explainStale(agenda), agendaId: agenda.agendaId }))

function explainStale({ isStale, readAtMs, coveredToMs }: StoredAgenda): string {
  const toIso = (timeMs: number) => Temporal.Instant.fromEpochMilliseconds(timeMs).toString()
  if (!isStale)
    return `A calendar of this agenda is known until ${toIso(coveredToMs!)}, so no later slot of the agenda is offered.`
  const since = readAtMs === null ? 'has never been read' : `was last read on ${toIso(readAtMs)}`
  return `A calendar of this agenda ${since}, so no slot of the agenda is offered until it is read. Check the connection of the calendar.`
}
