/** Lists the free slots of an event type. */
import { SlotBoundsError } from '../../../domain/slots/bounds.ts'
import { groupByDay } from '../../../domain/slots/group-by-day.ts'
import { listSlots } from '../../../domain/slots/list-slots.ts'
import type { Drive } from '../../../domain/slots/travel.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput, throwIfInvalid } from '../../../kit/problem.ts'
import { toTimezone } from '../../../kit/time-zone.ts'
import { assertLead } from '../../leads/service.ts'
import { type EventTypeRow, findEventType, getEventType } from '../event-types/queries.ts'
import { findDrives } from './find-drives.ts'
import { parseRange } from './parse-range.ts'
import { dependsOnLead, readVisitPlace, type VisitPlace } from './place.ts'
import { readSlotRequest, type SlotWarning } from './read-request.ts'
import type { SlotFilter, SlotList } from './schemas.ts'

const dayMs = 86_400_000

/** Finds the drives that decide about a listing. Finds none for one that is refused. */
export async function findListedDrives(
  tx: Tx,
  eventTypeId: string,
  { from, to, timezone, leadId }: SlotFilter,
): Promise<Drive[]> {
  const eventType = await findEventType(tx, eventTypeId)
  if (!eventType?.config.travel.enabled) return []
  const zone = toTimezone(timezone ?? eventType.availability.timezone)!
  const range = parseRange({ from, to }, zone, getNow(tx).getTime())
  if ('errors' in range) return []
  const place = await readVisitPlace(tx, eventType, leadId ?? null)
  return findDrives(tx, eventType, { place, range: limitToHorizon(tx, eventType, range) })
}

/** Throws 404 for an unknown event type or lead, and 400 for a range that is too long. */
export async function listFreeSlots(
  tx: Tx,
  eventTypeId: string,
  { from, to, timezone, leadId }: SlotFilter,
): Promise<SlotList> {
  const eventType = await getEventType(tx, eventTypeId)
  if (leadId !== undefined) await assertLead(tx, leadId)
  const zone = toTimezone(timezone ?? eventType.availability.timezone)!
  const range = parseRange({ from, to }, zone, getNow(tx).getTime())
  if ('errors' in range) {
    throwIfInvalid(range.errors)
    return { data: {}, timezone: zone, warnings: [] }
  }
  const place = await readVisitPlace(tx, eventType, leadId ?? null)
  const { warnings, ...request } = await readSlotRequest(tx, eventType, {
    range: limitToHorizon(tx, eventType, range),
    place,
  })
  try {
    const days = groupByDay(listSlots(request), zone)
    const unknown = findUnknownPlace(eventType, leadId, place)
    return { data: mapValues(days, toReply), timezone: zone, warnings: [...warnings, ...unknown] }
  } catch (error) {
    if (error instanceof SlotBoundsError) throw invalidInput('/to', 'TOO_LARGE', error.message)
    throw error
  }
}

function findUnknownPlace(
  eventType: EventTypeRow,
  leadId: string | undefined,
  { place }: VisitPlace,
): SlotWarning[] {
  if (!dependsOnLead(eventType)) return []
  if (leadId === undefined) return [placeUnknown]
  return place === null && eventType.config.travel.enabled ? [wayUnknown] : []
}

const placeUnknown: SlotWarning = {
  code: 'PLACE_UNKNOWN',
  message:
    'It takes place at the property of a lead, which decides which agents can come and how long their way is. Send leadId: without it, a slot may be listed that is not bookable for the lead.',
  agendaId: null,
}

const wayUnknown: SlotWarning = {
  code: 'PLACE_UNKNOWN',
  message:
    'The coordinates of the property of the lead are unknown, so no time is kept free for the way to it. Set its latitude and longitude with PATCH /leads/{id}.',
  agendaId: null,
}

/** Nothing is bookable outside, so nothing is read there. */
function limitToHorizon(tx: Tx, { availability }: EventTypeRow, { startMs, endMs }: Interval): Interval {
  const nowMs = getNow(tx).getTime()
  const latestMs = nowMs + (availability.horizonDays + 2) * dayMs
  const limitedMs = Math.min(Math.max(startMs, nowMs), latestMs)
  return { startMs: limitedMs, endMs: Math.max(limitedMs, Math.min(endMs, latestMs)) }
}

const toReply = ({ startMs, endMs, seatsLeft }: Interval & { seatsLeft: number }) => ({
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
  seatsLeft,
})

const mapValues = <T, R>(record: Record<string, T[]>, map: (value: T) => R): Record<string, R[]> =>
  Object.fromEntries(Object.entries(record).map(([key, values]) => [key, values.map(map)]))
