/** Plans the events of an appointment in calendars, in the transaction that changes it. */

import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notifyOnCommit } from '../../../kit/db/notifications.ts'
import type { AppointmentChange } from '../../scheduling/service.ts'
import { listReceivers, wantAbsent, wantPresent } from './queries.ts'

export const writesTopic = 'calendar-writes'

/** What calendars do not show needs no write. */
const shown = ['booked', 'confirmed', 'rescheduled', 'assigned', 'cancelled', 'updated']

/** Handles `appointmentChanged`. */
export async function planWrites(tx: Tx, { kind, after, isSilent }: AppointmentChange): Promise<void> {
  if (!shown.includes(kind)) return
  const isOpen = after.status === 'pending' || after.status === 'confirmed'
  // Events of the past stay, unless data was erased.
  if (kind === 'updated' && !isOpen && !isSilent) return
  const receivers = isOpen && after.bookedSlotId !== null ? await listReceivers(tx, after.bookedSlotId) : []
  await wantAbsent(tx, after.id, receivers)
  if (receivers.length > 0) await wantPresent(tx, after.id, receivers)
  await notifyWrites(tx)
}

export const notifyWrites = (tx: Tx): Promise<void> => notifyOnCommit(tx, `${writesTopic} ${getTenantId(tx)}`)
