/** The end of an extraction: its outcome, its events, the refund of its quota. */

import type { Cursor } from '../../crawl/crawl.ts'
import { CrawlFailure } from '../../crawl/failure.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { callHook } from '../../kit/hook.ts'
import { notifyCancelled, notifyProgress } from '../../kit/operations/operation.ts'
import { refund } from '../../kit/quota.ts'
import { leadsImported, leadsPerEventMax } from '../leads/events.ts'
import { extractionCancelled, extractionCompleted, extractionFailed } from './events.ts'
import { campaignExtractionEnded } from './hooks.ts'
import { extractionKind } from './operation.ts'
import { dropPending } from './pending.ts'
import { cancelExtraction } from './queries.ts'
import { extractionsPerMonth } from './quotas.ts'
import * as queries from './run-queries.ts'

export interface Completion {
  coverage: queries.Coverage
  /** The run saw every listing of the search, so later incremental runs may build on it. */
  exhaustive: boolean
  /** For a feed: a cursor with the validators of the version that was read; null: the stored cursor stays. */
  cursor: Cursor | null
  /** The first failure of a listing; it becomes the failure of a run that read no listing. */
  failure: CrawlFailure | null
}

/**
 * Ends a run that processed its whole search. The extraction fails if there were listings and none could be read: then it
 * returns the reason.
 */
export async function completeExtraction(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  { coverage, exhaustive, cursor, failure }: Completion,
): Promise<CrawlFailure | null> {
  const emptyFailure = findEmptyRunFailure(coverage, failure)
  await database.withTenant({ tenantId }, async tx => {
    if (emptyFailure) return failExtraction(tx, claimed, emptyFailure)
    const outcome = coverage.isFull ? 'full' : 'partial'
    const capped = coverage.isCapped
    const completion = {
      status: 'COMPLETED' as const,
      outcome,
      capped,
      error: null,
      exhaustive,
      cursor,
    } as const
    if (!(await queries.finishExtraction(tx, claimed, completion))) return
    await dropPending(tx, claimed.id)
    const summary = await queries.readSummary(tx, claimed.id)
    await emitLeadsImported(tx, claimed, summary)
    await emit(tx, extractionCompleted, {
      extractionId: claimed.id,
      platform: claimed.platform,
      outcome,
      capped,
      portalTotal: summary.portalTotal,
      progress: summary.progress as never,
      skippedByReason: summary.skippedByReason,
    })
    notifyProgress(tx, extractionKind, claimed.id)
    if (claimed.campaignId !== null) await callHook(tx, campaignExtractionEnded, claimed.id)
  })
  return emptyFailure
}

/** Why no listing was read although there were some; null: at least one was read, or there were none. */
function findEmptyRunFailure(
  { isUnexpectedlyEmpty, parsedCount, failed, robotsDisallowed }: queries.Coverage,
  failure: CrawlFailure | null,
): CrawlFailure | null {
  if (isUnexpectedlyEmpty)
    return new CrawlFailure('LAYOUT_CHANGED', 'The portal reported listings but showed none of them.')
  if (parsedCount > 0) return null
  if (failed > 0)
    return failure ?? new CrawlFailure('LAYOUT_CHANGED', 'None of the listings could be parsed.')
  if (robotsDisallowed === 0) return null
  return new CrawlFailure(
    'ROBOTS_DISALLOWED',
    "The portal's robots.txt does not allow the pages of its listings.",
  )
}

/** Ends a run as failed; the leads it has stored are kept. */
export async function failExtraction(
  tx: Tx,
  claimed: queries.ClaimedExtraction,
  cause: unknown,
): Promise<void> {
  const error =
    cause instanceof CrawlFailure
      ? { code: cause.code, message: cause.message }
      : { code: 'INTERNAL' as const, message: 'Something went wrong on our side. It has been recorded.' }
  const summary = await queries.readSummary(tx, claimed.id)
  const outcome = summary.leadIds.length > 0 ? 'partial' : null
  const completion = {
    status: 'FAILED',
    outcome,
    error,
    exhaustive: false,
    capped: false,
    cursor: null,
  } as const
  if (!(await queries.finishExtraction(tx, claimed, completion))) return
  await dropPending(tx, claimed.id)
  await refundExtraction(tx, summary)
  await emitLeadsImported(tx, claimed, summary)
  await emit(tx, extractionFailed, {
    extractionId: claimed.id,
    platform: claimed.platform,
    outcome,
    error,
    progress: summary.progress as never,
  })
  notifyProgress(tx, extractionKind, claimed.id)
  if (claimed.campaignId !== null) await callHook(tx, campaignExtractionEnded, claimed.id)
}

/** Cancels an extraction. False: it has already ended, or there is none. */
export async function cancel(tx: Tx, extractionId: string): Promise<boolean> {
  const cancelled = await cancelExtraction(tx, extractionId)
  if (!cancelled) return false
  await dropPending(tx, extractionId)
  const summary = await queries.readSummary(tx, extractionId)
  if (cancelled.wasQueued) await refundExtraction(tx, summary)
  const { platform } = cancelled
  await emitLeadsImported(tx, { id: extractionId, platform }, summary)
  await emit(tx, extractionCancelled, { extractionId, platform, progress: summary.progress as never })
  await notifyCancelled(tx, extractionKind, extractionId)
  if (cancelled.campaignId !== null) await callHook(tx, campaignExtractionEnded, extractionId)
  return true
}

function refundExtraction(tx: Tx, { createdAt }: queries.Summary): Promise<void> {
  return refund(tx, extractionsPerMonth, [Temporal.Instant.fromEpochMilliseconds(createdAt.getTime())])
}

async function emitLeadsImported(
  tx: Tx,
  { id, platform }: { id: string; platform: string },
  summary: queries.Summary,
): Promise<void> {
  const parts = Math.ceil(summary.leadIds.length / leadsPerEventMax)
  for (let part = 1; part <= parts; part++) {
    await emit(tx, leadsImported, {
      extractionId: id,
      importId: null,
      platform,
      created: summary.leadsCreated,
      updated: summary.leadsUpdated,
      leadIds: summary.leadIds.slice((part - 1) * leadsPerEventMax, part * leadsPerEventMax),
      part,
      parts,
    })
  }
}
