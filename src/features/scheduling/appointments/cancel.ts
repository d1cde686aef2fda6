/** Ends appointments: cancelled by somebody, or not confirmed in time. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { type AppointmentChange, appointmentChanged } from '../hooks.ts'
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
  const before = await lockFor(tx, id, 'cancel')
  const [change] = await releaseAppointments(tx, [{ before }], cancellation)
  await callHook(tx, appointmentChanged, change!)
  return change!.after
}

interface Release {
  before: AppointmentRow
  /** What else changes. */
  update?: AppointmentUpdate
}

/**
 * Cancels locked appointments, and returns their changes for `callHook`. The hooks come last: an event waits for those of all
 * others, and they may wait for one of these seats.
 */
export async function releaseAppointments(
  tx: Tx,
  releases: Release[],
  { by, reason = null }: Cancellation,
  isSilent = false,
): Promise<AppointmentChange[]> {
  const changes: AppointmentChange[] = []
  for (const { before, update = {} } of releases) {
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
    changes.push({ kind: 'cancelled', before, after, isSilent })
  }
  const slotIds = releases.flatMap(({ before }) => before.bookedSlotId ?? [])
  for (const slotId of slotIds.sort()) await releaseSeat(tx, slotId)
  return changes
}
