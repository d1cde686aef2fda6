/** Leads of ads that came while a campaign did not run join it when it starts. */
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { listTakenAdLeads } from '../../ads/service.ts'
import { campaignStarted } from '../campaigns/events.ts'
import { socialAds } from '../campaigns/platforms.ts'
import { findCampaign, lockCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import type { AdsSegmentation } from '../campaigns/segmentation-schemas.ts'
import { joinRecipients } from '../recipients/join.ts'
import { findRecipientsOf } from '../recipients/join-queries.ts'

const name = 'join-earlier-ad-leads'
const batchSize = 500

export const joinWhenStarted = defineEventHandler({
  name,
  on: [campaignStarted],
  async handle(tx, { data: { campaignId } }) {
    const campaign = await findCampaign(tx, campaignId)
    if (campaign?.platform === socialAds)
      await enqueue(tx, name, { campaignId }, { jobKey: `${name}:${campaignId}` })
  },
})

/** Those that were received since the campaign was created. Who is in it already stays as they are. */
export const joinEarlierJob = job<{ campaignId: string }>({
  name,
  async run({ campaignId }, { database, tenantId, signal }) {
    const leadIds = await database.readTenant({ tenantId }, async tx => {
      const campaign = await findCampaign(tx, campaignId)
      const query = campaign && toQuery(campaign)
      return query ? [...new Set(await listTakenAdLeads(tx, query))] : []
    })
    for (let start = 0; start < leadIds.length; start += batchSize) {
      if (signal.aborted) throw new RequeueJob()
      const batch = leadIds.slice(start, start + batchSize)
      await database.withTenant({ tenantId }, async tx => {
        // In the order in which new leads are taken.
        await lockLeadWrites(tx)
        const campaign = await lockCampaign(tx, campaignId)
        if (campaign?.status !== 'running' || campaign.mode !== 'extract_and_contact') return
        const known = await findRecipientsOf(tx, campaignId, batch)
        await joinRecipients(
          tx,
          campaign,
          batch.filter(id => !known.has(id)),
        )
      })
    }
  },
}) as JobDefinition<never>

function toQuery({ segmentation, createdAt }: CampaignRow) {
  const { connectionId, formIds } = segmentation as AdsSegmentation
  return connectionId === null ? null : { connectionId, formIds, since: createdAt }
}
