/** Rechecks listings that a search no longer finds, one by one: they may have left the search without being withdrawn. */

import { fetchListing, type ListingOptions, type Outcome } from '../../crawl/fetch-listing.ts'
import type { ResolvedPortal } from '../../crawl/resolved-portal.ts'
import { type JobContext, RequeueJob } from '../../kit/jobs/job.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import { type PortalListing, storeListings, withdrawListings } from '../leads/service.ts'
import { listMissingListings, type MissingListing } from './missing-queries.ts'
import { removePending } from './pending.ts'
import { type ClaimedExtraction, lockClaim } from './run-queries.ts'

export interface MissingOptions {
  claimed: ClaimedExtraction
  portal: ResolvedPortal
  options: ListingOptions
  /** The ids of all listings of a feed, including those that do not match the search. */
  seenIds: ReadonlySet<string>
  context: JobContext
}

const batchSize = 100

/**
 * Withdraws the listings that are gone. If the portal has no detail pages, missing from the search means gone. Otherwise the
 * page of the listing decides; if it still exists, its present state is stored (a new price may have moved it out of the
 * search). A listing whose page can't be fetched stays unchanged, for a later run. Returns true if all could be checked.
 * Throws ClaimLost if another run has claimed the extraction, CrawlFailure if the portal refuses to be read.
 */
export async function withdrawMissingListings(missingOptions: MissingOptions): Promise<boolean> {
  const { claimed, seenIds, context } = missingOptions
  const { database, tenantId, signal } = context
  let isComplete = true
  for (let after = ''; ; ) {
    const missing = await database.readTenant({ tenantId }, tx =>
      listMissingListings(tx, claimed, after, batchSize),
    )
    const last = missing.at(-1)
    if (!last) return isComplete
    after = last.listingId
    const gone: string[] = []
    const stillListed: PortalListing[] = []
    for (const listing of missing) {
      if (signal.aborted) throw new RequeueJob()
      if (seenIds.has(listing.listingId)) continue
      const outcome = await recheck(listing, missingOptions)
      if (outcome === 'gone') gone.push(listing.listingId)
      else if (outcome.kind === 'failed') isComplete = false
      else if (outcome.kind === 'listing') stillListed.push(outcome)
    }
    await database.withTenant({ tenantId }, async tx => {
      if (!(await lockClaim(tx, claimed))) throw new ClaimLost()
      const { id, platform, campaignId, options } = claimed
      const missingIds = missing.map(({ listingId }) => listingId)
      await removePending(tx, claimed, missingIds, { rechecked: missing.length })
      await withdrawListings(tx, platform, gone, id)
      await storeListings(tx, {
        platform,
        campaignId,
        listings: stillListed,
        extractionId: id,
        tags: [],
        updateExisting: options.updateExisting,
      })
    })
  }
}

async function recheck(
  { listingId, path }: MissingListing,
  { portal, options }: MissingOptions,
): Promise<Outcome | 'gone'> {
  if (!portal.definition.details) return 'gone'
  const detailOptions = { ...options, includeDetails: true, filters: {} }
  const outcome = await fetchListing({ listingId, path }, undefined, detailOptions)
  return outcome.kind === 'skipped' && outcome.reason === 'gone' ? 'gone' : outcome
}
