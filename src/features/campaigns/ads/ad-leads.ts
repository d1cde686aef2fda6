/** Campaigns take the leads of ads that their segmentation names. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { lockCampaign, lockCampaigns, selectCampaigns } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import type { AdsSegmentation } from '../campaigns/segmentation-schemas.ts'
import { joinRecipients } from '../recipients/join.ts'

/** The campaigns of a connection that have not ended, those that run first, then the oldest. */
const listCampaignsOfConnection = (tx: Tx, connectionId: string): Promise<CampaignRow[]> =>
  selectCampaigns(
    tx,
    sql`platform = 'social_ads' and status <> 'completed' and segmentation ->> 'connectionId' = ${connectionId}`,
    sql`order by status = 'running' desc, id`,
  )

const takesForm = ({ segmentation }: CampaignRow, formId: string): boolean => {
  const { formIds } = segmentation as AdsSegmentation
  return formIds.length === 0 || formIds.includes(formId)
}

/**
 * Handles `assignAdLeads`: a form belongs to the first campaign that takes it, also if that does not run. Locks the campaigns, before the
 * leads emit their events.
 */
export async function findCampaignsOfForms(
  tx: Tx,
  { connectionId, formIds }: { connectionId: string; formIds: string[] },
): Promise<Map<string, string>> {
  await lockCampaigns(tx, sql`platform = 'social_ads' and segmentation ->> 'connectionId' = ${connectionId}`)
  const campaigns = await listCampaignsOfConnection(tx, connectionId)
  return new Map(
    formIds.flatMap(formId => {
      const campaign = campaigns.find(each => takesForm(each, formId))
      return campaign ? [[formId, campaign.id] as const] : []
    }),
  )
}

/** Handles `adLeadsTaken`: they join every campaign that runs and takes the form. The others take them when they start. */
export async function joinAdLeads(
  tx: Tx,
  { connectionId, leads }: { connectionId: string; leads: { leadId: string; formId: string }[] },
): Promise<void> {
  for (const { id, status } of await listCampaignsOfConnection(tx, connectionId)) {
    if (status !== 'running') continue
    const campaign = await lockCampaign(tx, id)
    if (campaign?.status !== 'running' || campaign.mode !== 'extract_and_contact') continue
    const leadIds = leads.flatMap(({ leadId, formId }) => (takesForm(campaign, formId) ? leadId : []))
    await joinRecipients(tx, campaign, leadIds)
  }
}
