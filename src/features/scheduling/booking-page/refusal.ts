/** What a visitor reads if a time can't be booked. */
import type { Interval } from '../../../domain/slots/types.ts'
import { Problem } from '../../../kit/problem.ts'
import type { BookingWords } from './words.ts'

export interface Refusal {
  problems: string[]
  /** Free times near the wanted one; null: the wanted one can be sent again. */
  nearest: Interval[] | null
}

/** Rethrows what is no refusal of a booking. */
export function toRefusal(error: unknown, { errors }: BookingWords): Refusal {
  if (!(error instanceof Problem)) throw error
  const { code, details } = error
  if (code === 'SLOT_TAKEN') return { problems: [errors.taken], nearest: toIntervals(details) }
  if (code === 'SLOT_UNAVAILABLE') return { problems: [errors.unavailable], nearest: toIntervals(details) }
  if (code === 'INVALID_INPUT') return { problems: [errors.repeat], nearest: null }
  throw error
}

function toIntervals({ nearestSlots = [] }: Record<string, unknown>): Interval[] {
  return (nearestSlots as { start: string; end: string }[]).map(({ start, end }) => ({
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  }))
}
