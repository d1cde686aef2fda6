/** Adds people to a campaign: the rows of a file, which an import reads, or leads by their ids. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { readImportReport } from '../../imports/service.ts'
import { csvImport } from '../campaigns/platforms.ts'
import { getCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { type JoinResult, joinRecipients } from '../recipients/join.ts'
import { filesNotTaken, recipientsNotTaken } from './problems.ts'
import { lockForUpload } from './queries.ts'
import { listedMax, type RecipientUpload } from './schemas.ts'

/** Throws 404, 409 RECIPIENTS_NOT_TAKEN. */
export async function getOpenCampaign(tx: Tx, id: string): Promise<CampaignRow> {
  const campaign = await getCampaign(tx, id)
  assertTakesRecipients(campaign)
  return campaign
}

function assertTakesRecipients({ status, mode }: Pick<CampaignRow, 'status' | 'mode'>): void {
  if (status === 'completed') throw new Problem(recipientsNotTaken, recipientsNotTaken.example)
  if (mode === 'extract_only')
    throw new Problem(
      recipientsNotTaken,
      'The campaign only extracts leads. Set its mode to extract_and_contact first.',
    )
}

/** Throws 422 FILES_NOT_TAKEN. */
export function assertTakesFiles({ platform }: CampaignRow): void {
  if (platform !== csvImport)
    throw new Problem(
      filesNotTaken,
      `The campaign finds people at ${platform}. Only campaigns of csv_import take files; send leadIds.`,
    )
}

/** A campaign does not complete while a file is stored for it. Throws 409 RECIPIENTS_NOT_TAKEN. */
export async function keepOpen(tx: Tx, id: string): Promise<void> {
  const campaign = await lockForUpload(tx, id)
  if (campaign) assertTakesRecipients(campaign)
}

/** Handles `leadsOfCampaignImported`. The campaign may have completed, or was deleted, after the file was uploaded. */
export const joinImported = (
  tx: Tx,
  { campaignId, importId, leadIds }: { campaignId: string; importId: string; leadIds: string[] },
): Promise<JoinResult> => joinRecipients(tx, { id: campaignId }, leadIds, { importId })

export async function addLeads(tx: Tx, campaign: CampaignRow, sentIds: string[]): Promise<RecipientUpload> {
  const leadIds = [...new Set(sentIds.map(id => id.toLowerCase()))]
  const { joined, skipped } = await joinRecipients(tx, campaign, leadIds)
  const refused = skipped.map(({ leadId, reason }) => ({ rowNumber: null, leadId, ...reason }))
  return {
    importId: null,
    status: 'COMPLETED',
    error: null,
    received: leadIds.length,
    joined,
    refused: refused.length,
    refusedByReason: countByCode(refused),
    refusedRows: refused.slice(0, listedMax),
  }
}

function countByCode(refused: { code: string }[]): Record<string, number> {
  const byCode = Map.groupBy(refused, ({ code }) => code)
  return Object.fromEntries([...byCode].map(([code, all]) => [code, all.length]))
}

export async function readUpload(tx: Tx, importId: string): Promise<RecipientUpload> {
  const { rows, ...report } = await readImportReport(tx, importId, listedMax)
  const refused = Object.values(report.refusedByReason).reduce((sum, count) => sum + count, 0)
  return { importId, ...report, received: rows, refused }
}
