/** The job that runs an extraction: crawls the portal while it stores what it has read. A later run resumes at the cursor. */

import { type Chunk, type Crawl, crawlFeed, crawlPages } from '../../crawl/crawl.ts'
import { CrawlFailure } from '../../crawl/failure.ts'
import {
  fetchListing,
  type KnownListing,
  type ListingOptions,
  type Outcome,
} from '../../crawl/fetch-listing.ts'
import { toUrl } from '../../crawl/fetcher.ts'
import { runPipeline } from '../../crawl/pipeline.ts'
import { openPortalClient, type PortalClient } from '../../crawl/portal-client.ts'
import { getConcurrency } from '../../crawl/portal-throttle.ts'
import type { ResolvedPortal } from '../../crawl/resolved-portal.ts'
import { getNow, machineNow } from '../../kit/clock/clock.ts'
import { analyzeGrownTables } from '../../kit/db/analyze.ts'
import { type Database, isDatabaseUnavailable } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { RequeueJob } from '../../kit/jobs/job.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { defineOperationJob, type Slice } from '../../kit/operations/run.ts'
import type { SearchContext } from '../../plugins/portal.ts'
import { findKnownSources } from '../leads/service.ts'
import type { Portals } from '../platforms/service.ts'
import { completeExtraction, failExtraction } from './completion.ts'
import { extractionStarted } from './events.ts'
import { recordRunHealth } from './health.ts'
import { withdrawMissingListings } from './missing-listings.ts'
import { extractionKind, runExtractionName } from './operation.ts'
import { addKnownAsPending, addPending } from './pending.ts'
import * as queries from './run-queries.ts'
import { storeProcessed } from './store.ts'

export interface ExtractionsDependencies {
  portals: Portals
  http: HttpClient
  metrics: Metrics
  contactUrl: string
}

/** An extraction fails if the portal keeps it waiting beyond this time after its start. */
const runTimeoutMs = 24 * 3_600_000
/** The least time that each later run has, even after `runTimeoutMs`. */
const resumeTimeoutMs = 3_600_000
/**
 * A portal's clock may be this far behind ours. An incremental run requests changes from that much earlier; the listings it
 * gets twice are recognised as unchanged.
 */
const clockSkewMaxMs = 10 * 60_000
/** How long the validators of a page are used. After that it is parsed again, in case an older release misread it. */
const validatorTtlMs = 7 * 24 * 3_600_000

export function runExtraction(dependencies: ExtractionsDependencies) {
  return defineOperationJob<queries.ClaimedExtraction>({
    name: runExtractionName,
    kind: extractionKind,
    async claim(tx, extractionId) {
      const claimed = await queries.claimExtraction(tx, extractionId)
      if (claimed?.isFirstRun) await emit(tx, extractionStarted, { extractionId, platform: claimed.platform })
      return claimed
    },
    run: (claimed, slice) => run(claimed, dependencies, slice),
    isFinal: error => error instanceof CrawlFailure,
    async fail(claimed, error, { database, tenantId }) {
      await recordRunHealth(database, dependencies.portals, { ...claimed, tenantId }, error)
      await database.withTenant({ tenantId }, tx => failExtraction(tx, claimed, error))
    },
  })
}

async function run(
  claimed: queries.ClaimedExtraction,
  dependencies: ExtractionsDependencies,
  slice: Slice,
): Promise<void> {
  const { portals, http, metrics, contactUrl } = dependencies
  const { database, tenantId, signal, log } = slice
  const portal = await portals.resolve(claimed.platform, { environment: claimed.environment, tenantId })
  if (!portal)
    throw new CrawlFailure(
      'CREDENTIALS_INVALID',
      `The portal ${claimed.platform} is not configured in ${claimed.environment}.`,
    )
  const deadlineMs = machineNow() + Math.max(runTimeoutMs - claimed.startedAgoMs, resumeTimeoutMs)
  const client = await openPortalClient({
    portal,
    tenantId,
    http,
    database,
    metrics,
    contactUrl,
    signal,
    deadlineMs,
  })
  const options: ListingOptions = {
    portal,
    client,
    filters: claimed.filters,
    includeDetails: claimed.options.includeDetails,
    updateExisting: claimed.options.updateExisting,
    incremental: claimed.options.incremental,
  }
  const crawl = openCrawl(claimed, portal, client, portals)
  const checksMissing = options.incremental && canDetectMissing(portal, claimed)
  if (checksMissing && claimed.cursor === null)
    await database.withTenant({ tenantId }, tx => addKnownAsPending(tx, claimed))
  let failure: CrawlFailure | null = null
  let capacity = claimed.maxResults - claimed.leadsMatched

  const { isTruncated } = await runPipeline({
    chunks: crawl.chunks,
    capacity,
    concurrency: getConcurrency(portal),
    findKnown: chunk => findKnown(chunk, { database, tenantId, claimed, portal }),
    async read(card, known) {
      const outcome = await fetchListing(card, known, options)
      if (outcome.kind === 'failed') failure ??= outcome.failure
      return outcome
    },
    isCounted: outcome => isCounted(outcome, options),
    async store(done) {
      const stored = await storeProcessed(database, tenantId, claimed, done)
      await analyzeGrownTables(database).catch(error => {
        // The listings are stored; outdated statistics are no reason to fail.
        if (isDatabaseUnavailable(error)) throw error
        log.warn({ err: error }, 'the statistics of the tables could not be updated')
      })
      capacity -= stored.matched
      if (await slice.shouldYield()) throw new RequeueJob()
      return { isFull: stored.overQuota || capacity <= 0, uncounted: stored.uncounted }
    },
  })
  const end = crawl.end()
  const coverage = await database.readTenant({ tenantId }, tx =>
    queries.readCoverage(tx, claimed.id, !end.exhaustive),
  )
  // An unchanged feed was not read, so the run saw nothing by itself: the earlier exhaustive run stays the reference.
  let exhaustive =
    !isTruncated && !end.isUnchanged && coverage.hasSeenAll && isExhaustiveRun(portal, options, coverage)
  if (exhaustive && checksMissing)
    exhaustive = await withdrawMissingListings({
      claimed,
      portal,
      options,
      seenIds: end.seenIds,
      context: slice,
    })
  const cursor = end.validators && { requests: [], feed: { items: 0, ...end.validators } }
  const cause = await completeExtraction(database, tenantId, claimed, {
    coverage,
    exhaustive,
    cursor,
    failure,
  })
  await recordRunHealth(database, portals, { ...claimed, tenantId }, cause)
}

/**
 * Returns true if later runs may build on this one, which saw every listing of the search. For a feed or a search for changes,
 * every listing must also have been read and updated, because later runs do not see the unchanged ones again.
 */
function isExhaustiveRun(
  { definition: { search } }: ResolvedPortal,
  { updateExisting }: ListingOptions,
  { failed }: queries.Coverage,
): boolean {
  if (search.kind === 'pages' && search.coverage === 'all') return true
  return (search.kind === 'feed' || search.coverage === 'changes') && failed === 0 && updateExisting
}

/**
 * Returns true if listings missing from a complete search may be marked as withdrawn: a feed shows every listing; on other
 * portals the page of the listing shows whether it is gone.
 */
function canDetectMissing({ definition }: ResolvedPortal, { since }: queries.ClaimedExtraction): boolean {
  const { search, details } = definition
  return search.kind === 'feed' || (details !== null && (search.coverage === 'all' || since === null))
}

function openCrawl(
  claimed: queries.ClaimedExtraction,
  { definition: { id, search } }: ResolvedPortal,
  client: PortalClient,
  portals: Portals,
): Crawl {
  const { filters, cursor, options } = claimed
  const location = filters.location as { id: string } | undefined
  const place = portals.findPlace(id, location?.id ?? '')
  if (!place) throw new CrawlFailure('INTERNAL', `${id} has no location ${location?.id}.`)
  const isIncremental = options.incremental
  const since = isIncremental && claimed.since ? claimed.since.getTime() - clockSkewMaxMs : null
  const context: SearchContext = { place, since: since === null ? null : new Date(since).toISOString() }
  const known = isIncremental ? (claimed.lastFeedValidators ?? undefined) : undefined
  return search.kind === 'feed'
    ? crawlFeed(search, { client, filters, context, cursor, isIncremental, known })
    : crawlPages(search, { client, filters, context, cursor })
}

interface FindContext {
  database: Database
  tenantId: string
  claimed: queries.ClaimedExtraction
  portal: ResolvedPortal
}

/**
 * Finds the known listings of a chunk, and those that this extraction, or one that it resumes, has processed. For a campaign, it
 * keeps the others as pending.
 */
async function findKnown(
  chunk: Chunk,
  { database, tenantId, claimed, portal }: FindContext,
): Promise<{ known: Map<string, KnownListing>; processed: Set<string> }> {
  const listingIds = chunk.cards.map(({ listingId }) => listingId)
  if (listingIds.length === 0) return { known: new Map(), processed: new Set() }
  const found = await database.readTenant({ tenantId }, async tx => {
    const sources = await findKnownSources(tx, claimed.platform, listingIds)
    const validatorsValidAfter = getNow(tx).getTime() - validatorTtlMs
    const known = sources.map(
      ({ listingId, cardHash, etag, lastModified, readAt }): [string, KnownListing] => [
        listingId,
        {
          cardHash,
          isRead: readAt !== null,
          validators: readAt && readAt.getTime() > validatorsValidAfter ? { etag, lastModified } : null,
        },
      ],
    )
    const isResumed = !claimed.isFirstRun || claimed.chain.length > 1
    const processed = isResumed
      ? await queries.listProcessedIds(tx, claimed.chain, listingIds)
      : new Set<string>()
    return { known: new Map(known), processed }
  })
  if (claimed.campaignId !== null) {
    const unread = chunk.cards.filter(({ listingId }) => !found.processed.has(listingId))
    const pending = unread.map(({ listingId, path }) => ({ listingId, url: toUrl({ path }, portal.baseUrl) }))
    await database.withTenant({ tenantId }, tx => addPending(tx, claimed, pending))
  }
  return found
}

/** Returns true if the outcome counts towards `maxResults`. An incremental run does not count unchanged listings. */
function isCounted(outcome: Outcome, { incremental }: ListingOptions): boolean {
  return outcome.kind === 'listing' || (outcome.kind === 'unchanged' && !incremental)
}
