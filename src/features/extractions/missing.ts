/** Adverts that a search no longer finds: asked for one by one, since an advert that left a search need not be gone. */

import type { OpenPortal } from '../../crawl/open-portal.ts'
import { type AdvertOptions, type Outcome, readAdvert } from '../../crawl/read-advert.ts'
import { HandBack, type JobContext } from '../../kit/jobs/job.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import { type IdentifiedListing, storeListings, withdrawListings } from '../leads/service.ts'
import { type ClaimedExtraction, holdClaim, listMissing, type Missing } from './run-queries.ts'

export interface MissingOptions {
  claimed: ClaimedExtraction
  portal: OpenPortal
  options: AdvertOptions
  /** Ids of all adverts of a feed: what is among them is there, though it no longer fits the search. */
  present: ReadonlySet<string>
  context: JobContext
}

const batch = 100

/**
 * Withdraws the leads' adverts that are gone. A portal that tells everything in its search is believed; on the others the
 * advert's own page decides, and what it says now is stored: it may have left the search by its price. An advert that can't
 * be asked for stays as it is, for a later run. Returns whether all could be asked for. Throws ClaimLost if the run is no
 * longer ours, CrawlFailure if the portal refuses to be read.
 */
export async function findMissing(run: MissingOptions): Promise<boolean> {
  const { claimed, present, context } = run
  const { database, tenantId, signal } = context
  let isSettled = true
  for (let after = ''; ; ) {
    const missing = await database.readTenant({ tenantId }, tx => listMissing(tx, claimed, after, batch))
    const last = missing.at(-1)
    if (!last) return isSettled
    after = last.listingId
    const gone: string[] = []
    const moved: IdentifiedListing[] = []
    for (const advert of missing) {
      if (signal.aborted) throw new HandBack()
      if (present.has(advert.listingId)) continue
      const outcome = await ask(advert, run)
      if (outcome === 'gone') gone.push(advert.listingId)
      else if (outcome.kind === 'failed') isSettled = false
      else if (outcome.kind === 'listing') moved.push(outcome)
    }
    await database.withTenant({ tenantId }, async tx => {
      if (!(await holdClaim(tx, claimed))) throw new ClaimLost()
      const { id, platform, campaignId, options } = claimed
      await withdrawListings(tx, platform, gone, id)
      await storeListings(tx, {
        ...{ platform, campaignId, listings: moved, extractionId: id },
        ...{ tags: [], updateExisting: options.updateExisting },
      })
    })
  }
}

async function ask(
  { listingId, path }: Missing,
  { portal, options }: MissingOptions,
): Promise<Outcome | 'gone'> {
  if (!portal.definition.details) return 'gone'
  const wanted = { ...options, includeDetails: true, filters: {} }
  const outcome = await readAdvert({ listingId, path }, undefined, wanted)
  return outcome.kind === 'skipped' && outcome.reason === 'gone' ? 'gone' : outcome
}
