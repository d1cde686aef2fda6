/**
 * The slot calculator. The listing, the booking and the page read the same function: a time can be booked if and only if the listing of
 * any range that contains it offers it.
 */
import { assertBounds, assertStarts } from './bounds.ts'
import { explainUnavailable } from './explain.ts'
import { orderByFairness } from './fairness.ts'
import { listJoinableSlots, listTimesBeside } from './group-slots.ts'
import { listGridTimes, toDayPlan } from './hours.ts'
import { listBlockedStarts, listStartsOutside } from './rules.ts'
import { isInside, keepTimes, type Times, uniteSpans } from './spans.ts'
import type { BookableSlot, GroupSlot, Slot, SlotRequest, Unavailable } from './types.ts'
import { minuteMs, toBookablePeriod } from './wall-clock.ts'

/** The slots that begin in the range, in order; no two begin at the same time. Throws SlotBoundsError. */
export function listSlots(request: SlotRequest): Slot[] {
  assertBounds(request)
  const bookable = toBookablePeriod(request)
  const range = {
    startMs: Math.max(request.range.startMs, bookable.startMs),
    endMs: Math.min(request.range.endMs, bookable.endMs),
  }
  if (range.endMs <= range.startMs) return []
  const limited = { ...request, range }
  const plan = toDayPlan(request.availability)
  const joinable = listJoinableSlots(limited)
  const timesMs = new Float64Array(listGridTimes(plan, request.availability.slotIntervalMin, range))
  assertStarts(timesMs.length, request)
  const blocked = uniteSpans(listStartsOutside(plan, limited), listTimesBeside(joinable, limited))
  const freeMs = filterFree(keepTimes(timesMs, 'outside', blocked), limited)
  const slots = Array.from(freeMs, startMs => toNewSlot(startMs, request))
  const joined = joinable.filter(({ startMs }) => startMs >= range.startMs && startMs < range.endMs)
  if (joined.length === 0) return slots
  return [...slots, ...joined.map(toJoinedSlot)].sort((one, other) => one.startMs - other.startMs)
}

/** The slot that the listing offers at this time, or why it offers none. */
export function findSlot(request: SlotRequest, startMs: number): BookableSlot | Unavailable {
  const moment = { ...request, range: { startMs, endMs: startMs + 1 } }
  const slot = listSlots(moment)[0]
  if (slot === undefined) return { reason: explainUnavailable(moment) }
  return { ...slot, agendaIds: listAgendaIds(slot, moment) }
}

/** The slots of the range whose start is nearest to the time: the nearest first, and the earlier one of two. */
export function findNearestSlots(request: SlotRequest, startMs: number, count: number): Slot[] {
  const slots = listSlots(request)
  const found = slots.findIndex(slot => slot.startMs >= startMs)
  let after = found < 0 ? slots.length : found
  let before = after - 1
  const nearest: Slot[] = []
  while (nearest.length < count && (before >= 0 || after < slots.length)) {
    const beforeMs = startMs - (slots[before]?.startMs ?? Number.NEGATIVE_INFINITY)
    const afterMs = (slots[after]?.startMs ?? Number.POSITIVE_INFINITY) - startMs
    nearest.push(beforeMs <= afterMs ? slots[before--]! : slots[after++]!)
  }
  return nearest
}

/** The times at which the agendas are free: all of them, or one of them. */
function filterFree(timesMs: Times, request: SlotRequest): Times {
  const { agendas, assignment } = request
  if (agendas.length === 0) return new Float64Array()
  const where = assignment === 'collective' ? 'outside' : 'inside'
  let left = timesMs.slice()
  for (const agenda of agendas) {
    if (left.length === 0) break
    left = keepTimes(left, where, listBlockedStarts(agenda, request))
  }
  if (assignment === 'collective') return left
  // What is left of the times, nobody can take.
  let next = 0
  return timesMs.filter(timeMs => {
    if (timeMs !== left[next]) return true
    next += 1
    return false
  })
}

function listAgendaIds({ bookedSlotId, startMs }: Slot, request: SlotRequest): string[] {
  if (bookedSlotId !== null)
    return request.groupSlots.find(group => group.bookedSlotId === bookedSlotId)!.agendaIds
  const free = request.agendas.filter(agenda => !isInside(startMs, listBlockedStarts(agenda, request)))
  return orderByFairness(free).map(({ agendaId }) => agendaId)
}

function toNewSlot(startMs: number, { durationMin, seats }: SlotRequest): Slot {
  return { startMs, endMs: startMs + durationMin * minuteMs, bookedSlotId: null, seatsLeft: seats }
}

function toJoinedSlot({ startMs, endMs, bookedSlotId, seatsLeft }: GroupSlot): Slot {
  return { startMs, endMs, bookedSlotId, seatsLeft }
}
