/** Stores what a run has read, in one transaction with its counters and its cursor. */

import type { Outcome } from '../../crawl/fetch-listing.ts'
import type { ProcessedChunk } from '../../crawl/pipeline-chunk.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import { markListingsSeen, type StoredListing, storeListings, withdrawListings } from '../leads/service.ts'
import { recordListingsSeen, storeMarketListings, toSourceListing } from '../market/service.ts'
import { extractionProgress } from './events.ts'
import { extractionKind } from './operation.ts'
import { removePending } from './pending.ts'
import * as queries from './run-queries.ts'

export interface StoreResult {
  /** The listings that became or updated leads and count towards `maxResults`. */
  matched: number
  /** The listings that were read but had not changed; an incremental run does not count them. */
  uncounted: number
  overQuota: boolean
}

/** Stores leads, the result of each listing, counters and cursor. Throws ClaimLost if another run has claimed the extraction. */
export async function storeProcessed(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  done: ProcessedChunk[],
): Promise<StoreResult> {
  const listings = groupByKind(done)
  return database.withTenant({ tenantId }, async tx => {
    const { id, platform, campaignId, options } = claimed
    const stored = await storeListings(tx, {
      platform,
      campaignId,
      listings: listings.listing,
      extractionId: id,
      tags: options.tags,
      updateExisting: options.updateExisting,
    })
    const unchangedLeadIds = await markListingsSeen(tx, platform, listings.unchanged)
    const gone = [
      ...listings.skipped.filter(({ reason }) => reason === 'gone').map(({ listingId }) => listingId),
      ...done.flatMap(({ chunk }) => chunk.withdrawnIds),
    ]
    await withdrawListings(tx, platform, gone, id)
    const results = toListingResults(listings, stored, unchangedLeadIds)
    await queries.insertListingResults(tx, id, results)
    const overQuota = stored.filter(({ result }) => result === 'overQuota').length
    const notStored = stored.filter(({ leadId }) => leadId === null).length
    const unchangedCount = stored.filter(({ result }) => result === 'unchanged').length
    const uncounted = options.incremental ? unchangedCount : 0
    const matched =
      stored.length - notStored - uncounted + (options.incremental ? 0 : listings.unchanged.length)
    const advanced = await queries.recordProgress(tx, claimed, {
      ...toProgressDelta(done, listings, stored),
      leadsMatched: matched,
    })
    if (!advanced) throw new ClaimLost()
    const checkedIds = results.map(({ listingId }) => listingId)
    await removePending(tx, claimed, [...checkedIds, ...gone])
    await updateMarket(tx, claimed, listings, stored)
    await emitProgress(tx, claimed, advanced.progressToEmit)
    return { matched, uncounted, overQuota: overQuota > 0 }
  })
}

/** Outcomes by their kind. */
type OutcomesByKind = { [Kind in Outcome['kind']]: Extract<Outcome, { kind: Kind }>[] }

function groupByKind(done: ProcessedChunk[]): OutcomesByKind {
  const listings: OutcomesByKind = { listing: [], unchanged: [], skipped: [], failed: [] }
  for (const { outcomes } of done)
    for (const outcome of outcomes) (listings[outcome.kind] as Outcome[]).push(outcome)
  return listings
}

function toListingResults(
  { unchanged, skipped, failed }: OutcomesByKind,
  stored: StoredListing[],
  leadIds: Map<string, string>,
): queries.ListingResult[] {
  const none = (result: 'skipped' | 'failed', listingId: string) => ({ listingId, result, leadId: null })
  return [
    ...stored.map(listing =>
      listing.result === 'overQuota' || listing.result === 'suppressed'
        ? none('skipped', listing.listingId)
        : listing,
    ),
    ...unchanged.map(({ listingId }) => ({
      listingId,
      result: 'unchanged' as const,
      leadId: leadIds.get(listingId) ?? null,
    })),
    ...skipped.map(({ listingId }) => none('skipped', listingId)),
    ...failed.map(({ listingId }) => none('failed', listingId)),
  ]
}

/**
 * Adds the listings to the market, without those of erased people. It comes last in the transaction, because it locks the
 * area against other writers.
 */
async function updateMarket(
  tx: Tx,
  { platform: source, environment }: queries.ClaimedExtraction,
  { listing, unchanged }: OutcomesByKind,
  stored: StoredListing[],
): Promise<void> {
  const seenAt = getInstant(tx)
  const erased = new Set(
    stored.filter(({ result }) => result === 'suppressed').map(({ listingId }) => listingId),
  )
  const listings = listing
    .filter(({ listingId }) => !erased.has(listingId))
    .map(({ listingId, listing }) => toSourceListing(listing, { source, listingId, seenAt }))
  await storeMarketListings(tx, { environment, listings })
  const seen = unchanged.map(({ listingId }) => ({ source, listingId, seenAt }))
  await recordListingsSeen(tx, { environment, listings: seen })
}

/** The increments of the counters, and the new cursor. */
function toProgressDelta(
  done: ProcessedChunk[],
  { listing, unchanged, skipped, failed }: OutcomesByKind,
  stored: StoredListing[],
): Omit<queries.ProgressDelta, 'leadsMatched'> {
  const results = stored.map(({ result }) => result)
  const count = (expected: StoredListing['result']) => results.filter(result => result === expected).length
  const repeated = sum(done.map(({ repeated }) => repeated))
  return {
    cursor: done.findLast(({ isComplete }) => isComplete)?.chunk.next ?? null,
    reportedTotal: done.findLast(({ chunk }) => chunk.reportedTotal !== null)?.chunk.reportedTotal ?? null,
    pagesFetched: sum(done.map(({ chunk }) => chunk.pagesFetched)),
    listingsFound: listing.length + unchanged.length + skipped.length + failed.length,
    listingsRead: listing.length,
    leadsCreated: count('created'),
    leadsUpdated: count('updated'),
    duplicates: repeated + count('unchanged') + unchanged.length,
    failed: failed.length,
    skippedByReason: countBy([
      ...skipped.map(({ reason }) => reason),
      ...Array<string>(count('overQuota')).fill('quotaExceeded'),
      ...Array<string>(count('suppressed')).fill('erased'),
    ]),
  }
}

async function emitProgress(
  tx: Tx,
  { id, platform }: queries.ClaimedExtraction,
  progress: Record<string, number> | null,
): Promise<void> {
  if (progress)
    await emit(tx, extractionProgress, { extractionId: id, platform, progress: progress as never })
  notifyProgress(tx, extractionKind, id)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function countBy(keys: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(keys, key => key)].map(([key, group]) => [key, group.length]))
}
