/** When runs begin and end: at their time on the environment's clock, and when their extraction has ended. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import type { Portals } from '../../platforms/service.ts'
import { startRunName } from '../campaigns/run-times.ts'
import { finishRun } from './finish.ts'
import * as queries from './queries.ts'
import { startDueRun } from './start.ts'

const finishRunName = 'finish-campaign-run'

const enqueueFinish = (tx: Tx, runId: string) =>
  enqueue(tx, finishRunName, { runId }, { jobKey: `${finishRunName} ${runId}` })

export const startRun = (portals: Portals): JobDefinition<never> =>
  job<{ campaignId: string }>({
    name: startRunName,
    run: ({ campaignId }, { database, tenantId }) =>
      database.withTenant({ tenantId }, tx => startDueRun(tx, portals, campaignId)),
  }) as JobDefinition<never>

export const finishRunJob = (portals: Portals): JobDefinition<never> =>
  job<{ runId: string }>({
    name: finishRunName,
    async run({ runId }, { database, tenantId, signal, hasWaitingJobs }) {
      while (await database.withTenant({ tenantId }, tx => finishRun(tx, portals, runId)))
        if (signal.aborted || (await hasWaitingJobs())) throw new RequeueJob()
    },
  }) as JobDefinition<never>

/** Handles `campaignExtractionEnded`. */
export async function finishRunOf(tx: Tx, extractionId: string): Promise<void> {
  const runId = await queries.findRunOf(tx, extractionId)
  if (runId) await enqueueFinish(tx, runId)
}

/** Due campaigns whose runs are started in one go. */
const dueMax = 100

/** Enqueues what is due in a tenant. */
async function enqueueDue(tx: Tx): Promise<void> {
  for (const campaignId of await queries.listDueCampaigns(tx, dueMax))
    await enqueue(tx, startRunName, { campaignId }, { jobKey: `${startRunName} ${campaignId}` })
  for (const runId of await queries.listEndedRuns(tx)) await enqueueFinish(tx, runId)
}

/** It starts runs without a process that takes jobs; their extractions need one. */
export const runSchedule = (portals: Portals): ScheduledTask => ({
  findNextDueAt: queries.findNextRunAt,
  async start(database, tenantId) {
    const due = await database.withTenant({ tenantId }, async tx => {
      for (const runId of await queries.listEndedRuns(tx)) await enqueueFinish(tx, runId)
      return queries.listDueCampaigns(tx, dueMax)
    })
    for (const campaignId of due)
      await database.withTenant({ tenantId }, tx => startDueRun(tx, portals, campaignId))
  },
})

/** Finds runs whose job was lost. */
export const startDueRuns = deploymentJob({
  name: 'start-due-campaign-runs',
  cron: '* * * * *',
  run: context => forEachTenant(context, queries.listTenantsWithDueRuns(context.database), enqueueDue),
})
