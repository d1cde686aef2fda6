/** How an import ends, and what is told then. */
import { TableRefused } from '../../domain/table/refused.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { notifyMoved } from '../../kit/operations/operation.ts'
import { leadsImported, leadsPerEventMax } from '../leads/events.ts'
import { forgetFiles } from './file-store.ts'
import { importKind } from './operation.ts'
import type { ClaimedImport } from './run-queries.ts'
import * as queries from './run-queries.ts'
import { forgetTrials } from './trials.ts'

/** For how long a file waits to be imported in earnest. */
const dryRunKeptHours = 24

/** Ends a run that has come to the end of the file. */
export async function complete(tx: Tx, claimed: ClaimedImport): Promise<void> {
  const keptHours = claimed.dryRun ? dryRunKeptHours : 0
  if (await queries.finish(tx, claimed, { status: 'COMPLETED', error: null, keptHours }))
    await settle(tx, claimed.id)
}

/** Ends a run as failed; what it has stored stays. */
export async function fail(tx: Tx, claimed: ClaimedImport, cause: unknown): Promise<void> {
  const error =
    cause instanceof TableRefused
      ? { code: cause.code, message: cause.message }
      : { code: 'INTERNAL', message: 'Something went wrong on our side. It has been recorded.' }
  if (await queries.finish(tx, claimed, { status: 'FAILED', error, keptHours: 0 }))
    await settle(tx, claimed.id)
}

/** What is left to do of an import that has just ended, however it did. */
export async function settle(tx: Tx, importId: string): Promise<void> {
  const brought = await queries.countLeads(tx, importId)
  await forgetTrials(tx, importId)
  if (!brought.isFileKept) await forgetFiles(tx, [importId])
  if (!brought.dryRun) await emitLeadsImported(tx, importId, brought)
  notifyMoved(tx, importKind, importId)
}

async function emitLeadsImported(
  tx: Tx,
  importId: string,
  { created, updated, leads }: queries.Brought,
): Promise<void> {
  const parts = Math.ceil(leads / leadsPerEventMax)
  let after = 0
  for (let part = 1; part <= parts; part++) {
    const rows = await queries.listLeadIds(tx, importId, after, leadsPerEventMax)
    after = rows.at(-1)?.number ?? after
    const leadIds = rows.map(({ leadId }) => leadId)
    await emit(tx, leadsImported, {
      ...{ extractionId: null, importId, platform: null },
      ...{ created, updated, leadIds, part, parts },
    })
  }
}
