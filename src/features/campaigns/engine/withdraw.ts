/** Takes back what is planned and queued of a campaign that is paused or has ended. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { withdrawUnsent } from '../../messaging/service.ts'
import { findCampaign } from '../campaigns/queries.ts'
import { requestHeldUp } from '../held-up.ts'
import { ended, paused } from '../recipients/reasons.ts'
import { selectRecipients } from './recipient-rows.ts'

/** Recipients of a transaction. */
const batch = 200

export interface WithdrawPosition {
  /** The last recipient whose message was withdrawn; null: none yet. */
  after: string | null
}

/**
 * Withdraws a batch: the recipients of a paused campaign wait, those of one that has completed are `stopped`. A message that is
 * being sent, or whose task somebody has opened, ends by itself. Returns the position of the next batch; null: nothing is left, or the campaign runs again.
 */
export async function withdrawBatch(
  tx: Tx,
  campaignId: string,
  { after }: WithdrawPosition,
): Promise<WithdrawPosition | null> {
  const campaign = await findCampaign(tx, campaignId)
  if (campaign?.status !== 'paused' && campaign?.status !== 'completed') return null
  const queued = await selectRecipients(
    tx,
    sql`r.campaign_id = ${campaignId} and r.status = 'queued' and ${after === null ? sql`true` : sql`r.id > ${after}`}`,
    sql`order by r.id limit ${batch}`,
  )
  const reason = campaign.status === 'paused' ? paused : ended
  await withdrawUnsent(
    tx,
    queued.flatMap(({ messageId }) => messageId ?? []),
    { reason, keepOpened: true },
  )
  const isMore = queued.length === batch
  if (isMore) return { after: queued.at(-1)!.id }
  const released =
    campaign.status === 'paused' ? await releasePlanned(tx, campaignId) : await endActive(tx, campaignId)
  return released === batch ? { after: queued.at(-1)?.id ?? after } : null
}

async function releasePlanned(tx: Tx, campaignId: string): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    update campaign_recipients set status = 'waiting', planned_at = null, updated_at = ${getNow(tx)}
    where tenant_id = ${tenantId} and id = any(array(
      select id from campaign_recipients
      where tenant_id = ${tenantId} and campaign_id = ${campaignId} and status = 'planned'
      order by id limit ${batch} for no key update))
    returning id`.execute(tx)
  return rows.length
}

async function endActive(tx: Tx, campaignId: string): Promise<number> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ leadId: string | null }>`
    update campaign_recipients set status = 'stopped', reason = ${JSON.stringify(ended)}::jsonb, due_at = null, planned_at = null,
      ended_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where tenant_id = ${tenantId} and id = any(array(
      select id from campaign_recipients
      where tenant_id = ${tenantId} and campaign_id = ${campaignId} and status in ('waiting', 'planned')
      order by id limit ${batch} for no key update))
    returning lead_id as "leadId"`.execute(tx)
  await requestHeldUp(
    tx,
    rows.map(({ leadId }) => leadId),
  )
  return rows.length
}
