/** Finds out what simulated messages say, and which would be refused when they are queued. */
import type { PlannedSend } from '../../../domain/sequence/types.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { AccountRow, ChatAccounts } from '../../accounts/service.ts'
import { previewCampaignMessages } from '../../messaging/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { type ChosenTemplate, chooseTemplate } from '../engine/choose-template.ts'
import type { SkippedLeads } from './skipped-leads.ts'

export interface SimulatedSend extends PlannedSend {
  leadId: string
  isQueued: boolean
}

export interface CheckedSend extends SimulatedSend, ChosenTemplate {
  text: string | null
}

export interface CheckedTexts {
  sends: CheckedSend[]
  skipped: SkippedLeads[]
}

interface Checker {
  campaign: CampaignRow
  account: Pick<AccountRow, 'id'>
  accounts: Pick<ChatAccounts, 'getProvider'>
  /** Each batch is a transaction of its own. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Messages that are made together. */
const batchSize = 100

/** `sends`: in order of their time. Who is refused once gets nothing more. */
export async function checkTexts(
  { campaign, account, accounts, read }: Checker,
  sends: readonly SimulatedSend[],
  max: number,
): Promise<CheckedTexts> {
  const checked: CheckedTexts = { sends: [], skipped: [] }
  const refusedIds = new Set<string>()
  const withTemplate = sends.map(send => ({
    ...send,
    ...chooseTemplate(campaign.settings.steps[send.step]!, { seed: campaign.seed, ...send }),
  }))
  for (let start = 0; start < withTemplate.length; start += batchSize) {
    const batch = withTemplate
      .slice(start, start + batchSize)
      .filter(({ recipientId }) => !refusedIds.has(recipientId))
    const isChecked = start < max
    const previews = isChecked
      ? await read(tx =>
          previewCampaignMessages(tx, accounts, {
            campaignId: campaign.id,
            accountId: account.id,
            steps: batch.map(({ leadId, templateId, step, atMs }) => ({
              leadId,
              templateId,
              step,
              sendAt: new Date(atMs),
            })),
          }),
        )
      : []
    for (const [index, send] of batch.entries()) {
      // Its step before may be in the same batch.
      if (refusedIds.has(send.recipientId)) continue
      const { text = null, reason = null } = previews[index] ?? {}
      if (reason === null || send.isQueued) checked.sends.push({ ...send, text: send.isQueued ? null : text })
      else {
        refusedIds.add(send.recipientId)
        checked.skipped.push({ reason, count: 1, leadIds: [send.leadId] })
      }
    }
  }
  return checked
}
