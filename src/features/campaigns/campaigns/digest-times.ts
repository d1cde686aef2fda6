/** When the digest of a search is due. */
import { findNextDigest } from '../../../domain/campaigns/next-digest.ts'
import { createId, getNow, machineNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import type { CampaignNotifications } from './notification-schemas.ts'

export const sendDigestName = 'send-campaign-digest'

/** A run has found something: the next digest has it. One that is due already keeps its time. */
export async function requestDigest(
  tx: Tx,
  campaignId: string,
  notifications: CampaignNotifications,
): Promise<void> {
  const at = findDigestAt(tx, notifications)
  if (!at) return
  const { numAffectedRows } = await sql`
    update campaign_searches set digest_at = ${at}
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and digest_at is null`.execute(tx)
  if (numAffectedRows === 1n) await enqueueDigest(tx, campaignId, at)
}

/** The campaign was resumed: a digest that became due during the pause is sent. */
export async function resumeDigest(tx: Tx, campaignId: string): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    select digest_at as at from campaign_searches
    where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId} and digest_at is not null`.execute(
    tx,
  )
  if (rows[0]) await enqueueDigest(tx, campaignId, rows[0].at)
}

/** The notifications were changed. What was found while nobody got a digest is not sent later. */
export async function changeDigest(
  tx: Tx,
  campaignId: string,
  before: CampaignNotifications,
  after: CampaignNotifications,
): Promise<void> {
  const at = findDigestAt(tx, after)
  const ofCampaign = sql`tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`
  if (!at || findDigestAt(tx, before) === null) {
    await sql`
      update campaign_searches set digest_at = null, digested_id = ${createId(tx)} where ${ofCampaign}`.execute(
      tx,
    )
    return
  }
  if (JSON.stringify(before!.digest) === JSON.stringify(after!.digest)) return
  const { numAffectedRows } = await sql`
    update campaign_searches set digest_at = ${at} where ${ofCampaign} and digest_at is not null`.execute(tx)
  if (numAffectedRows === 1n) await enqueueDigest(tx, campaignId, at)
}

/** Null: nobody gets one. */
function findDigestAt(tx: Tx, notifications: CampaignNotifications): Date | null {
  if (!notifications || notifications.emails.length === 0) return null
  const now = getNow(tx)
  return notifications.digest ? findNextDigest(notifications.digest, now) : now
}

/** Jobs run by the machine's clock. A clock that is moved sends the digest earlier. */
export async function enqueueDigest(tx: Tx, campaignId: string, at: Date | null = null): Promise<void> {
  const delayMs = at === null ? 0 : at.getTime() - getNow(tx).getTime()
  await enqueue(
    tx,
    sendDigestName,
    { campaignId },
    {
      jobKey: `${sendDigestName} ${campaignId}`,
      ...(delayMs > 0 ? { runAt: new Date(machineNow() + delayMs) } : {}),
    },
  )
}
