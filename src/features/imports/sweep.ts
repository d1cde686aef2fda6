/** Takes up imports whose job got lost, and forgets files that nobody has come back for. */
import type { Tx } from '../../kit/db/index.ts'
import { inEachTenant } from '../../kit/jobs/each-tenant.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { deploymentJob } from '../../kit/jobs/job.ts'
import { type Lost, sweepJob } from '../../kit/jobs/lost-work.ts'
import { fail } from './ending.ts'
import { forgetExpired, listTenantsOfExpired } from './file-store.ts'
import { attemptsMax, runImportName } from './jobs.ts'
import { claimImport } from './run-queries.ts'
import { undoImportName } from './undo.ts'
import { leaveUndoing } from './undo-queries.ts'

export const sweepImports = sweepJob({
  name: 'sweep-imports',
  table: 'imports',
  idName: 'importId',
  jobNames: [runImportName, undoImportName],
  statuses: ['QUEUED', 'RUNNING', 'UNDOING'],
  movedAt: 'moved_at',
  takeUp,
})

async function takeUp(tx: Tx, { id: importId, status, isLast }: Lost): Promise<void> {
  const isUndoing = status === 'UNDOING'
  if (!isLast)
    return enqueue(tx, isUndoing ? undoImportName : runImportName, { importId }, { maxAttempts: attemptsMax })
  if (isUndoing) return leaveUndoing(tx, importId)
  const claimed = await claimImport(tx, importId)
  if (claimed) await fail(tx, claimed, new Error('its job got lost each time'))
}

export const forgetImportFiles = deploymentJob({
  name: 'forget-import-files',
  cron: '*/10 * * * *',
  run: context => inEachTenant(context, listTenantsOfExpired(context.database), forgetExpired),
})
