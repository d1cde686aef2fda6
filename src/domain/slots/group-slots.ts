/** Group viewings: a visitor joins one that has seats left before another one begins beside it. */
import { type Spans, toSpans } from './spans.ts'
import type { GroupSlot, SlotRequest } from './types.ts'
import { minuteMs, toBookablePeriod } from './wall-clock.ts'

/**
 * In order. Of two that begin at the same time, the fuller one, so that viewings fill up. It takes place anyway, so hours and busy times
 * don't count; notice and horizon do.
 */
export function listJoinableSlots(request: SlotRequest): GroupSlot[] {
  const { startMs, endMs } = toBookablePeriod(request)
  return request.groupSlots
    .filter(slot => slot.seatsLeft > 0 && slot.startMs >= startMs && slot.startMs < endMs)
    .sort(compareSlots)
    .filter((slot, index, sorted) => sorted[index - 1]?.startMs !== slot.startMs)
}

function compareSlots(one: GroupSlot, other: GroupSlot): number {
  return (
    one.startMs - other.startMs ||
    one.seatsLeft - other.seatsLeft ||
    (one.bookedSlotId < other.bookedSlotId ? -1 : 1)
  )
}

/** The starts of slots that would overlap one of these. */
export function listTimesBeside(slots: GroupSlot[], { durationMin }: SlotRequest): Spans {
  return toSpans(slots.flatMap(({ startMs, endMs }) => [startMs - durationMin * minuteMs + 1, endMs]))
}
