/** Retries recipients that were skipped or have failed. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { finalCodes } from './reasons.ts'
import { reviveRecipients } from './revive.ts'
import { isStarted, waitsInDraft } from './yield.ts'

/** Recipients of one request. */
export const retryMax = 500

export const completedCampaign = 'The campaign has completed, so its recipients get nothing more.'

export interface RetrySelection {
  recipientIds?: string[]
  status?: 'skipped' | 'failed'
  reason?: string
  /** The last recipient of the request before. */
  after?: string
}

export interface RetryCounts {
  retried: number
  unchanged: number
  /** The last recipient, if more may follow: one that is refused again must not be taken twice. */
  lastId: string | null
}

/** Throws 409 INVALID_TRANSITION for a campaign that has completed. */
export async function retryRecipients(
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'status'>,
  selection: RetrySelection,
): Promise<RetryCounts> {
  if (campaign.status === 'completed') throw new Problem('INVALID_TRANSITION', completedCampaign)
  await lockLeadWrites(tx)
  const found = await findRetried(tx, campaign, selection)
  const revived = await reviveRecipients(tx, [campaign], found)
  const requested = selection.recipientIds?.length ?? found.length
  const lastId = found.length === retryMax ? found.at(-1)!.id : null
  return { retried: revived.size, unchanged: requested - revived.size, lastId }
}

const retriedStatuses = ['skipped', 'failed'] as const

/** Those who may be retried: the others would be found again by every request, and nobody after them. */
async function findRetried(
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'status'>,
  { recipientIds, status, reason, after }: RetrySelection,
): Promise<{ id: string }[]> {
  const tenantId = getTenantId(tx)
  const selectOf = (each: string) => sql`(
    select r.id from campaign_recipients r
    where r.tenant_id = ${tenantId} and r.campaign_id = ${campaign.id} and r.status = ${each} and r.lead_id is not null
      and coalesce(r.reason ->> 'code', '') <> all(${finalCodes}::text[])
      and ${reason === undefined ? sql`true` : sql`r.reason ->> 'code' = ${reason}`}
      and ${after === undefined ? sql`true` : sql`r.id > ${after}::uuid`}
      and ${recipientIds === undefined ? sql`true` : sql`r.id = any(${recipientIds}::uuid[])`}
      and not exists (
        select from campaign_recipients o
        where o.tenant_id = ${tenantId} and o.lead_id = r.lead_id and o.status in ('waiting', 'planned', 'queued')
          and not ${isStarted(campaign) ? waitsInDraft(tx, 'o') : sql`false`})
    order by r.id limit ${retryMax})`
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(retriedStatuses.filter(each => each === (status ?? each)).map(selectOf), sql` union all `)}) retried
    order by id limit ${retryMax}`.execute(tx)
  return rows
}
