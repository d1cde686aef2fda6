/** Plans notices in the transaction that changes an appointment. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { findEventType } from '../event-types/queries.ts'
import type { AppointmentChange } from '../hooks.ts'
import { type NoticePlan, planNotices } from './plan-notices.ts'
import { deleteWaiting, endWaiting, insertNotices, renumberWaiting } from './queries.ts'
import { cancelledRefusal, superseded } from './reasons.ts'

export const sendNoticesName = 'send-appointment-notices'

/** Handles `appointmentChanged`. */
export async function planAppointmentNotices(tx: Tx, change: AppointmentChange): Promise<void> {
  const { after, isSilent } = change
  if (isErased(change)) await deleteWaiting(tx, after.id)
  if (isSilent) return
  const { config } = (await findEventType(tx, after.eventTypeId))!
  const plan = planNotices(change, config, getNow(tx))
  if (plan) await storePlan(tx, change, plan)
}

/** The person is erased: nobody is left to be notified. */
const isErased = ({ after, isSilent }: AppointmentChange) =>
  isSilent && Object.keys(after.visitor).length === 0

async function storePlan(
  tx: Tx,
  { before, after }: AppointmentChange,
  { ends, keepsVisitor, notices }: NoticePlan,
): Promise<void> {
  if (ends !== null) {
    const refusal = ends === 'CANCELLED' ? cancelledRefusal : superseded
    await endWaiting(tx, after.id, { ...refusal, keepsVisitor })
  }
  if (keepsVisitor && before) await renumberWaiting(tx, after.id, after.sequence)
  // They are sent at once.
  await Promise.all([
    insertNotices(tx, after.id, notices),
    // The key is that of the appointment, which is locked: it never waits for another one.
    enqueue(tx, sendNoticesName, { appointmentId: after.id }, { jobKey: `${sendNoticesName} ${after.id}` }),
  ])
}
