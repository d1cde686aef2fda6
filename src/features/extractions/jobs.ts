/** Runs an extraction: page by page, each page stored in one transaction together with where to go on. */
import { type Database, isDatabaseAway } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { HandBack, type JobContext, job } from '../../kit/job.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { giveBack } from '../../kit/quota.ts'
import { leadsImported, leadsPerEventMax } from '../leads/events.ts'
import { type StoredListing, storeListings } from '../leads/service.ts'
import type { Portals } from '../platforms/service.ts'
import { ClaimLost, ExtractionFailure } from './engine/failure.ts'
import { openPortalClient } from './engine/portal-client.ts'
import {
  type ReadListings,
  readListings,
  readSearchPage,
  type SearchPage,
  whyNothing,
} from './engine/read-page.ts'
import { extractionCompleted, extractionFailed, extractionStarted } from './events.ts'
import * as queries from './queries.ts'

export interface ExtractionsDependencies {
  portals: Portals
  http: HttpClient
  metrics: Metrics
  contactUrl: string
}

export const runExtractionName = 'run-extraction'

export function runExtraction(dependencies: ExtractionsDependencies) {
  return job<{ extractionId: string }>({
    name: runExtractionName,
    async run({ extractionId }, context) {
      const { database, tenantId } = context
      const claimed = await database.withTenant({ tenantId }, async tx => {
        const claim = await queries.claimExtraction(tx, extractionId)
        if (claim?.isFirstRun) await emit(tx, extractionStarted, { extractionId, platform: claim.platform })
        return claim
      })
      // Finished before: a repetition of the job has nothing to do.
      if (!claimed) return
      try {
        await readAllPages(claimed, dependencies, context)
        await complete(database, tenantId, claimed)
      } catch (error) {
        if (error instanceof ClaimLost) return
        if (error instanceof HandBack || isDatabaseAway(error)) throw error
        if (!(error instanceof ExtractionFailure) && !context.isLastAttempt) throw error
        context.log.warn({ err: error, extractionId }, 'an extraction failed')
        await fail(database, tenantId, claimed, error)
      }
    },
  })
}

async function readAllPages(
  claimed: queries.ClaimedExtraction,
  { portals, http, metrics, contactUrl }: ExtractionsDependencies,
  context: JobContext,
) {
  const { database, tenantId, signal } = context
  const portal = await portals.open(claimed.platform, claimed.environment)
  if (!portal)
    throw new ExtractionFailure(
      'CREDENTIALS_INVALID',
      `The portal ${claimed.platform} is not configured in ${claimed.environment}.`,
    )
  const client = await openPortalClient({ portal, http, database, metrics, contactUrl, signal })

  let { nextPage, leadsMatched } = claimed
  for (let more = true; more && leadsMatched < claimed.maxResults; nextPage++) {
    if (signal.aborted) throw new HandBack()
    const page = await readSearchPage(portal, client, claimed.filters, nextPage)
    const cards = [...new Map(page.cards.map(card => [card.listingId, card])).values()]
    const listingIds = cards.map(card => card.listingId)
    const known = await database.readTenant({ tenantId }, tx =>
      queries.listKnownListings(tx, claimed.id, listingIds),
    )
    const read = await readListings(portal, client, {
      cards: cards.filter(card => !known.has(card.listingId)),
      atMost: claimed.maxResults - leadsMatched,
      includeDetails: claimed.options.includeDetails,
    })
    const failure = leadsMatched === 0 && read.listings.length === 0 ? whyNothing(read) : null
    if (failure) throw failure
    const stored = await storePage(database, tenantId, claimed, {
      page,
      nextPage,
      duplicates: page.cards.length - cards.length + known.size,
      read,
    })
    leadsMatched += stored.matched
    // A page that brings nothing new after one that promised more is a portal going in circles.
    more = page.hasNext && !stored.overQuota && known.size < cards.length
  }
}

interface PageToStore {
  page: SearchPage
  nextPage: number
  duplicates: number
  read: ReadListings
}

/** Leads, what became of each advert, counters and the place to go on, in one transaction. */
async function storePage(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  { page, nextPage, duplicates, read }: PageToStore,
) {
  return database.withTenant({ tenantId }, async tx => {
    const { platform, campaignId, options } = claimed
    const stored = await storeListings(tx, {
      platform,
      extractionId: claimed.id,
      campaignId,
      tags: options.tags,
      updateExisting: options.updateExisting,
      listings: read.listings,
    })
    const count = (result: StoredListing['result']) =>
      stored.filter(listing => listing.result === result).length
    const overQuota = count('overQuota')
    const skippedByReason = countBy([
      ...read.skipped.map(({ reason }) => reason),
      ...Array<string>(overQuota).fill('quotaExceeded'),
    ])
    await queries.insertListingResults(tx, claimed.id, [
      ...stored.map(listing =>
        listing.result === 'overQuota' ? { ...listing, result: 'skipped' as const } : listing,
      ),
      ...read.skipped.map(({ listingId }) => ({ listingId, result: 'skipped' as const, leadId: null })),
      ...read.failed.map(({ listingId }) => ({ listingId, result: 'failed' as const, leadId: null })),
    ])
    const matched = stored.length - overQuota
    const advanced = await queries.advance(tx, claimed, {
      nextPage: nextPage + 1,
      promised: page.promised,
      listingsFound: read.listings.length + read.skipped.length + read.failed.length + duplicates,
      listingsRead: read.listings.length,
      leadsCreated: count('created'),
      leadsUpdated: count('updated'),
      leadsMatched: matched,
      duplicates: duplicates + count('unchanged'),
      failed: read.failed.length,
      skippedByReason,
    })
    if (!advanced) throw new ClaimLost()
    return { matched, overQuota: overQuota > 0 }
  })
}

function countBy(words: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, word => word)].map(([word, same]) => [word, same.length]))
}

async function complete(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
): Promise<void> {
  await database.withTenant({ tenantId }, async tx => {
    const outcome = (await queries.isWhole(tx, claimed.id)) ? 'full' : 'partial'
    if (!(await queries.finish(tx, claimed, { status: 'COMPLETED', outcome, error: null }))) return
    const summary = await queries.summarize(tx, claimed.id)
    await emitLeadsImported(tx, claimed, summary)
    await emit(tx, extractionCompleted, {
      extractionId: claimed.id,
      platform: claimed.platform,
      outcome,
      progress: summary.progress as never,
      skippedByReason: summary.skippedByReason,
    })
  })
}

async function fail(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  cause: unknown,
): Promise<void> {
  const error =
    cause instanceof ExtractionFailure
      ? { code: cause.code, message: cause.message }
      : { code: 'INTERNAL' as const, message: 'Something went wrong on our side. It has been recorded.' }
  await database.withTenant({ tenantId }, async tx => {
    const summary = await queries.summarize(tx, claimed.id)
    const outcome = summary.leadIds.length > 0 ? 'partial' : null
    if (!(await queries.finish(tx, claimed, { status: 'FAILED', outcome, error }))) return
    await giveBack(
      tx,
      'maxExtractionsPerMonth',
      Temporal.Instant.fromEpochMilliseconds(summary.createdAt.getTime()),
    )
    await emitLeadsImported(tx, claimed, summary)
    await emit(tx, extractionFailed, {
      extractionId: claimed.id,
      platform: claimed.platform,
      outcome,
      error,
      progress: summary.progress as never,
    })
  })
}

async function emitLeadsImported(
  tx: Parameters<typeof emit>[0],
  { id, platform }: queries.ClaimedExtraction,
  summary: queries.Summary,
): Promise<void> {
  const parts = Math.ceil(summary.leadIds.length / leadsPerEventMax)
  for (let part = 1; part <= parts; part++) {
    await emit(tx, leadsImported, {
      extractionId: id,
      platform,
      created: summary.leadsCreated,
      updated: summary.leadsUpdated,
      leadIds: summary.leadIds.slice((part - 1) * leadsPerEventMax, part * leadsPerEventMax),
      part,
      parts,
    })
  }
}
