/** Refuses bookings of taken slots before their transaction: a stampede on one slot costs a few reads in all. */

import { singleFlight } from '../../../kit/batch-calls.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { assertLead, getWorkspaceLocale } from '../../leads/service.ts'
import { type EventTypeRow, getEventType } from '../event-types/queries.ts'
import { getFreeSlot } from '../slots/free-slot.ts'
import { dependsOnLead, getOwnPlace } from '../slots/place.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import { findBookingDrives } from './find-drives.ts'
import type { NewAppointment } from './schemas.ts'
import { findBookingErrors } from './visitor.ts'

interface Facts {
  eventType: EventTypeRow
  country: string
  /** Null: the slot is free, or it depends on the visitor. */
  refusal: Problem | null
  isChecked: boolean
}

const shareFacts = singleFlight<Facts>()

/**
 * Throws what `bookAppointment` would throw for a slot that is taken or not offered. Requests for one slot share the reads: a
 * request never gets an answer from before it was sent. Returns whether the slot was found free, so that the booking needs no
 * other check before its locks.
 */
export async function refuseTaken(
  database: Database,
  { tenantId }: { tenantId: string },
  request: NewAppointment,
  { travelTimes }: TravelDependencies,
): Promise<boolean> {
  const prepareTravel = () =>
    travelTimes.prepare(
      database,
      { tenantId },
      {
        purpose: 'booking',
        find: tx => findBookingDrives(tx, { ...request, source: 'api' }),
      },
    )
  // The hold may be of another property: then the slot is decided again.
  if (request.holdId) {
    await prepareTravel()
    return false
  }
  const startMs = Date.parse(request.start)
  const { eventTypeId } = request
  const { eventType, country, refusal, isChecked } = await shareFacts(
    `${tenantId} ${eventTypeId} ${startMs}`,
    async () => {
      await prepareTravel()
      return database.readTenant({ tenantId }, tx => readFacts(tx, eventTypeId, startMs))
    },
  )
  // The others have shared the drives of one of them.
  if (!isChecked) await prepareTravel()
  if (!refusal) return isChecked
  throwIfInvalid(findBookingErrors(request, eventType, country))
  const { leadId } = request
  if (leadId) await database.readTenant({ tenantId }, tx => assertLead(tx, leadId))
  throw refusal
}

async function readFacts(tx: Tx, eventTypeId: string, startMs: number): Promise<Facts> {
  const [eventType, { country }] = await Promise.all([getEventType(tx, eventTypeId), getWorkspaceLocale(tx)])
  const isChecked = !dependsOnLead(eventType)
  const facts = { eventType, country, isChecked }
  if (!isChecked) return { ...facts, refusal: null }
  const query = { eventType, startMs, place: getOwnPlace(eventType), excludedSlotId: null }
  return { ...facts, refusal: await findRefusal(tx, query) }
}

async function findRefusal(tx: Tx, query: Parameters<typeof getFreeSlot>[1]): Promise<Problem | null> {
  try {
    await getFreeSlot(tx, query)
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
