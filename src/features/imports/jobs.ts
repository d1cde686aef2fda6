/** Runs an import: reads the file on while the rows before are stored, and goes on where it was left. */
import { TableRefused } from '../../domain/table/refused.ts'
import { type Database, isDatabaseAway } from '../../kit/db/index.ts'
import { keepStatistics } from '../../kit/db/statistics.ts'
import { HandBack, type JobContext, job } from '../../kit/jobs/job.ts'
import type { WorkLimit } from '../../kit/work-limit.ts'
import { readFresh } from '../leads/service.ts'
import { complete, fail } from './ending.ts'
import { readDraftBatches } from './file-drafts.ts'
import { readFile } from './file-store.ts'
import { type ClaimedImport, ClaimLost, claimImport } from './run-queries.ts'
import { type Batch, saveBatch } from './save-batch.ts'

export const runImportName = 'run-import'

/** An error that nobody foresaw is tried again so often: within minutes, not days. */
export const attemptsMax = 6

export const underWay: WorkLimit = {
  table: 'imports',
  statuses: ['QUEUED', 'RUNNING', 'UNDOING'],
  max: 50,
  of: 'imports',
}
const batchRows = 500
/** After so long it makes way for others that wait, and goes on when its turn comes again. */
const sliceMs = 60_000

export const runImport = job<{ importId: string }>({
  name: runImportName,
  lane: 'long',
  maxAttempts: attemptsMax,
  async run({ importId }, context) {
    const { database, tenantId, isLastAttempt, log } = context
    const claimed = await database.withTenant({ tenantId }, tx => claimImport(tx, importId))
    // Ended before: a repetition of the job has nothing to do.
    if (!claimed) return
    try {
      await run(claimed, context)
      await database.withTenant({ tenantId }, tx => complete(tx, claimed))
    } catch (error) {
      if (error instanceof ClaimLost) return
      if (error instanceof HandBack || isDatabaseAway(error)) throw error
      if (!(error instanceof TableRefused) && !isLastAttempt) throw error
      log.warn({ err: error, importId }, 'an import failed')
      await database.withTenant({ tenantId }, tx => fail(tx, claimed, error))
    }
  },
})

/** Reads and stores to the end of the file. What was read before it could not be read on is stored. */
async function run(claimed: ClaimedImport, context: JobContext): Promise<void> {
  const { database, tenantId, signal } = context
  const sliceEndsMs = performance.now() + sliceMs
  let bytesRead = 0
  const chunks = readFile(database, tenantId, claimed.id, bytes => {
    bytesRead = bytes
  })
  const save = createSaver(claimed, context)
  let batch: Batch = { rows: [], bytesRead: 0, grown: null }
  try {
    for await (const { rows, grown } of readDraftBatches(claimed, chunks, tenantId)) {
      // While the rows before are being stored, and this process would wait for the database.
      if (!claimed.dryRun)
        for (const row of rows) if ('draft' in row) row.fresh = readFresh(row.draft, claimed)
      batch.rows.push(...rows)
      batch.grown = grown ?? batch.grown
      if (batch.rows.length < batchRows) continue
      await save({ ...batch, bytesRead })
      batch = { rows: [], bytesRead, grown: null }
      if (signal.aborted || (performance.now() > sliceEndsMs && (await makesWay(context)))) {
        await save(null)
        throw new HandBack()
      }
    }
  } catch (error) {
    if (error instanceof TableRefused) await save(batch).then(() => save(null))
    throw error
  }
  await save({ ...batch, bytesRead })
  await save(null)
}

/** After a slice, if others wait; or if a killed worker cost it attempts, which it gets back so. */
async function makesWay({ attempt, othersWait }: JobContext): Promise<boolean> {
  return attempt > 1 || (await othersWait())
}

/**
 * Stores a batch while the next one is read: returns when the one before is stored. `null`: waits until all is. A failure is
 * told by the call after.
 */
function createSaver(claimed: ClaimedImport, context: JobContext): (batch: Batch | null) => Promise<void> {
  let created = claimed.created
  let saving: Promise<void> = Promise.resolve()
  return async batch => {
    await saving
    if (!batch || batch.rows.length === 0) return
    saving = store(claimed, created, batch, context).then(more => {
      created += more
    })
    saving.catch(() => {})
  }
}

/** Returns how many leads are new. One row that can not be stored does not keep the others from it. */
async function store(
  claimed: ClaimedImport,
  created: number,
  batch: Batch,
  context: JobContext,
): Promise<number> {
  const { database, tenantId, log } = context
  try {
    const more = await database.withTenant({ tenantId }, tx => saveBatch(tx, claimed, created, batch))
    await refreshStatistics(database, log)
    return more
  } catch (error) {
    if (error instanceof ClaimLost || isDatabaseAway(error) || !isOfTheData(error)) throw error
    const [first] = batch.rows
    if (batch.rows.length > 1) {
      let more = 0
      const half = Math.ceil(batch.rows.length / 2)
      for (const rows of [batch.rows.slice(0, half), batch.rows.slice(half)])
        more += await store(claimed, created + more, { ...batch, rows }, context)
      return more
    }
    log.warn({ err: error, importId: claimed.id, row: first!.number }, 'a row could not be stored')
    const { number, problems } = first!
    const rows = [{ number, problems, failure: 'NOT_STORABLE' as const }]
    return database.withTenant({ tenantId }, tx => saveBatch(tx, claimed, created, { ...batch, rows }))
  }
}

/** PostgreSQL's classes 21, 22 and 23, and limits of 54: the values are wrong, and trying again is in vain. */
function isOfTheData(error: unknown): boolean {
  return /^(21|22|23|54)...$/.test(String((error as { code?: unknown } | null)?.code))
}

async function refreshStatistics(database: Database, log: JobContext['log']): Promise<void> {
  await keepStatistics(database).catch(error => {
    // What is stored is stored; a slow plan is no reason to fail.
    if (isDatabaseAway(error)) throw error
    log.warn({ err: error }, 'the statistics of the tables could not be kept')
  })
}
