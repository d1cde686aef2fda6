/** Watches the results of a campaign's messages, and pauses it if they are bad. */
import { decideHealth, toWorstHealth } from '../../../domain/campaigns/health.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { formatHealth } from '../campaigns/health-words.ts'
import { pauseCampaign } from '../campaigns/moves.ts'
import { findCampaign, storeHealth } from '../campaigns/queries.ts'
import { countResults } from './queries.ts'

/** Call it when a message of the campaign has failed, or a person has opted out. */
export async function checkHealth(tx: Tx, campaignId: string): Promise<void> {
  const campaign = await findCampaign(tx, campaignId)
  if (campaign?.status !== 'running' || !campaign.healthSince) return
  const { settings, healthSince, health: previous } = campaign
  const counts = await countResults(tx, campaignId, healthSince)
  const health = toWorstHealth(
    counts.map(each => decideHealth(each, settings.health, previous?.level ?? 'good')),
  )
  if (health.level === 'good' && previous === null) return
  await storeHealth(tx, campaignId, health)
  const { level, code } = health
  if (level === 'critical' && code !== null)
    await pauseCampaign(tx, campaignId, { code, message: formatHealth(health)! })
}
