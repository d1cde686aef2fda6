/** How an extraction ends, and what is told then. */

import { CrawlFailure } from '../../crawl/failure.ts'
import type { Cursor } from '../../crawl/walk.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { notifyCancelled, notifyMoved } from '../../kit/operations/operation.ts'
import { giveBack } from '../../kit/quota.ts'
import { leadsImported, leadsPerEventMax } from '../leads/events.ts'
import { extractionCancelled, extractionCompleted, extractionFailed } from './events.ts'
import { extractionKind } from './operation.ts'
import { cancelExtraction } from './queries.ts'
import { extractionsPerMonth } from './quotas.ts'
import * as queries from './run-queries.ts'

export interface Completion {
  coverage: queries.Coverage
  /** Whether later runs may count on what this one met: everything that there was. */
  covered: boolean
  /** Of a feed: which edition was read. */
  cursor: Cursor | null
  /** The first failure of an advert, if nothing else came of the run. */
  failure: CrawlFailure | null
}

/** Ends a run that reached its end; as failed, if adverts were there and none could be read. Returns why it failed. */
export async function complete(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  { coverage, covered, cursor, failure }: Completion,
): Promise<CrawlFailure | null> {
  const nothing = whyNothing(coverage, failure)
  await database.withTenant({ tenantId }, async tx => {
    if (nothing) return endFailed(tx, claimed, nothing)
    const outcome = coverage.isWhole ? 'full' : 'partial'
    const capped = coverage.isCapped
    const ending = { status: 'COMPLETED' as const, outcome, capped, error: null, covered, cursor } as const
    if (!(await queries.finish(tx, claimed, ending))) return
    const summary = await queries.summarize(tx, claimed.id)
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
    notifyMoved(tx, extractionKind, claimed.id)
  })
  return nothing
}

/** Why no advert was understood though some were there; null if there were none. */
function whyNothing(
  { isEmptied, understood, failed, robotsDisallowed }: queries.Coverage,
  failure: CrawlFailure | null,
): CrawlFailure | null {
  if (isEmptied)
    return new CrawlFailure('LAYOUT_CHANGED', 'The portal promised adverts and showed none of them.')
  if (understood > 0) return null
  if (failed > 0)
    return failure ?? new CrawlFailure('LAYOUT_CHANGED', 'None of the adverts could be understood.')
  if (robotsDisallowed === 0) return null
  return new CrawlFailure('ROBOTS_DISALLOWED', "The portal's robots.txt does not allow the pages of adverts.")
}

/** Ends a run as failed; what it has read is kept. */
export async function endFailed(tx: Tx, claimed: queries.ClaimedExtraction, cause: unknown): Promise<void> {
  const error =
    cause instanceof CrawlFailure
      ? { code: cause.code, message: cause.message }
      : { code: 'INTERNAL' as const, message: 'Something went wrong on our side. It has been recorded.' }
  const summary = await queries.summarize(tx, claimed.id)
  const outcome = summary.leadIds.length > 0 ? 'partial' : null
  const ending = {
    status: 'FAILED',
    outcome,
    error,
    covered: false,
    capped: false,
    cursor: null,
  } as const
  if (!(await queries.finish(tx, claimed, ending))) return
  await giveBackExtraction(tx, summary)
  await emitLeadsImported(tx, claimed, summary)
  await emit(tx, extractionFailed, {
    extractionId: claimed.id,
    platform: claimed.platform,
    outcome,
    error,
    progress: summary.progress as never,
  })
  notifyMoved(tx, extractionKind, claimed.id)
}

/** Ends an extraction because somebody wants it so. False: it has ended, or there is none. */
export async function cancel(tx: Tx, extractionId: string): Promise<boolean> {
  const cancelled = await cancelExtraction(tx, extractionId)
  if (!cancelled) return false
  const summary = await queries.summarize(tx, extractionId)
  if (cancelled.wasQueued) await giveBackExtraction(tx, summary)
  const { platform } = cancelled
  await emitLeadsImported(tx, { id: extractionId, platform }, summary)
  await emit(tx, extractionCancelled, { extractionId, platform, progress: summary.progress as never })
  await notifyCancelled(tx, extractionKind, extractionId)
  return true
}

function giveBackExtraction(tx: Tx, { createdAt }: queries.Summary): Promise<void> {
  return giveBack(tx, extractionsPerMonth, Temporal.Instant.fromEpochMilliseconds(createdAt.getTime()))
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
