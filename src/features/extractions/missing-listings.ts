/** Adverts that a search no longer finds: asked for one by one, since an advert that left a search need not be gone. */

import { fetchListing, type ListingOptions, type Outcome } from '../../crawl/fetch-listing.ts'
import type { OpenPortal } from '../../crawl/open-portal.ts'
import { type JobContext, RequeueJob } from '../../kit/jobs/job.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import { type PortalListing, storeListings, withdrawListings } from '../leads/service.ts'
import { type ClaimedExtraction, listMissingListings, lockClaim, type MissingListing } from './run-queries.ts'

export interface MissingOptions {
  claimed: ClaimedExtraction
  portal: OpenPortal
  options: ListingOptions
  /** Ids of all adverts of a feed: what is among them is there, though it no longer fits the search. */
  seenIds: ReadonlySet<string>
  context: JobContext
}

const batchSize = 100

/**
 * Withdraws the leads' adverts that are gone. A portal that tells everything in its search is believed; on the others the
 * advert's own page decides, and what it says now is stored: it may have left the search by its price. An advert that can't
 * be asked for stays as it is, for a later run. Returns whether all could be asked for. Throws ClaimLost if the run is no
 * longer ours, CrawlFailure if the portal refuses to be read.
 */
export async function withdrawMissingListings(run: MissingOptions): Promise<boolean> {
  const { claimed, seenIds, context } = run
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
      const outcome = await recheck(listing, run)
      if (outcome === 'gone') gone.push(listing.listingId)
      else if (outcome.kind === 'failed') isComplete = false
      else if (outcome.kind === 'listing') stillListed.push(outcome)
    }
    await database.withTenant({ tenantId }, async tx => {
      if (!(await lockClaim(tx, claimed))) throw new ClaimLost()
      const { id, platform, campaignId, options } = claimed
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
