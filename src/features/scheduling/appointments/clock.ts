/** What happens to appointments by themselves: pending ones expire, confirmed ones end. On the environment's clock. */
import { findEarliest, type ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../../kit/jobs/job.ts'
import { appointmentChanged } from '../hooks.ts'
import { releaseAppointments } from './cancel.ts'
import { changeAppointment } from './change.ts'
import { findNextEnd, findNextExpiry, listTenantsWithDue, lockEnded, lockExpired } from './due-queries.ts'

/** Some hundred at once; the rest follows in the next run. */
async function endDueAppointments(tx: Tx): Promise<void> {
  const expired = (await lockExpired(tx)).map(before => ({ before }))
  for (const change of await releaseAppointments(tx, expired, { by: 'expiry' }))
    await callHook(tx, appointmentChanged, change)
  for (const row of await lockEnded(tx))
    await changeAppointment(tx, row, { kind: 'completed', update: { status: 'completed' } })
}

export const appointmentClock: ScheduledTask = {
  findNextDueAt: async tx => findEarliest(await Promise.all([findNextExpiry(tx), findNextEnd(tx)])),
  start: (database, tenantId) => database.withTenant({ tenantId }, endDueAppointments),
}

export const endAppointments = deploymentJob({
  name: 'end-appointments',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithDue(context.database), endDueAppointments),
})
