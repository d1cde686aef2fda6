/** The jobs of the engine: plans, queueing, withdrawals, and what finds lost ones. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobContext, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { withdrawUnsent } from '../../messaging/service.ts'
import { withdrawName } from '../recipient-jobs.ts'
import { planName } from '../request-plan.ts'
import type { EngineDependencies } from './dependencies.ts'
import { findNextWork, listTenantsWithWork, requestLostWork } from './due-work.ts'
import { queueName, withdrawMessagesName } from './enqueue.ts'
import { runDueWork, runPlan, runQueueing, type WorkOptions } from './run-work.ts'
import { type WithdrawPosition, withdrawBatch } from './withdraw.ts'

const toWork = (
  dependencies: EngineDependencies,
  { database, tenantId, signal, hasWaitingJobs }: JobContext,
): WorkOptions => ({
  database,
  tenantId,
  dependencies,
  async yieldToOthers() {
    if (signal.aborted || (await hasWaitingJobs())) throw new RequeueJob()
  },
})

export const planCampaigns = (dependencies: EngineDependencies): JobDefinition<never> =>
  job<{ campaignId: string }>({
    name: planName,
    run: ({ campaignId }, context) => runPlan(toWork(dependencies, context), campaignId),
  }) as JobDefinition<never>

export const queueMessages = (dependencies: EngineDependencies): JobDefinition<never> =>
  job<{ campaignId: string }>({
    name: queueName,
    run: ({ campaignId }, context) => runQueueing(toWork(dependencies, context), campaignId),
  }) as JobDefinition<never>

/** Takes back what is planned and queued. Ends if the campaign runs again meanwhile. */
export const withdrawCampaign = job<{ campaignId: string }>({
  name: withdrawName,
  async run({ campaignId }, { database, tenantId, signal }) {
    let position: WithdrawPosition | null = { after: null }
    while (position !== null) {
      if (signal.aborted) throw new RequeueJob()
      const from: WithdrawPosition = position
      position = await database.withTenant({ tenantId }, tx => withdrawBatch(tx, campaignId, from))
    }
  },
}) as JobDefinition<never>

/** The claim would withdraw them too: this gives back quotas and notifies people at once. */
export const withdrawMessages = job<{ messageIds: string[] }>({
  name: withdrawMessagesName,
  run: ({ messageIds }, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx => withdrawUnsent(tx, messageIds)),
}) as JobDefinition<never>

/** It needs no process that takes jobs. */
export const engineSchedule = (dependencies: EngineDependencies): ScheduledTask => ({
  findNextDueAt: findNextWork,
  start: (database, tenantId) => runDueWork({ database, tenantId, dependencies }),
})

/** Only finds the tenants: each one's work is done in its own turn of the queue. */
export const startLostWork = deploymentJob({
  name: 'start-due-campaign-plans',
  cron: '* * * * *',
  run: context => forEachTenant(context, listTenantsWithWork(context.database), requestLostWork),
})
