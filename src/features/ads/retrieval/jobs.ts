/** Plans the work on all connections: leads that wait, sweeps that are due, and the deletion of old submissions. */
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { jobSchedule } from '../../../kit/jobs/job-schedule.ts'
import {
  deleteOldAdLeads,
  findNextDeletion,
  findNextRetrieval,
  listDueConnections,
  listDueConnectionsOfTenant,
} from '../lead-queries.ts'
import { findDueSweep, listDueSweeps, listDueSweepsOfTenant } from '../sweep-queries.ts'
import { enqueueRetrieval, enqueueSweep } from './enqueue.ts'

export const planRetrievals = deploymentJob({
  name: 'plan-ad-retrievals',
  cron: '* * * * *',
  async run(context) {
    const leads = Map.groupBy(await listDueConnections(context.database), ({ tenantId }) => tenantId)
    const sweeps = Map.groupBy(await listDueSweeps(context.database), ({ tenantId }) => tenantId)
    const tenantIds = [...new Set([...leads.keys(), ...sweeps.keys()])]
    await forEachTenant(context, Promise.resolve(tenantIds), async (tx, tenantId) => {
      for (const { connectionId } of leads.get(tenantId) ?? []) await enqueueRetrieval(tx, connectionId)
      for (const { connectionId } of sweeps.get(tenantId) ?? []) await enqueueSweep(tx, connectionId)
    })
  },
})

/** A moved clock waits until everything that was submitted is read, and makes retries due. */
export const retrievalSchedule: ScheduledTask = {
  findNextDueAt: findNextRetrieval,
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, async tx => {
      for (const id of await listDueConnectionsOfTenant(tx)) await enqueueRetrieval(tx, id)
    }),
}

/** A moved clock does not stop for each of the sweeps that it skips. */
export const sweepSchedule: ScheduledTask = {
  findNextDueAt: findDueSweep,
  start: (database, tenantId) =>
    database.withTenant({ tenantId }, async tx => {
      for (const id of await listDueSweepsOfTenant(tx)) await enqueueSweep(tx, id)
    }),
}

const batchMax = 5000

export const pruneAdLeads = job({
  name: 'prune-ad-leads',
  cron: '41 3 * * *',
  async run(_data, { database, tenantId, signal }) {
    do {
      if (signal.aborted) throw new RequeueJob()
    } while ((await database.withTenant({ tenantId }, tx => deleteOldAdLeads(tx, batchMax))) === batchMax)
  },
})

export const pruneSchedule = jobSchedule(pruneAdLeads, findNextDeletion)
