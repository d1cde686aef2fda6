/** When digests are written: at their time on the environment's clock, and after a crash. */
import { findEarliest, type ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobDefinition, job } from '../../../kit/jobs/job.ts'
import { enqueueDigest, sendDigestName } from '../campaigns/digest-times.ts'
import { createDueDigest } from './create.ts'
import { findNextDigestAt, findNextMailAt, listDueCampaigns, listTenantsWithDueDigests } from './queries.ts'

/** Digests that are written in one go. */
const dueMax = 100

export const sendDigest = (cipher: Cipher): JobDefinition<never> =>
  job<{ campaignId: string }>({
    name: sendDigestName,
    run: ({ campaignId }, { database, tenantId }) =>
      database.withTenant({ tenantId }, tx => createDueDigest(tx, cipher, campaignId)),
  }) as JobDefinition<never>

/** It writes them without a process that takes jobs; their e-mails need one. */
export const digestSchedule = (cipher: Cipher): ScheduledTask => ({
  findNextDueAt: async tx => findEarliest(await Promise.all([findNextDigestAt(tx), findNextMailAt(tx)])),
  async start(database, tenantId) {
    const due = await database.readTenant({ tenantId }, tx => listDueCampaigns(tx, dueMax))
    for (const campaignId of due)
      await database.withTenant({ tenantId }, tx => createDueDigest(tx, cipher, campaignId))
  },
})

/** Finds digests whose job was lost. */
export const sendDueDigests = deploymentJob({
  name: 'send-due-campaign-digests',
  cron: '* * * * *',
  run: context =>
    forEachTenant(context, listTenantsWithDueDigests(context.database), async tx => {
      for (const campaignId of await listDueCampaigns(tx, dueMax)) await enqueueDigest(tx, campaignId)
    }),
})
