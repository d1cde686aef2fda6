/** What agents record of an appointment: it is confirmed, nobody came, what came of it. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInput } from '../../../kit/problem.ts'
import { changeAppointment, lockFor } from './change.ts'
import { lockAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'
import type { NewOutcome, Outcome } from './schemas.ts'

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

/**
 * An agent's record. It takes back a no-show, because the visitor came. Throws 404; 409 INVALID_TRANSITION; 400 for feedback
 * that the visitor has given.
 */
export async function recordOutcome(
  tx: Tx,
  id: string,
  { result, feedback }: NewOutcome,
  byUserId: string | null,
): Promise<AppointmentRow> {
  const before = await lockFor(tx, id, 'outcome')
  const own = before.outcome?.feedback.givenAt ? before.outcome.feedback : null
  if (own && feedback)
    throw invalidInput('/feedback', 'CONTRADICTION', 'must be omitted: the visitor has given it on the page')
  const { rating = null, text = null } = feedback ?? {}
  const outcome: Outcome = {
    result,
    recordedBy: 'agent',
    feedback: own ?? { result: null, rating, text, givenAt: null },
    recordedAt: getNow(tx).toISOString(),
    byUserId,
  }
  const status =
    before.status !== 'no_show' ? before.status : before.end > getNow(tx) ? 'confirmed' : 'completed'
  return changeAppointment(tx, before, { kind: 'outcome_recorded', update: { outcome, status } })
}

export interface VisitorFeedback {
  result: Outcome['result']
  rating: number | null
  text: string | null
}

/** What the visitor thinks; later than the first time, nothing. An agent's result stays. Throws 404. */
export async function recordFeedback(tx: Tx, id: string, feedback: VisitorFeedback): Promise<void> {
  const before = await lockAppointment(tx, id)
  if (!canGiveFeedback(before, getNow(tx))) return
  const now = getNow(tx).toISOString()
  const given = { ...feedback, givenAt: now }
  const outcome: Outcome =
    before.outcome?.recordedBy === 'agent'
      ? { ...before.outcome, feedback: given }
      : { result: feedback.result, recordedBy: 'visitor', feedback: given, recordedAt: now, byUserId: null }
  await changeAppointment(tx, before, { kind: 'outcome_recorded', update: { outcome } })
}

/** It has ended with the visitor, who has not given feedback yet. */
export const canGiveFeedback = ({ status, end, outcome }: AppointmentRow, now: Date): boolean =>
  (status === 'confirmed' || status === 'completed') && end <= now && !outcome?.feedback.givenAt
