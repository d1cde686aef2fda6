/** Ends appointments: cancelled by somebody, or not confirmed in time. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { appointmentChanged } from '../hooks.ts'
import { releaseSeat } from '../slots/reserve.ts'
import { lockFor } from './change.ts'
import { type AppointmentUpdate, updateAppointment } from './queries.ts'
import type { AppointmentRow } from './row.ts'

export interface Cancellation {
  by: NonNullable<AppointmentRow['cancelledBy']>
  reason?: string | null
}

/** Its time is free again. Throws 404; 409 INVALID_TRANSITION. */
export async function cancelAppointment(
  tx: Tx,
  id: string,
  cancellation: Cancellation,
): Promise<AppointmentRow> {
  return releaseAppointment(tx, await lockFor(tx, id, 'cancel'), cancellation)
}

/** Cancels a locked appointment. `update`: what else changes. */
export async function releaseAppointment(
  tx: Tx,
  before: AppointmentRow,
  { by, reason = null }: Cancellation,
  { update = {}, isSilent = false }: { update?: AppointmentUpdate; isSilent?: boolean } = {},
): Promise<AppointmentRow> {
  const after = await updateAppointment(tx, before, {
    ...update,
    status: 'cancelled',
    bookedSlotId: null,
    sequence: before.sequence + 1,
    expiresAt: null,
    cancelledBy: by,
    cancelReason: reason,
    cancelledAt: getNow(tx),
  })
  if (before.bookedSlotId !== null) await releaseSeat(tx, before.bookedSlotId)
  await callHook(tx, appointmentChanged, { kind: 'cancelled', before, after, isSilent })
  return after
}
