/** What agents record of an appointment: it is confirmed, nobody came, what came of it. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { changeAppointment, lockFor } from './change.ts'
import type { AppointmentRow } from './row.ts'
import type { NewOutcome } from './schemas.ts'

/** Throws 404; 409 INVALID_TRANSITION. */
export async function confirmAppointment(tx: Tx, id: string): Promise<AppointmentRow> {
  const before = await lockFor(tx, id, 'confirm')
  return changeAppointment(tx, before, {
    kind: 'confirmed',
    update: { status: 'confirmed', expiresAt: null, confirmedAt: getNow(tx) },
  })
}

/** The visitor did not come. Throws 404; 409 INVALID_TRANSITION. */
export async function recordNoShow(tx: Tx, id: string): Promise<AppointmentRow> {
  const before = await lockFor(tx, id, 'no-show')
  return changeAppointment(tx, before, { kind: 'no_show', update: { status: 'no_show', outcome: null } })
}

/** Takes back a no-show, because the visitor came. Throws 404; 409 INVALID_TRANSITION. */
export async function recordOutcome(
  tx: Tx,
  id: string,
  { result, feedback = {} }: NewOutcome,
  byUserId: string | null,
): Promise<AppointmentRow> {
  const before = await lockFor(tx, id, 'outcome')
  const { rating = null, text = null } = feedback
  const outcome = { result, feedback: { rating, text }, recordedAt: getNow(tx).toISOString(), byUserId }
  const status =
    before.status !== 'no_show' ? before.status : before.end > getNow(tx) ? 'confirmed' : 'completed'
  return changeAppointment(tx, before, { kind: 'outcome_recorded', update: { outcome, status } })
}
