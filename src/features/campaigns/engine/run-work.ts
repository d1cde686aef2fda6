/** Runs plans and queues what they have planned, a transaction after the other. */
import type { Database } from '../../../kit/db/index.ts'
import type { EngineDependencies } from './dependencies.ts'
import { listCampaignsWithPlanned, listDueCampaigns } from './due-work.ts'
import { planCampaign } from './plan.ts'
import { queuePlanned } from './queue.ts'

export interface WorkOptions {
  database: Database
  tenantId: string
  dependencies: EngineDependencies
  /** Called between two batches. Throws if something else is to be done first. Missing: nothing is. */
  yieldToOthers?(): Promise<void>
}

/** Plans all that is due of a campaign. Other jobs queue the messages. */
export async function runPlan(
  { database, tenantId, dependencies, yieldToOthers }: WorkOptions,
  campaignId: string,
): Promise<void> {
  for (;;) {
    const { hasMore } = await database.withTenant({ tenantId }, tx =>
      planCampaign(tx, dependencies, campaignId),
    )
    if (!hasMore) return
    await yieldToOthers?.()
  }
}

export async function runQueueing(
  { database, tenantId, dependencies, yieldToOthers }: WorkOptions,
  campaignId: string,
): Promise<void> {
  for (;;) {
    const hasMore = await database.withTenant({ tenantId }, tx => queuePlanned(tx, dependencies, campaignId))
    if (!hasMore) return
    await yieldToOthers?.()
  }
}

/** All that is due in a tenant. */
export async function runDueWork(options: WorkOptions): Promise<void> {
  const { database, tenantId } = options
  const read = (list: typeof listDueCampaigns) => database.readTenant({ tenantId }, list)
  for (const campaignId of await read(listDueCampaigns)) await runPlan(options, campaignId)
  for (const campaignId of await read(listCampaignsWithPlanned)) await runQueueing(options, campaignId)
}
