/** The end of an import: its status, its events, and the deletion of its file. */
import { TableError } from '../../domain/table/table-error.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { callHook } from '../../kit/hook.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { leadsImported, leadsPerEventMax } from '../leads/events.ts'
import { deleteDryRunRows } from './dry-run-rows.ts'
import { deleteFiles } from './file-store.ts'
import { importOfCampaignEnded } from './hooks.ts'
import { importKind } from './operation.ts'
import type { ClaimedImport } from './run-queries.ts'
import * as queries from './run-queries.ts'

/** How long the file of a dry run is kept, so that it can be imported. */
const dryRunFileHours = 24

/** Completes a run that has processed the whole file. */
export async function complete(tx: Tx, claimed: ClaimedImport): Promise<void> {
  const fileHours = claimed.dryRun ? dryRunFileHours : 0
  if (await queries.finish(tx, claimed, { status: 'COMPLETED', error: null, fileHours }))
    await settle(tx, claimed.id)
}

/** Ends a run as failed; the leads it has stored are kept. */
export async function fail(tx: Tx, claimed: ClaimedImport, cause: unknown): Promise<void> {
  const error =
    cause instanceof TableError
      ? { code: cause.code, message: cause.message }
      : { code: 'INTERNAL', message: 'Something went wrong on our side. It has been recorded.' }
  if (await queries.finish(tx, claimed, { status: 'FAILED', error, fileHours: 0 }))
    await settle(tx, claimed.id)
}

/** Cleans up after an import that has completed, failed or been cancelled, and emits its events. */
export async function settle(tx: Tx, importId: string): Promise<void> {
  const totals = await queries.getTotals(tx, importId)
  await deleteDryRunRows(tx, importId)
  if (!totals.hasFile) await deleteFiles(tx, [importId])
  if (!totals.dryRun) await emitLeadsImported(tx, importId, totals)
  if (totals.campaignId) await callHook(tx, importOfCampaignEnded, { campaignId: totals.campaignId })
  notifyProgress(tx, importKind, importId)
}

async function emitLeadsImported(
  tx: Tx,
  importId: string,
  { created, updated, leads }: queries.ImportTotals,
): Promise<void> {
  const parts = Math.ceil(leads / leadsPerEventMax)
  let after = 0
  for (let part = 1; part <= parts; part++) {
    const rows = await queries.listLeadIds(tx, importId, after, leadsPerEventMax)
    after = rows.at(-1)?.number ?? after
    const leadIds = rows.map(({ leadId }) => leadId)
    await emit(tx, leadsImported, {
      extractionId: null,
      importId,
      platform: null,
      created,
      updated,
      leadIds,
      part,
      parts,
    })
  }
}
