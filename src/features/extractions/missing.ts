/** Adverts that a search no longer finds: asked for one by one, since an advert that left a search need not be gone. */
import { HandBack, type JobContext } from '../../kit/job.ts'
import { withdrawListings } from '../leads/service.ts'
import type { OpenPortal } from '../platforms/service.ts'
import { ExtractionFailure } from './engine/failure.ts'
import { type AdvertOptions, readAdvert } from './engine/read-advert.ts'
import { type ClaimedExtraction, listMissing, type Missing } from './run-queries.ts'

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
 * advert's own page decides. An advert that can't be asked for stays as it is.
 */
export async function findMissing(run: MissingOptions): Promise<void> {
  const { claimed, present, context } = run
  const { database, tenantId, signal } = context
  for (let after = ''; ; ) {
    const missing = await database.readTenant({ tenantId }, tx => listMissing(tx, claimed, after, batch))
    const last = missing.at(-1)
    if (!last) return
    after = last.listingId
    const gone: string[] = []
    for (const advert of missing) {
      if (signal.aborted) throw new HandBack()
      if (!present.has(advert.listingId) && (await isGone(advert, run))) gone.push(advert.listingId)
    }
    await database.withTenant({ tenantId }, tx => withdrawListings(tx, claimed.platform, gone))
  }
}

async function isGone({ listingId, path }: Missing, { portal, options }: MissingOptions): Promise<boolean> {
  if (!portal.definition.details) return true
  try {
    const outcome = await readAdvert({ listingId, path }, undefined, {
      ...options,
      includeDetails: true,
      filters: {},
    })
    return outcome.kind === 'skipped' && outcome.reason === 'gone'
  } catch (error) {
    if (error instanceof ExtractionFailure) return false
    throw error
  }
}
