/** Decides if a due notice still says something. Pure. */
import type { AppointmentRow } from '../appointments/row.ts'
import type { NoticeRow } from './queries.ts'
import { cancelledRefusal, type Refusal, superseded, tooLate } from './reasons.ts'

type Facts = Pick<AppointmentRow, 'status' | 'sequence' | 'start' | 'end'>

/** Null: it is sent. `appointment`: as it is now. */
export function findRefusal(
  { kind, sequence }: Pick<NoticeRow, 'kind' | 'sequence'>,
  { status, sequence: current, start, end }: Facts,
  now: Date,
): Refusal | null {
  if (status === 'cancelled' && kind !== 'cancelled') return cancelledRefusal
  if (sequence !== current) return superseded
  if (kind === 'requested' && status !== 'pending') return superseded
  if (kind === 'reminder') return status === 'confirmed' && now < start ? null : tooLate
  return now < end ? null : tooLate
}
