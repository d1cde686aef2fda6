/** Takes up imports whose job got lost, and lets go of files that nobody has come back for. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/enqueue.ts'
import { job } from '../../kit/job.ts'
import { fail } from './ending.ts'
import { forgetFiles } from './file-store.ts'
import { attemptsMax, runImportName } from './jobs.ts'
import { claimImport } from './run-queries.ts'
import { undoImportName } from './undo.ts'
import { leaveUndoing } from './undo-queries.ts'

/** What loses its job each time is left at that: it may be what kills its workers. */
const sweepsMax = 3

export const sweepImports = job({
  name: 'sweep-imports',
  cron: '*/10 * * * *',
  async run(_data, { database, tenantId, log }) {
    const lost = await database.withTenant({ tenantId }, async tx => {
      await forgetFiles(tx, await listExpired(tx))
      const found = await sweepLost(tx)
      for (const each of found) await takeUp(tx, each)
      return found
    })
    for (const each of lost) log.warn(each, 'an import had lost its job')
  },
})

interface Lost {
  importId: string
  isUndoing: boolean
  /** It has been taken up as often as it may. */
  isLast: boolean
}

async function takeUp(tx: Tx, { importId, isUndoing, isLast }: Lost): Promise<void> {
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

/** Counts a sweep for each import that has no job. One that moved a moment ago is left alone. */
async function sweepLost(tx: Tx): Promise<Lost[]> {
  const { rows } = await sql<Lost>`
    update imports set sweeps = sweeps + 1
    where status in ('QUEUED', 'RUNNING', 'UNDOING') and moved_at < now() - interval '10 minutes' and not has_import_job(id)
    returning id as "importId", status = 'UNDOING' as "isUndoing", sweeps > ${sweepsMax} as "isLast"`.execute(
    tx,
  )
  return rows
}
