/** Finds the free slots near a time that can't be booked. */
import { SlotBoundsError } from '../../../domain/slots/bounds.ts'
import { findNearestSlots } from '../../../domain/slots/list-slots.ts'
import type { Drive } from '../../../domain/slots/travel.ts'
import type { Interval } from '../../../domain/slots/types.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { findDrives } from './find-drives.ts'
import type { VisitPlace } from './place.ts'
import { readSlotRequest } from './read-request.ts'

export interface WantedSlot {
  eventType: EventTypeRow
  startMs: number
  place: VisitPlace
  /** The booked slot of the appointment that moves; null: none. */
  excludedSlotId: string | null
}

const dayMs = 86_400_000
const nearestMax = 5
const searchedDays = { before: 7, after: 14 }
/** The longest range of a request is 62 days, of which an hour may be missing or there twice. */
const farDays = 60

/** At most 5, the nearest first. Searched first around the time, then later up to the horizon, then earlier. */
export async function findNearest(
  tx: Tx,
  { eventType, startMs, place, excludedSlotId }: WantedSlot,
): Promise<Interval[]> {
  for (const range of listSearchedRanges(tx, eventType.availability, startMs)) {
    const request = await readSlotRequest(tx, eventType, { range, place, excludedSlotId })
    try {
      const found = findNearestSlots(request, startMs, nearestMax)
      if (found.length > 0) return found
    } catch (error) {
      // Too many busy times around it: the refusal matters more than what is near.
      if (!(error instanceof SlotBoundsError)) throw error
    }
  }
  return []
}

/** The drives that decide about the slot and those around it. */
export function findSlotDrives(
  tx: Tx,
  { eventType, startMs, place }: Pick<WantedSlot, 'eventType' | 'startMs' | 'place'>,
): Promise<Drive[]> {
  const [near] = listSearchedRanges(tx, eventType.availability, startMs)
  return findDrives(tx, eventType, { place, range: near! })
}

function listSearchedRanges(
  tx: Tx,
  { minimumNoticeMin, horizonDays }: { minimumNoticeMin: number; horizonDays: number },
  startMs: number,
): Interval[] {
  const nowMs = getNow(tx).getTime()
  const earliestMs = nowMs + minimumNoticeMin * 60_000
  const latestMs = Math.max(earliestMs, nowMs + (horizonDays + 2) * dayMs)
  // A time long ago or far ahead has no slots around it.
  const aroundMs = Math.min(
    Math.max(startMs, earliestMs),
    Math.max(earliestMs, latestMs - searchedDays.before * dayMs),
  )
  const near = {
    startMs: Math.max(earliestMs, aroundMs - searchedDays.before * dayMs),
    endMs: aroundMs + searchedDays.after * dayMs,
  }
  const ranges = [near]
  for (let fromMs = near.endMs; fromMs < latestMs; fromMs += farDays * dayMs)
    ranges.push({ startMs: fromMs, endMs: Math.min(fromMs + farDays * dayMs, latestMs) })
  for (let toMs = near.startMs; toMs > earliestMs; toMs -= farDays * dayMs)
    ranges.push({ startMs: Math.max(toMs - farDays * dayMs, earliestMs), endMs: toMs })
  return ranges
}
