/** What a run has read, stored in one transaction together with the place to go on. */

import type { Outcome } from '../../crawl/read-advert.ts'
import type { Done } from '../../crawl/slot.ts'
import { instantOf } from '../../kit/clock/clock.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { notifyMoved } from '../../kit/operations/operation.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import { keepListings, type StoredListing, storeListings, withdrawListings } from '../leads/service.ts'
import { advertOfListing, keepMarketAdverts, storeMarketAdverts } from '../market/service.ts'
import { extractionProgress } from './events.ts'
import { extractionKind } from './operation.ts'
import * as queries from './run-queries.ts'

export interface Stored {
  /** Adverts that are a lead now, as far as `maxResults` counts them. */
  matched: number
  /** Those that were read anew only to be found as they were: an incremental run did not ask for them. */
  uncounted: number
  overQuota: boolean
}

/** Leads, what became of each advert, counters and the place to go on. Throws ClaimLost if the run is no longer ours. */
export async function storeDone(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  done: Done[],
): Promise<Stored> {
  const adverts = sorted(done)
  return database.withTenant({ tenantId }, async tx => {
    const { id, platform, campaignId, options } = claimed
    const stored = await storeListings(tx, {
      ...{ platform, campaignId, listings: adverts.listing, extractionId: id },
      ...{ tags: options.tags, updateExisting: options.updateExisting },
    })
    const kept = await keepListings(tx, platform, adverts.unchanged)
    const gone = [
      ...adverts.skipped.filter(({ reason }) => reason === 'gone').map(({ listingId }) => listingId),
      ...done.flatMap(({ chunk }) => chunk.goneIds),
    ]
    await withdrawListings(tx, platform, gone, id)
    await queries.insertListingResults(tx, id, resultsOf(adverts, stored, kept))
    const overQuota = stored.filter(({ result }) => result === 'overQuota').length
    const notStored = stored.filter(({ leadId }) => leadId === null).length
    const asItWas = stored.filter(({ result }) => result === 'unchanged').length
    // What an incremental run finds as it was, is not what was asked for.
    const uncounted = options.incremental ? asItWas : 0
    const matched =
      stored.length - notStored - uncounted + (options.incremental ? 0 : adverts.unchanged.length)
    const advanced = await queries.advance(tx, claimed, {
      ...advanceOf(done, adverts, stored),
      leadsMatched: matched,
    })
    if (!advanced) throw new ClaimLost()
    await tellMarket(tx, claimed, adverts, stored)
    await tell(tx, claimed, advanced.tell)
    return { matched, uncounted, overQuota: overQuota > 0 }
  })
}

/** Outcomes by their kind. */
type Adverts = { [Kind in Outcome['kind']]: Extract<Outcome, { kind: Kind }>[] }

function sorted(done: Done[]): Adverts {
  const adverts: Adverts = { listing: [], unchanged: [], skipped: [], failed: [] }
  for (const { outcomes } of done)
    for (const outcome of outcomes) (adverts[outcome.kind] as Outcome[]).push(outcome)
  return adverts
}

function resultsOf(
  { unchanged, skipped, failed }: Adverts,
  stored: StoredListing[],
  leadOf: Map<string, string>,
): queries.ListingResult[] {
  const none = (result: 'skipped' | 'failed', listingId: string) => ({ listingId, result, leadId: null })
  return [
    ...stored.map(listing =>
      listing.result === 'overQuota' || listing.result === 'suppressed'
        ? none('skipped', listing.listingId)
        : listing,
    ),
    ...unchanged.map(({ listingId }) => ({
      ...{ listingId, result: 'unchanged' as const },
      leadId: leadOf.get(listingId) ?? null,
    })),
    ...skipped.map(({ listingId }) => none('skipped', listingId)),
    ...failed.map(({ listingId }) => none('failed', listingId)),
  ]
}

/** What adverts ask for which property; of those of erased people nothing. Last, as others wait for it who write in the same town. */
async function tellMarket(
  tx: Tx,
  { platform: source, environment }: queries.ClaimedExtraction,
  { listing, unchanged }: Adverts,
  stored: StoredListing[],
): Promise<void> {
  const seenAt = instantOf(tx)
  const erased = new Set(
    stored.filter(({ result }) => result === 'suppressed').map(({ listingId }) => listingId),
  )
  const adverts = listing
    .filter(({ listingId }) => !erased.has(listingId))
    .map(({ listingId, listing }) => advertOfListing(listing, { source, advertId: listingId, seenAt }))
  await storeMarketAdverts(tx, { environment, adverts })
  const kept = unchanged.map(({ listingId }) => ({ source, advertId: listingId, seenAt }))
  await keepMarketAdverts(tx, { environment, adverts: kept })
}

/** What the counters grow by, and where to go on. */
function advanceOf(
  done: Done[],
  { listing, unchanged, skipped, failed }: Adverts,
  stored: StoredListing[],
): Omit<queries.Advance, 'leadsMatched'> {
  const results = stored.map(({ result }) => result)
  const count = (wanted: StoredListing['result']) => results.filter(result => result === wanted).length
  const repeated = sum(done.map(({ repeated }) => repeated))
  return {
    cursor: done.findLast(({ isWhole }) => isWhole)?.chunk.next ?? null,
    promised: done.findLast(({ chunk }) => chunk.promised !== null)?.chunk.promised ?? null,
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

async function tell(
  tx: Tx,
  { id, platform }: queries.ClaimedExtraction,
  progress: Record<string, number> | null,
): Promise<void> {
  if (progress)
    await emit(tx, extractionProgress, { extractionId: id, platform, progress: progress as never })
  notifyMoved(tx, extractionKind, id)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function countBy(words: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, word => word)].map(([word, same]) => [word, same.length]))
}
