/** The periodic jobs that requeue stalled imports and delete expired files of dry runs. */
import type { ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../kit/jobs/for-each-tenant.ts'
import { deploymentJob } from '../../kit/jobs/job.ts'
import { requeueStalledOperations } from '../../kit/operations/stalled-operations.ts'
import { fail } from './completion.ts'
import { deleteExpiredFiles, findNextFileExpiry, listTenantsWithExpiredFiles } from './file-store.ts'
import { importKind } from './operation.ts'
import { claimImport } from './run-queries.ts'
import { failUndo } from './undo-queries.ts'

export const requeueStalledImports = requeueStalledOperations(importKind, async (tx, { id, status }) => {
  if (status === 'UNDOING') return failUndo(tx, id)
  const claimed = await claimImport(tx, id)
  if (claimed) await fail(tx, claimed, new Error('its job was lost at every attempt'))
})

export const importFilesExpiry: ScheduledTask = {
  findNextDueAt: findNextFileExpiry,
  start: (database, tenantId) => database.withTenant({ tenantId }, deleteExpiredFiles),
}

export const deleteExpiredImportFiles = deploymentJob({
  name: 'delete-expired-import-files',
  cron: '*/10 * * * *',
  run: context => forEachTenant(context, listTenantsWithExpiredFiles(context.database), deleteExpiredFiles),
})
