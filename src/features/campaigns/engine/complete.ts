/** Completes campaigns: by their end, and those whose source brings nobody else and whose recipients have ended. */
import { sql } from 'kysely'
import { isRepeating } from '../../../domain/run-schedule.ts'
import { addDays, getNow, subtractDays } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import { csvImport, isPortal } from '../campaigns/platforms.ts'
import type { CampaignRow, StoredWait } from '../campaigns/row.ts'
import { findEnd } from '../campaigns/run-times.ts'
import { countEnds, explainLeftOut, explainRefusedRows, findRefusedRows, toLatest } from './left-out.ts'
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
 * it open: for a week after its last message, or until somebody is written to at all. So do rows that the quota of leads has refused.
 * Null: recipients are active, or it has completed.
 */
export async function completeOrRest(tx: Tx, campaign: CampaignRow): Promise<Rest | null> {
  if (await hasActive(tx, campaign.id)) return null
  const isExhausted = await isSourceExhausted(tx, campaign)
  const { total, sent, lastEndAt, leftOut } = await countEnds(tx, campaign.id)
  if (!isExhausted && sent > 0) return restOpen(tx, campaign)
  const now = getNow(tx)
  const refused = await findRefusedRows(tx, campaign)
  const retriedUntil = sent > 0 ? addDays(lastEndAt ?? now, retryDays) : null
  const isRetried = leftOut.length > 0 && (retriedUntil === null || retriedUntil > now)
  if (isExhausted && !isRetried && !refused) {
    await completeCampaign(tx, campaign.id)
    return null
  }
  const messages = [
    ...(leftOut.length > 0 ? [explainLeftOut(leftOut, { total })] : []),
    ...(refused ? [explainRefusedRows(refused)] : []),
  ]
  if (messages.length === 0) return { wait: null, until: null }
  const isEndless = !isExhausted || (isRetried && retriedUntil === null)
  const until = isEndless ? null : toLatest([isRetried ? retriedUntil : null, refused?.until ?? null])
  const wait = { code: 'LEFT_OUT' as const, until: until?.toISOString() ?? null, message: messages.join(' ') }
  return { wait, until: until ?? refused?.until ?? null }
}

/** Its source brings more people. It names those whom it has lately left out. */
async function restOpen(tx: Tx, { id }: CampaignRow): Promise<Rest> {
  const { leftOut } = await countEnds(tx, id, subtractDays(getNow(tx), retryDays))
  if (leftOut.length === 0) return { wait: null, until: null }
  const message = explainLeftOut(leftOut, { when: ` in the last ${retryDays} days` })
  const lastEndAt = toLatest(leftOut.map(each => each.lastEndAt))!
  return { wait: { code: 'LEFT_OUT', until: null, message }, until: addDays(lastEndAt, retryDays) }
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
