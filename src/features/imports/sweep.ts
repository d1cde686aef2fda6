/** Gives imports that lost their job another one, and forgets files that nobody has come back for. */
import { type Wait, waitFor } from '../../kit/clock/waits.ts'
import { inEachTenant } from '../../kit/jobs/each-tenant.ts'
import { deploymentJob } from '../../kit/jobs/job.ts'
import { sweepOperations } from '../../kit/operations/sweep.ts'
import { fail } from './ending.ts'
import { forgetExpired, listTenantsOfExpired, nextExpiryAt } from './file-store.ts'
import { importKind } from './operation.ts'
import { claimImport } from './run-queries.ts'
import { leaveUndoing } from './undo-queries.ts'

export const sweepImports = sweepOperations(importKind, async (tx, { id, status }) => {
  if (status === 'UNDOING') return leaveUndoing(tx, id)
  const claimed = await claimImport(tx, id)
  if (claimed) await fail(tx, claimed, new Error('its job got lost each time'))
})

export const filesExpire: Wait = {
  ...waitFor(nextExpiryAt),
  begin: (database, tenantId) => database.withTenant({ tenantId }, forgetExpired),
}

export const forgetImportFiles = deploymentJob({
  name: 'forget-import-files',
  cron: '*/10 * * * *',
  run: context => inEachTenant(context, listTenantsOfExpired(context.database), forgetExpired),
})
