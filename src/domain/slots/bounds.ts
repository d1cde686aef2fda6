/** How large a request may be. Everything is linear in these numbers, so they bound the time that a listing takes. */
import type { SlotRequest, WorkingHours } from './types.ts'
import { dayMs } from './wall-clock.ts'

export const slotBounds = {
  /** Days of a range; a day may have 25 hours. */
  rangeDays: 62,
  agendas: 200,
  slotIntervalMin: 5,
  weeklyIntervals: 100,
  overrides: 400,
  overrideIntervals: 24,
  closedDates: 400,
  groupSlots: 5000,
  /** The most of one agenda. */
  busyTimes: 20_000,
  reservations: 5000,
  /** Busy times, reservations and intervals of hours in the range, of all agendas. */
  totalIntervals: 40_000,
  /** Starts of the grid in the range, times the agendas: each agenda looks at each start. */
  agendaStarts: 500_000,
}

/** A request that is too large to be computed. The message says what to make smaller. */
export class SlotBoundsError extends Error {}

export function assertBounds(request: SlotRequest): void {
  const { range, availability, agendas, groupSlots } = request
  const days = (range.endMs - range.startMs) / dayMs
  assertMax(Math.ceil(days - 2 / 24), slotBounds.rangeDays, 'days')
  assertMax(agendas.length, slotBounds.agendas, 'agendas')
  assertMax(groupSlots.length, slotBounds.groupSlots, 'group slots')
  if (!(availability.slotIntervalMin >= slotBounds.slotIntervalMin))
    throw new SlotBoundsError(`Slots begin at most every ${slotBounds.slotIntervalMin} minutes.`)
  assertHours(availability)
  let total = 0
  for (const { busy, reservations, workingHours } of agendas) {
    assertMax(busy.length, slotBounds.busyTimes, 'busy times of an agenda')
    assertMax(reservations.length, slotBounds.reservations, 'reservations of an agenda')
    if (workingHours !== null) assertHours(workingHours)
    total += busy.length + reservations.length + (workingHours === null ? 0 : countHours(workingHours, days))
  }
  assertMax(total, slotBounds.totalIntervals, 'busy times and working hours of all agendas')
}

export function assertStarts(count: number, { agendas }: SlotRequest): void {
  assertMax(count * agendas.length, slotBounds.agendaStarts, 'starts of slots for all agendas')
}

function assertHours({ weekly, overrides, closedDates }: WorkingHours): void {
  assertMax(weekly.length, slotBounds.weeklyIntervals, 'weekly intervals of hours')
  assertMax(overrides.length, slotBounds.overrides, 'overrides')
  assertMax(closedDates.length, slotBounds.closedDates, 'closed dates')
  for (const { intervals } of overrides)
    assertMax(intervals.length, slotBounds.overrideIntervals, 'intervals of an override')
}

/** What they are read and expanded to. */
function countHours({ weekly, overrides, closedDates }: WorkingHours, days: number): number {
  const weeks = Math.ceil(days / 7) + 1
  return overrides.reduce(
    (count, { intervals }) => count + 1 + intervals.length,
    weekly.length * weeks + closedDates.length,
  )
}

function assertMax(count: number, max: number, what: string): void {
  if (!(count <= max))
    throw new SlotBoundsError(
      `There are ${count} ${what}, and at most ${max} are allowed. Request fewer days.`,
    )
}
