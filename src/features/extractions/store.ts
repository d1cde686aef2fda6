/** What a run has read, stored in one transaction together with the place to go on. */
import { notifyChange } from '../../kit/db/changes.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import { keepListings, type StoredListing, storeListings, withdrawListings } from '../leads/service.ts'
import { ClaimLost } from './engine/failure.ts'
import type { Done } from './engine/pipeline.ts'
import type { Outcome } from './engine/read-advert.ts'
import { extractionProgress } from './events.ts'
import * as queries from './run-queries.ts'

/** Told at every step of an extraction, and when it ends. */
export const topicOf = (extractionId: string) => `extraction:${extractionId}`
/** Told when somebody cancels it. */
export const cancelTopicOf = (extractionId: string) => `extraction-cancelled:${extractionId}`

export interface Stored {
  /** Adverts that are a lead now, as far as `maxResults` counts them. */
  matched: number
  overQuota: boolean
}

/** Leads, what became of each advert, counters and the place to go on. Throws ClaimLost if the run is no longer ours. */
export async function storeDone(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  done: Done[],
): Promise<Stored> {
  const outcomes = done.flatMap(({ outcomes }) => outcomes)
  const of = <K extends Outcome['kind']>(kind: K) =>
    outcomes.filter((outcome): outcome is Extract<Outcome, { kind: K }> => outcome.kind === kind)
  const [listings, unchanged, skipped, failed] = [of('listing'), of('unchanged'), of('skipped'), of('failed')]

  return database.withTenant({ tenantId }, async tx => {
    const { id, platform, campaignId, options } = claimed
    const stored = await storeListings(tx, {
      ...{ platform, campaignId, listings, extractionId: id },
      ...{ tags: options.tags, updateExisting: options.updateExisting },
    })
    const kept = await keepListings(tx, platform, unchanged)
    await withdrawListings(tx, platform, [
      ...skipped.filter(({ reason }) => reason === 'gone').map(({ listingId }) => listingId),
      ...done.flatMap(({ chunk }) => chunk.goneIds),
    ])
    const count = (result: StoredListing['result']) =>
      stored.filter(listing => listing.result === result).length
    const overQuota = count('overQuota')
    await queries.insertListingResults(tx, id, [
      ...stored.map(listing =>
        listing.result === 'overQuota' ? { ...listing, result: 'skipped' as const } : listing,
      ),
      ...unchanged.map(({ listingId }) => ({
        ...{ listingId, result: 'unchanged' as const },
        leadId: kept.get(listingId) ?? null,
      })),
      ...skipped.map(({ listingId }) => ({ listingId, result: 'skipped' as const, leadId: null })),
      ...failed.map(({ listingId }) => ({ listingId, result: 'failed' as const, leadId: null })),
    ])
    const repeated = sum(done.map(({ repeated }) => repeated))
    // What an incremental run finds as it was, is not what was asked for.
    const matched = stored.length - overQuota + (options.incremental ? 0 : unchanged.length)
    const advanced = await queries.advance(tx, claimed, {
      cursor: done.findLast(({ isWhole }) => isWhole)?.chunk.next ?? null,
      promised: done.findLast(({ chunk }) => chunk.promised !== null)?.chunk.promised ?? null,
      pagesFetched: sum(done.map(({ chunk }) => chunk.pagesFetched)),
      listingsFound: outcomes.length,
      listingsRead: listings.length,
      leadsCreated: count('created'),
      leadsUpdated: count('updated'),
      leadsMatched: matched,
      duplicates: repeated + count('unchanged') + unchanged.length,
      failed: failed.length,
      skippedByReason: countBy([
        ...skipped.map(({ reason }) => reason),
        ...Array<string>(overQuota).fill('quotaExceeded'),
      ]),
    })
    if (!advanced) throw new ClaimLost()
    await tell(tx, claimed, advanced.tell)
    return { matched, overQuota: overQuota > 0 }
  })
}

async function tell(
  tx: Tx,
  { id, platform }: queries.ClaimedExtraction,
  progress: Record<string, number> | null,
): Promise<void> {
  if (progress)
    await emit(tx, extractionProgress, { extractionId: id, platform, progress: progress as never })
  await notifyChange(tx, topicOf(id))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function countBy(words: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, word => word)].map(([word, same]) => [word, same.length]))
}
