/** The hooks of imports. */
import { hook } from '../../kit/hook.ts'

/** Why a lead did not become a recipient. */
export interface NotJoined {
  code: string
  message: string
}

/**
 * Called before a batch of rows is stored, if the file was uploaded to a campaign. The handler locks what it needs when the leads join:
 * afterwards events are emitted.
 */
export const leadsOfCampaignComing = hook<{ campaignId: string }>('leadsOfCampaignComing')

/**
 * Called with the leads of a batch of rows, if the file was uploaded to a campaign, in the transaction that stores them. The
 * handler adds them to its recipients. It must lock nothing that a transaction holds while it writes leads.
 */
export const leadsOfCampaignImported = hook<
  { campaignId: string; leadIds: string[] },
  { joined: number; skipped: { leadId: string; reason: NotJoined }[] }
>('leadsOfCampaignImported')

/** Called when the import of a file that was uploaded to a campaign has ended, however, in the transaction that ends it. */
export const importOfCampaignEnded = hook<{ campaignId: string }>('importOfCampaignEnded')
