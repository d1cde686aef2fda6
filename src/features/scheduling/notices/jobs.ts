/** When notices are sent: at once after a change, and when they are due on the environment's clock. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import type { NoticeDependencies } from './dependencies.ts'
import { sendNoticesName } from './plan.ts'
import { findNextDueAt, listTenantsWithDue } from './queries.ts'
import { sendDueNotices } from './send.ts'

/** Without an appointment, it sends what is due of all. */
export const sendNotices = (dependencies: NoticeDependencies): JobDefinition<never> =>
  job<{ appointmentId?: string }>({
    name: sendNoticesName,
    async run({ appointmentId = null }, { database, tenantId, signal, hasWaitingJobs }) {
      await sendDueNotices({
        database,
        tenantId,
        dependencies,
        appointmentId,
        async yieldToOthers() {
          if (signal.aborted || (await hasWaitingJobs())) throw new RequeueJob()
        },
      })
    },
  }) as JobDefinition<never>

/** It needs no process that takes jobs. */
export const noticeSchedule = (dependencies: NoticeDependencies): ScheduledTask => ({
  findNextDueAt,
  start: (database, tenantId) => sendDueNotices({ database, tenantId, dependencies, appointmentId: null }),
})

/** Only finds the tenants: each one's notices are sent in its own turn of the queue. */
export const startDueNotices = deploymentJob({
  name: 'start-due-appointment-notices',
  cron: '* * * * *',
  run: context =>
    forEachTenant(context, listTenantsWithDue(context.database), (tx, tenantId) =>
      enqueue(tx, sendNoticesName, {}, { jobKey: `${sendNoticesName} ${tenantId}` }),
    ),
})
