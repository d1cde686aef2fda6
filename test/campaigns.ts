/** Campaigns for tests. */
import { completeSettings } from '../src/features/campaigns/campaigns/complete-settings.ts'
import { insertCampaign, updateCampaign } from '../src/features/campaigns/campaigns/queries.ts'
import type { CampaignRow } from '../src/features/campaigns/campaigns/row.ts'
import type { CampaignSettingsInput } from '../src/features/campaigns/campaigns/settings-schemas.ts'
import type { Tx } from '../src/kit/db/index.ts'

type MadeCampaign = Partial<Omit<CampaignRow, 'settings'>> & { settings?: CampaignSettingsInput }

/** Inserts a campaign of rows, without checks: a draft unless `status` is given. Returns its id. */
export async function makeCampaign(tx: Tx, overrides: MadeCampaign = {}): Promise<string> {
  const { settings = {}, status = 'draft', pauseReason = null, ...fields } = overrides
  const id = await insertCampaign(tx, {
    name: 'Owners',
    mode: 'extract_and_contact',
    platform: 'csv_import',
    contactMode: 'chat',
    accountId: null,
    segmentation: { batchSize: 25 },
    seed: 7,
    createdBy: null,
    basisBy: null,
    ...fields,
    settings: completeSettings(settings, { timezone: 'Europe/Madrid', now: new Date() }),
  })
  const now = new Date()
  if (status !== 'draft')
    await updateCampaign(tx, id, { status, pauseReason, startedAt: now, healthSince: now })
  return id
}
