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
 * handler adds them to its recipients. It must lock nothing that a transaction holds while it writes leads. `recorded`: what it
 * has changed in leads, by lead id, as `RowChanges`: an undo reverts it.
 */
export const leadsOfCampaignImported = hook<
  { campaignId: string; importId: string; leadIds: string[] },
  {
    joined: number
    skipped: { leadId: string; reason: NotJoined }[]
    recorded: Map<string, object>
  }
>('leadsOfCampaignImported')

/** Called when the import of a file that was uploaded to a campaign has ended, however, in the transaction that ends it. */
export const importOfCampaignEnded = hook<{ campaignId: string }>('importOfCampaignEnded')

/**
 * Called before the leads of a file that was uploaded to a campaign are undone, in transactions of its own until nothing is left
 * (`hasMore`). The handler takes the people who joined by the file out of the campaign.
 */
export const importOfCampaignUndone = hook<{ campaignId: string; importId: string }, { hasMore: boolean }>(
  'importOfCampaignUndone',
)
