/** The job that runs an import: parses the next rows while it stores the previous ones. A later run resumes at `position`. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TableError } from '../../domain/table/table-error.ts'
import { analyzeGrownTables } from '../../kit/db/analyze.ts'
import { type Database, isDatabaseUnavailable } from '../../kit/db/index.ts'
import { type JobContext, RequeueJob } from '../../kit/jobs/job.ts'
import { ClaimLost, defineOperationJob, type Slice } from '../../kit/operations/run.ts'
import { prepareLead } from '../leads/service.ts'
import { complete, fail } from './completion.ts'
import { readFile } from './file-store.ts'
import { importKind, runImportName } from './operation.ts'
import { parseFile } from './parse-file.ts'
import { type ClaimedImport, claimImport } from './run-queries.ts'
import { type Batch, saveBatch } from './save-batch.ts'

const batchRows = 500
export const runImport = defineOperationJob<ClaimedImport>({
  name: runImportName,
  kind: importKind,
  claim: claimImport,
  async run(claimed, slice) {
    await readAndSave(claimed, slice)
    const { database, tenantId } = slice
    await database.withTenant({ tenantId }, tx => complete(tx, claimed))
  },
  isFinal: error => error instanceof TableError,
  fail: (claimed, error, { database, tenantId }) =>
    database.withTenant({ tenantId }, tx => fail(tx, claimed, error)),
})

/** Reads and stores the file to its end. If the file is damaged, the rows before the damage are stored. */
async function readAndSave(claimed: ClaimedImport, slice: Slice): Promise<void> {
  const { database, tenantId, signal } = slice
  let bytesRead = 0
  const chunks = readFile(database, tenantId, claimed.id, bytes => {
    bytesRead = bytes
  })
  const save = createSaver(claimed, slice)
  let batch: Batch = { rows: [], bytesRead: 0, extended: null }
  try {
    for await (const { rows, extended } of parseFile(claimed, chunks, tenantId)) {
      if (!claimed.dryRun) await prepare(rows, claimed)
      batch.rows.push(...rows)
      batch.extended = extended ?? batch.extended
      if (batch.rows.length < batchRows) continue
      await save({ ...batch, bytesRead })
      batch = { rows: [], bytesRead, extended: null }
      if (signal.aborted || (await slice.shouldYield())) {
        await save(null)
        throw new RequeueJob()
      }
    }
  } catch (error) {
    if (error instanceof TableError) await save(batch).then(() => save(null))
    throw error
  }
  await save({ ...batch, bytesRead })
  await save(null)
}

/** The rows to prepare before the event loop handles replies of the database. They take about 2 ms. */
const rowsPerTurn = 25

/**
 * Computes the derived values of new leads while the database stores the previous rows. It yields often, so that each reply of
 * the database is followed by the next statement at once, and both keep working.
 */
async function prepare(rows: Batch['rows'], claimed: ClaimedImport): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === 0) await nextTurn()
    if ('input' in row) row.prepared = prepareLead(row.input, claimed)
  }
}

/**
 * Returns a function that stores a batch in the background, while the next one is read. A call resolves when the batch before
 * is stored, and throws its error. `null`: waits for the last batch.
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

/** Stores a batch and returns the number of new leads. A row that cannot be stored fails alone; the others are stored. */
async function store(
  claimed: ClaimedImport,
  created: number,
  batch: Batch,
  context: JobContext,
): Promise<number> {
  const { database, tenantId, log } = context
  try {
    const more = await database.withTenant({ tenantId }, tx => saveBatch(tx, claimed, created, batch))
    await analyzeTables(database, log)
    return more
  } catch (error) {
    if (error instanceof ClaimLost || isDatabaseUnavailable(error) || !isDataError(error)) throw error
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

/** SQLSTATE classes 21, 22, 23 and 54 (limits): the values are wrong, so a retry is useless. */
function isDataError(error: unknown): boolean {
  return /^(21|22|23|54)...$/.test(String((error as { code?: unknown } | null)?.code))
}

async function analyzeTables(database: Database, log: JobContext['log']): Promise<void> {
  await analyzeGrownTables(database).catch(error => {
    // The rows are stored; outdated statistics are no reason to fail.
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ err: error }, 'the statistics of the tables could not be updated')
  })
}
