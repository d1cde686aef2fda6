/** Completes campaigns: by their end, and those whose source brings nobody else and whose recipients have ended. */
import { sql } from 'kysely'
import { isRepeating } from '../../../domain/run-schedule.ts'
import { addDays, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import { csvImport, isPortal } from '../campaigns/platforms.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import { findEnd } from '../campaigns/run-times.ts'
import { inAnotherCampaign, isLeftOut, type Reason, toCommonMessage } from '../recipients/reasons.ts'
import { hasActive, hasActiveImport, hasRecipients } from './plan-queries.ts'

/** After the last message, recipients who were left out can be retried for so long. */
const retryDays = 7

/** Its recipients end afterwards (`withdrawCampaign`). */
export function hasPassedEnd(tx: Tx, { settings }: CampaignRow): boolean {
  const end = findEnd(settings)
  return end !== null && end <= getNow(tx)
}

/** Why nothing is due, and when that changes; null: not by itself. */
export interface Rest {
  wait: StoredWait | null
  until: Date | null
}

/**
 * Completes a campaign whose source is exhausted and whose recipients have ended. Those who were left out, and may be retried, keep
 * it open: for a week after its last message, or until somebody is written to at all. Null: recipients are active, or it
 * has completed.
 */
export async function completeOrRest(tx: Tx, campaign: CampaignRow): Promise<Rest | null> {
  if (await hasActive(tx, campaign.id)) return null
  const isExhausted = await isSourceExhausted(tx, campaign)
  const { total, sent, lastEndAt, leftOut } = await countEnds(tx, campaign.id)
  const until = sent > 0 && isExhausted ? addDays(lastEndAt ?? getNow(tx), retryDays) : null
  if (isExhausted && (leftOut.length === 0 || (until !== null && until <= getNow(tx)))) {
    await completeCampaign(tx, campaign.id)
    return null
  }
  // A source that brings more says so itself.
  if (leftOut.length === 0 || (!isExhausted && sent > 0)) return { wait: null, until: null }
  const message = explainLeftOut(total, leftOut)
  return { wait: { code: 'LEFT_OUT', until: until?.toISOString() ?? null, message }, until }
}

async function isSourceExhausted(tx: Tx, campaign: CampaignRow): Promise<boolean> {
  const { id, platform, settings, nextRunAt } = campaign
  if (platform === csvImport) return (await hasRecipients(tx, id)) && !(await hasActiveImport(tx, id))
  if (!isPortal(platform) || isRepeating(settings.schedule) || nextRunAt !== null) return false
  const { rows } = await sql<{ status: string }>`
    select status from campaign_runs where tenant_id = ${getTenantId(tx)} and campaign_id = ${id} order by id desc limit 1`.execute(
    tx,
  )
  return rows[0]?.status === 'completed'
}

interface LeftOut {
  reason: Reason
  count: number
}

async function countEnds(
  tx: Tx,
  campaignId: string,
): Promise<{ total: number; sent: number; lastEndAt: Date | null; leftOut: LeftOut[] }> {
  const { rows } = await sql<{
    status: string
    reason: Reason | null
    count: number
    sent: number
    lastEndAt: Date | null
  }>`
    select status, case when reason is not null then json_build_object('code', reason ->> 'code', 'message', min(reason ->> 'message')) end as reason,
      count(*) as count, count(last_sent_at) as sent, max(ended_at) as "lastEndAt"
    from campaign_recipients where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}
    group by status, reason is not null, reason ->> 'code' order by count desc`.execute(tx)
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    total: sum(rows.map(({ count }) => count)),
    sent: sum(rows.map(({ sent }) => sent)),
    lastEndAt: rows.reduce<Date | null>(
      (last, { lastEndAt }) => (lastEndAt && (!last || lastEndAt > last) ? lastEndAt : last),
      null,
    ),
    leftOut: rows.flatMap(({ status, reason, count }) =>
      reason && ['skipped', 'failed'].includes(status) && isLeftOut(reason.code) ? { reason, count } : [],
    ),
  }
}

/** Reasons that are named. */
const reasonsMax = 3

function explainLeftOut(total: number, leftOut: LeftOut[]): string {
  const count = leftOut.reduce((sum, each) => sum + each.count, 0)
  const who =
    count === total && total > 1
      ? `All ${total} recipients were`
      : `${count} ${count === 1 ? 'recipient was' : 'recipients were'}`
  const why =
    leftOut.length === 1
      ? toCommonMessage(leftOut[0]!.reason)
      : leftOut
          .slice(0, reasonsMax)
          .map(each => `${each.count}: ${toCommonMessage(each.reason)}`)
          .join(' ')
  // Those who are in another campaign go on by themselves.
  const isRetried = leftOut.some(({ reason }) => reason.code !== inAnotherCampaign.code)
  return [`${who} left out.`, why, isRetried && 'Retry them when that has changed.'].filter(Boolean).join(' ')
}
