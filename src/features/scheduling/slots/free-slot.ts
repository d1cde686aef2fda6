/** Finds the slot that somebody wants, or says why it is not free and which ones are near. */
import { SlotBoundsError } from '../../../domain/slots/bounds.ts'
import { findSlot } from '../../../domain/slots/list-slots.ts'
import type {
  BookableSlot,
  Interval,
  SlotRequest,
  Unavailable,
  UnavailableReason,
} from '../../../domain/slots/types.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { slotTaken, slotUnavailable } from '../problems.ts'
import { findNearest, type WantedSlot } from './nearest-slots.ts'
import { dependsOnLead } from './place.ts'
import { readSlotRequest, type SlotWarning } from './read-request.ts'

/** Throws 409 SLOT_TAKEN and 422 SLOT_UNAVAILABLE, with the nearest free slots. */
export async function getFreeSlot(tx: Tx, wanted: WantedSlot): Promise<BookableSlot> {
  const { eventType, startMs, place, excludedSlotId } = wanted
  const range = { startMs, endMs: startMs + 1 }
  const request = await readSlotRequest(tx, eventType, {
    range,
    place,
    excludedSlotId,
    choosesAgenda: true,
  })
  const found = findBoundedSlot(request, startMs)
  if (!('reason' in found)) return found
  const hint = findHint(found.reason, { eventType, warnings: request.warnings })
  throw createProblem(found.reason, { startMs, nearest: await findNearest(tx, wanted), hint })
}

/**
 * The refusal of a slot that was free a moment ago: somebody else has occupied its agendas, or taken its last seat. With the nearest free
 * slots.
 */
export async function createTaken(tx: Tx, reason: 'BUSY' | 'NO_SEATS', wanted: WantedSlot): Promise<Problem> {
  return createProblem(reason, {
    startMs: wanted.startMs,
    nearest: await findNearest(tx, wanted),
    hint: null,
  })
}

/** What else people need to know; null: nothing. */
function findHint(
  reason: UnavailableReason,
  { eventType, warnings }: { eventType: EventTypeRow; warnings: SlotWarning[] },
): string | null {
  const findMessage = (wanted: SlotWarning['code']) => warnings.find(({ code }) => code === wanted)?.message
  if (reason === 'CALENDAR_STALE') return findMessage(reason) ?? null
  const withoutAccess = reason === 'NO_AGENDA' && findMessage('AGENT_WITHOUT_ACCESS')
  if (withoutAccess) return withoutAccess
  const isAboutPlace = reason === 'TRAVEL' || reason === 'NO_AGENDA'
  return isAboutPlace && dependsOnLead(eventType)
    ? 'The place is the property of the lead: request the slots with its leadId.'
    : null
}

/** Agendas with tens of thousands of busy times on one day are busy. */
function findBoundedSlot(request: SlotRequest, startMs: number): BookableSlot | Unavailable {
  try {
    return findSlot(request, startMs)
  } catch (error) {
    if (error instanceof SlotBoundsError) return { reason: 'BUSY' }
    throw error
  }
}

/** Somebody else was there first. Every other reason is a rule of the event type or of the agent. */
const takenReasons: readonly UnavailableReason[] = ['BUSY', 'NO_SEATS', 'JOIN_OPEN_SLOT']

const explanations: Record<UnavailableReason, string> = {
  NOTICE: 'it is too soon, or over',
  HORIZON: 'it is too far ahead',
  CLOSED: 'that day is closed',
  OUTSIDE_HOURS: 'it is outside of its hours',
  NOT_A_SLOT_START: 'no slot begins then',
  NO_AGENDA: 'no agent is there for it',
  DAILY_LIMIT: 'the agent takes no more slots of the event type on that day',
  TRAVEL: 'the way from or to another appointment takes too long',
  BUSY: 'it is taken',
  JOIN_OPEN_SLOT: 'a group viewing with free seats is near',
  NO_SEATS: 'no seat is left',
  CALENDAR_STALE: 'it is not known whether the agent is free',
}

interface Refusal {
  startMs: number
  nearest: Interval[]
  hint: string | null
}

function createProblem(reason: UnavailableReason, { startMs, nearest, hint }: Refusal): Problem {
  const details = { slotReason: reason, nearestSlots: nearest.map(toSlotReply) }
  const start = Temporal.Instant.fromEpochMilliseconds(startMs).toString()
  if (takenReasons.includes(reason))
    return new Problem(slotTaken, `The slot on ${start} is taken. Choose another one.`, { details })
  const message = `The event type is not offered on ${start}: ${explanations[reason]}. ${hint ? `${hint} ` : ''}Choose another slot.`
  return new Problem(slotUnavailable, message, { details })
}

const toSlotReply = ({ startMs, endMs }: Interval) => ({
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
})
