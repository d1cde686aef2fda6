/** Lets those go on whom another recipient of the person held up, who has ended. */
import type { Database, Tx } from '../../../kit/db/index.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { lockLeadWrites, shareLeads } from '../../../kit/writer.ts'
import { findCampaigns } from '../campaigns/queries.ts'
import { findHeldUp, type HeldUpRecipient, reviveHeldUpName } from '../held-up.ts'
import { reviveRecipients } from '../recipients/revive.ts'
import { createConflictCheck } from '../recipients/shared-identities.ts'
import type { EngineDependencies } from './dependencies.ts'
import { findChannel } from './refusals.ts'

/** Leads of a transaction. */
const batch = 50

export const reviveHeldUp = (dependencies: EngineDependencies): JobDefinition<never> =>
  job<{ leadIds: string[] }>({
    name: reviveHeldUpName,
    async run({ leadIds }, { database, tenantId, signal }) {
      for (let start = 0; start < leadIds.length; start += batch) {
        if (signal.aborted) throw new RequeueJob()
        await reviveBatch(database, { tenantId, dependencies }, leadIds.slice(start, start + batch))
      }
    },
  }) as JobDefinition<never>

/** Most have held up nobody: then nobody else is kept waiting. Who is joining at this moment is waited for. */
async function reviveBatch(
  database: Database,
  { tenantId, dependencies }: { tenantId: string; dependencies: EngineDependencies },
  leadIds: string[],
): Promise<void> {
  const found = await database.withTenant({ tenantId }, async tx => {
    await shareLeads(tx)
    return findHeldUp(tx, leadIds)
  })
  if (found.length > 0) await database.withTenant({ tenantId }, tx => reviveFree(tx, dependencies, leadIds))
}

/** Those who run come before those who are paused, and these before drafts. */
const statuses = ['running', 'paused', 'draft'] as const

async function reviveFree(tx: Tx, dependencies: EngineDependencies, leadIds: string[]): Promise<void> {
  await lockLeadWrites(tx)
  const found = Map.groupBy(await findHeldUp(tx, leadIds), ({ campaignId }) => campaignId)
  const campaigns = (await findCampaigns(tx, [...found.keys()])).sort((one, other) =>
    one.id < other.id ? -1 : 1,
  )
  for (const status of statuses) {
    const free: HeldUpRecipient[] = []
    const ofStatus = campaigns.filter(campaign => campaign.status === status)
    for (const campaign of ofStatus) {
      const recipients = found.get(campaign.id)!
      const channel = await findChannel(tx, dependencies, campaign)
      const conflicts = channel
        ? await createConflictCheck(tx, campaign, channel, { isStrict: true })(recipients)
        : new Map()
      free.push(...recipients.filter(({ id }) => !conflicts.has(id)))
    }
    await reviveRecipients(tx, ofStatus, free)
  }
}
