/** The job that reads the submitted forms of a connection at its network. */
import { getNow, machineNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type JobContext, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { mapConcurrently } from '../../../kit/map-concurrently.ts'
import { nextAttemptAt } from '../../../kit/outbox/retry-schedule.ts'
import { AdError, type AdLead } from '../../../plugins/ads.ts'
import type { Ads, OpenConnection } from '../ad-connections.ts'
import { findForms, upsertForms } from '../forms.ts'
import { type AdLeadRow, findDueAdLeads, findNextAttempt, recordEnds, recordWaits } from '../lead-queries.ts'
import { isOfConnection, recordAnswer, recordFailure } from '../status.ts'
import { enqueueRetrieval, retrieveName } from './enqueue.ts'
import { toReason } from './reasons.ts'
import { takeLeads } from './take-leads.ts'

const batchSize = 20
/** Requests to a network at a time. */
const concurrency = 4
/** The waits before a lead is read again, in seconds: for 30 days, because networks keep leads for long. */
const retrySchedule = [10, 60, 600, 3600, 6 * 3600, ...Array<number>(30).fill(86_400)].map(
  seconds => seconds * 1000,
)
/** The same for what is not likely to change: a lead may not be readable at once. */
const shortSchedule = retrySchedule.slice(0, 6)

export function retrieveLeads(ads: Ads): JobDefinition<never> {
  return job<{ connectionId: string }>({
    name: retrieveName,
    workerPool: 'remote',
    async run({ connectionId }, context) {
      const { database, tenantId, signal } = context
      for (;;) {
        if (signal.aborted) throw new RequeueJob()
        const opened = await database.readTenant({ tenantId }, tx => ads.find(tx, connectionId))
        if (!opened || opened.connection.status === 'EXPIRED') return
        const due = await database.readTenant({ tenantId }, async tx => {
          const { retryAt } = opened.connection
          return retryAt && retryAt > getNow(tx) ? [] : findDueAdLeads(tx, connectionId, batchSize)
        })
        if (due.length === 0) break
        await retrieveBatch(ads, opened, due, context)
        if (await context.hasWaitingJobs()) throw new RequeueJob()
      }
      await scheduleRetry(connectionId, context)
    },
  }) as JobDefinition<never>
}

type Read = { row: AdLeadRow; lead: AdLead } | { row: AdLeadRow; error: AdError }

async function retrieveBatch(
  ads: Ads,
  opened: OpenConnection,
  due: AdLeadRow[],
  { database, tenantId, signal }: JobContext,
): Promise<void> {
  const read = await mapConcurrently(due, concurrency, row => readRow(ads, opened, row, signal))
  const taken = read.flatMap(one => ('lead' in one ? { id: one.row.id, lead: one.lead } : []))
  const failed = read.filter(one => 'error' in one)
  const formsError = await readUnknownForms(ads, opened, taken, { database, tenantId, signal })
  const down = failed.find(({ error }) => isOfConnection(error))
  const isDown = taken.length === 0 && failed.every(({ error }) => error.code === 'UNAVAILABLE')
  const connectionError = down?.error ?? formsError ?? (isDown ? failed[0]!.error : null)
  await database.withTenant({ tenantId }, async tx => {
    await recordFailed(tx, failed)
    if (connectionError) await recordFailure(tx, opened.connection, connectionError)
    else if (taken.length > 0) await recordAnswer(tx, opened.connection.id)
    // Without the form nobody knows what the answers mean, and what the person agreed to.
    if (!formsError) await takeLeads(tx, opened, taken)
  })
}

async function readRow(ads: Ads, opened: OpenConnection, row: AdLeadRow, signal: AbortSignal): Promise<Read> {
  const { network, credentials } = opened
  const content = row.content && (await ads.cipher.decrypt(row.content))
  try {
    const lead = await ads.call(network, signal, context =>
      network.readLead(credentials, { leadId: row.externalId, content }, context),
    )
    return { row, lead }
  } catch (error) {
    if (signal.aborted) throw new RequeueJob()
    if (!(error instanceof AdError)) throw error
    return { row, error }
  }
}

/** Reads the forms of the page if one is not known. Returns why that failed; null: it did not. */
async function readUnknownForms(
  ads: Ads,
  { connection, network, credentials }: OpenConnection,
  taken: { lead: AdLead }[],
  { database, tenantId, signal }: Pick<JobContext, 'database' | 'tenantId' | 'signal'>,
): Promise<AdError | null> {
  const formIds = [...new Set(taken.filter(({ lead }) => !lead.isTest).map(({ lead }) => lead.formId))]
  const known = await database.readTenant({ tenantId }, tx => findForms(tx, connection.id, formIds))
  if (formIds.every(id => known.has(id))) return null
  try {
    const forms = await ads.call(network, signal, context => network.listForms(credentials, context))
    await database.withTenant({ tenantId }, tx => upsertForms(tx, connection.id, forms))
    return null
  } catch (error) {
    if (signal.aborted) throw new RequeueJob()
    if (error instanceof AdError) return error
    throw error
  }
}

/** A failure of the connection costs no attempt: its leads wait until it is read again. */
async function recordFailed(tx: Tx, failed: Extract<Read, { error: AdError }>[]): Promise<void> {
  const now = getNow(tx)
  const outcomes = failed.map(({ row, error }) => {
    const isAttempt = !isOfConnection(error)
    const schedule = error.code === 'UNAVAILABLE' ? retrySchedule : shortSchedule
    const { retryAfterMs } = error
    const next = isAttempt
      ? nextAttemptAt(schedule, { attemptsBefore: row.attempts, retryAfterMs, now })
      : now
    return { id: row.id, reason: toReason(error, next === null), next, isAttempt }
  })
  await recordWaits(
    tx,
    outcomes.flatMap(({ next, ...wait }) => (next ? { ...wait, nextAttemptAt: next } : [])),
  )
  await recordEnds(
    tx,
    outcomes.flatMap(({ id, reason, next }) => (next ? [] : { id, reason, status: 'failed' as const })),
  )
}

/** The first retries follow within a minute; the deployment job finds the others. */
async function scheduleRetry(connectionId: string, { database, tenantId }: JobContext): Promise<void> {
  await database.withTenant({ tenantId }, async tx => {
    const next = await findNextAttempt(tx, connectionId)
    const waitMs = next ? next.getTime() - getNow(tx).getTime() : Infinity
    if (waitMs < 60_000)
      await enqueueRetrieval(tx, connectionId, { runAt: new Date(machineNow() + Math.max(0, waitMs)) })
  })
}
