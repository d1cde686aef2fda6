/**
 * Who takes the next booking of a team. The agenda with the lowest (2 × bookings + 1) / weight is next: the method of Sainte-Laguë, which
 * divides seats among parties without favouring large or small shares. Cancelled bookings and no-shows don't count. On a tie: who was
 * booked least recently, then the lower id.
 */
import type { AgendaState } from './types.ts'

type Candidate = Pick<AgendaState, 'agendaId' | 'weight' | 'recentBookings' | 'lastBookedAtMs'>

export function orderByFairness<T extends Candidate>(agendas: readonly T[]): T[] {
  return [...agendas].sort(compareFairness)
}

/** Undefined if there is none. */
export function chooseAgenda<T extends Candidate>(agendas: readonly T[]): T | undefined {
  return orderByFairness(agendas)[0]
}

/** Products of integers: no rounding decides. */
function compareFairness(one: Candidate, other: Candidate): number {
  const share = (2 * one.recentBookings + 1) * other.weight - (2 * other.recentBookings + 1) * one.weight
  if (share !== 0) return share
  const [first, second] = [one, other].map(({ lastBookedAtMs }) => lastBookedAtMs ?? Number.NEGATIVE_INFINITY)
  if (first !== second) return first! < second! ? -1 : 1
  return one.agendaId < other.agendaId ? -1 : one.agendaId > other.agendaId ? 1 : 0
}
