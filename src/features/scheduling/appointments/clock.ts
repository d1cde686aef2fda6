/** What happens to appointments by themselves: pending ones expire, confirmed ones end. On the environment's clock. */
import { findEarliest, type ScheduledTask, scheduledQuery } from '../../../kit/clock/scheduled-tasks.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { releaseAppointment } from './cancel.ts'
import { changeAppointment } from './change.ts'
import { findNextEnd, findNextExpiry, listTenantsWithDue, lockEnded, lockExpired } from './due-queries.ts'

/** Some hundred at once; the rest follows in the next run. */
async function endDueAppointments(tx: Tx): Promise<void> {
  for (const row of await lockExpired(tx)) await releaseAppointment(tx, row, { by: 'expiry' })
  for (const row of await lockEnded(tx))
    await changeAppointment(tx, row, { kind: 'completed', update: { status: 'completed' } })
}

export const appointmentClock: ScheduledTask = {
  ...scheduledQuery(async tx => findEarliest(await Promise.all([findNextExpiry(tx), findNextEnd(tx)]))),
  start: (database, tenantId) => database.withTenant({ tenantId }, endDueAppointments),
}

export const endAppointments = deploymentJob({
  name: 'end-appointments',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithDue(context.database), endDueAppointments),
})
