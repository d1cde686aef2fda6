/** Completes campaigns: by their end, and those whose rows are all sent. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { completeCampaign } from '../campaigns/moves.ts'
import { csvImport } from '../campaigns/platforms.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { hasActive, hasActiveImport, hasRecipients } from './plan-queries.ts'

/** Returns true if a running campaign has ended. Its recipients end afterwards (`withdrawCampaign`). */
export async function completeIfDone(tx: Tx, campaign: CampaignRow): Promise<boolean> {
  if (!(await isDone(tx, campaign))) return false
  return completeCampaign(tx, campaign.id)
}

async function isDone(tx: Tx, { id, platform, settings: { schedule } }: CampaignRow): Promise<boolean> {
  if (schedule?.endAt && new Date(schedule.endAt) <= getNow(tx)) return true
  if (platform !== csvImport) return false
  return !(await hasActive(tx, id)) && (await hasRecipients(tx, id)) && !(await hasActiveImport(tx, id))
}
