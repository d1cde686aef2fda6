/** Takes up imports whose job got lost, and lets go of files that nobody has come back for. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import { job } from '../../kit/jobs/job.ts'
import { type Lost, sweepLost } from '../../kit/jobs/lost-work.ts'
import { fail } from './ending.ts'
import { forgetFiles } from './file-store.ts'
import { attemptsMax, runImportName } from './jobs.ts'
import { claimImport } from './run-queries.ts'
import { undoImportName } from './undo.ts'
import { leaveUndoing } from './undo-queries.ts'

export const sweepImports = job({
  name: 'sweep-imports',
  cron: '*/10 * * * *',
  async run(_data, { database, tenantId, log }) {
    const lost = await database.withTenant({ tenantId }, async tx => {
      await forgetFiles(tx, await listExpired(tx))
      const found = await sweepLost(tx, {
        table: 'imports',
        idName: 'importId',
        jobNames: [runImportName, undoImportName],
        statuses: ['QUEUED', 'RUNNING', 'UNDOING'],
        movedAt: 'moved_at',
      })
      for (const each of found) await takeUp(tx, each)
      return found
    })
    for (const { id: importId, ...each } of lost)
      log.warn({ importId, ...each }, 'an import had lost its job')
  },
})

async function takeUp(tx: Tx, { id: importId, status, isLast }: Lost): Promise<void> {
  const isUndoing = status === 'UNDOING'
  if (!isLast)
    return enqueue(tx, isUndoing ? undoImportName : runImportName, { importId }, { maxAttempts: attemptsMax })
  if (isUndoing) return leaveUndoing(tx, importId)
  const claimed = await claimImport(tx, importId)
  if (claimed) await fail(tx, claimed, new Error('its job got lost each time'))
}

async function listExpired(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from imports
    where file_kept_until < now() and status not in ('QUEUED', 'RUNNING') for update`.execute(tx)
  return rows.map(({ id }) => id)
}
