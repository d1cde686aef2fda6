/** Retries recipients that were skipped or have failed. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { isFinal, type Reason } from './reasons.ts'
import { reviveRecipients } from './revive.ts'

/** Recipients of one request. */
export const retryMax = 500

export const completedCampaign = 'The campaign has completed, so its recipients get nothing more.'

export interface RetrySelection {
  recipientIds?: string[]
  status?: 'skipped' | 'failed'
  reason?: string
}

/** Throws 409 INVALID_TRANSITION for a campaign that has completed. */
export async function retryRecipients(
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'status'>,
  selection: RetrySelection,
): Promise<{ retried: number; unchanged: number }> {
  if (campaign.status === 'completed') throw new Problem('INVALID_TRANSITION', completedCampaign)
  await lockLeadWrites(tx)
  const found = await findRetried(tx, campaign.id, selection)
  const candidates = found.filter(({ reason }) => reason === null || !isFinal(reason.code))
  const revived = await reviveRecipients(tx, [campaign], candidates)
  const requested = selection.recipientIds?.length ?? found.length
  return { retried: revived.size, unchanged: requested - revived.size }
}

async function findRetried(
  tx: Tx,
  campaignId: string,
  { recipientIds, status, reason }: RetrySelection,
): Promise<{ id: string; reason: Reason | null }[]> {
  const { rows } = await sql<{ id: string; reason: Reason | null }>`
    select id, reason from campaign_recipients
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
      and ${status === undefined ? sql`status in ('skipped', 'failed')` : sql`status = ${status}`}
      and ${reason === undefined ? sql`true` : sql`reason ->> 'code' = ${reason}`}
      and ${recipientIds === undefined ? sql`reason ->> 'code' not in ('OPTED_OUT', 'ERASED')` : sql`id = any(${recipientIds}::uuid[])`}
    order by id limit ${retryMax}`.execute(tx)
  return rows
}
