/** Runs an extraction: reads what it finds while it stores what it has read, and goes on where it was left. */

import { CrawlFailure } from '../../crawl/failure.ts'
import type { OpenPortal } from '../../crawl/open-portal.ts'
import { concurrencyOf } from '../../crawl/pace.ts'
import { runPipeline } from '../../crawl/pipeline.ts'
import { openPortalClient, type PortalClient } from '../../crawl/portal-client.ts'
import { type AdvertOptions, type Known, type Outcome, readAdvert } from '../../crawl/read-advert.ts'
import { type Chunk, type Walk, walkFeed, walkPages } from '../../crawl/walk.ts'
import { machineNow, nowOf } from '../../kit/clock/clock.ts'
import { type Database, isDatabaseAway } from '../../kit/db/index.ts'
import { keepStatistics } from '../../kit/db/statistics.ts'
import { emit } from '../../kit/events/emit.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import { HandBack } from '../../kit/jobs/job.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { operationJob, type Slice } from '../../kit/operations/run.ts'
import type { SearchContext } from '../../plugins/portal.ts'
import { lookUpSources } from '../leads/service.ts'
import type { Portals } from '../platforms/service.ts'
import { complete, endFailed } from './ending.ts'
import { extractionStarted } from './events.ts'
import { recordHealth } from './health.ts'
import { findMissing } from './missing.ts'
import { extractionKind, runExtractionName } from './operation.ts'
import * as queries from './run-queries.ts'
import { storeDone } from './store.ts'

export interface ExtractionsDependencies {
  portals: Portals
  http: HttpClient
  metrics: Metrics
  contactUrl: string
}

/** A portal that puts us off for longer than this after the start is one that can't be read. */
const patienceMs = 24 * 3_600_000
const patienceLeftMs = 3_600_000
/** A portal's clock may be so far behind ours: what it says has changed since then is asked for, and known adverts stay known. */
const clockSkewMaxMs = 10 * 60_000
/** Validators vouch for a page for so long: then it is read anew, in case we read it wrongly before. */
const trustMs = 7 * 24 * 3_600_000

export function runExtraction(dependencies: ExtractionsDependencies) {
  return operationJob<queries.ClaimedExtraction>({
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
      await recordHealth(database, dependencies.portals, { ...claimed, tenantId }, error)
      await database.withTenant({ tenantId }, tx => endFailed(tx, claimed, error))
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
  const portal = await portals.open(claimed.platform, { environment: claimed.environment, tenantId })
  if (!portal)
    throw new CrawlFailure(
      'CREDENTIALS_INVALID',
      `The portal ${claimed.platform} is not configured in ${claimed.environment}.`,
    )
  // Whoever has been at it for a day has an hour's patience left each time.
  const giveUpAtMs = machineNow() + Math.max(patienceMs - claimed.startedAgoMs, patienceLeftMs)
  const client = await openPortalClient({
    ...{ portal, tenantId, http, database, metrics, contactUrl, signal, giveUpAtMs },
  })
  const options: AdvertOptions = {
    ...{ portal, client, filters: claimed.filters },
    ...{ includeDetails: claimed.options.includeDetails, updateExisting: claimed.options.updateExisting },
    incremental: claimed.options.incremental,
  }
  const walk = openWalk(claimed, portal, client, portals)
  let failure: CrawlFailure | null = null
  let room = claimed.maxResults - claimed.leadsMatched

  const { isCut } = await runPipeline({
    chunks: walk.chunks,
    room,
    concurrency: concurrencyOf(portal),
    lookUp: chunk => lookUp(database, tenantId, claimed, chunk),
    async read(card, known) {
      const outcome = await readAdvert(card, known, options)
      if (outcome.kind === 'failed') failure ??= outcome.failure
      return outcome
    },
    counts: outcome => isCounted(outcome, options),
    async store(done) {
      const stored = await storeDone(database, tenantId, claimed, done)
      await keepStatistics(database).catch(error => {
        // What is stored is stored; a slow plan is no reason to fail.
        if (isDatabaseAway(error)) throw error
        log.warn({ err: error }, 'the statistics of the tables could not be kept')
      })
      room -= stored.matched
      if (await slice.isOver()) throw new HandBack()
      return { isFull: stored.overQuota || room <= 0, uncounted: stored.uncounted }
    },
  })
  const end = walk.end()
  const coverage = await database.readTenant({ tenantId }, tx =>
    queries.readCoverage(tx, claimed.id, !end.isComplete),
  )
  // A feed that is as it was leaves what was known as it is: it settles nothing anew.
  let covered = !isCut && !end.isUnchanged && coverage.isEveryoneMet && isSettling(portal, options, coverage)
  if (covered && options.incremental && showsMissing(portal, claimed))
    covered = await findMissing({ claimed, portal, options, present: end.present, context: slice })
  const cursor = end.validators && { requests: [], feed: { items: 0, ...end.validators } }
  const cause = await complete(database, tenantId, claimed, { coverage, covered, cursor, failure })
  await recordHealth(database, portals, { ...claimed, tenantId }, cause)
}

/** Whether later runs may count on a run that met everyone: those that ask for changes alone, if nothing was left unread. */
function isSettling(
  { definition: { search } }: OpenPortal,
  { updateExisting }: AdvertOptions,
  { failed }: queries.Coverage,
): boolean {
  if (search.kind === 'pages' && search.covers === 'all') return true
  return (search.kind === 'feed' || search.covers === 'changes') && failed === 0 && updateExisting
}

/** Whether what the whole search did not show can be told to be gone: a feed shows all there is, an advert's page tells. */
function showsMissing({ definition }: OpenPortal, { since }: queries.ClaimedExtraction): boolean {
  const { search, details } = definition
  return search.kind === 'feed' || (details !== null && (search.covers === 'all' || since === null))
}

function openWalk(
  claimed: queries.ClaimedExtraction,
  { definition: { id, search } }: OpenPortal,
  client: PortalClient,
  portals: Portals,
): Walk {
  const { filters, cursor, options } = claimed
  const location = filters.location as { id: string } | undefined
  const place = portals.placeOf(id, location?.id ?? '')
  if (!place) throw new CrawlFailure('INTERNAL', `${id} has no location ${location?.id}.`)
  const isIncremental = options.incremental
  const since = isIncremental && claimed.since ? claimed.since.getTime() - clockSkewMaxMs : null
  const context: SearchContext = { place, since: since === null ? null : new Date(since).toISOString() }
  const known = isIncremental ? (claimed.feedKnown ?? undefined) : undefined
  return search.kind === 'feed'
    ? walkFeed(search, { client, filters, context, cursor, isIncremental, known })
    : walkPages(search, { client, filters, context, cursor })
}

/** What is known of a chunk's adverts, and which this extraction, or one that it goes on with, has dealt with. */
async function lookUp(
  database: Database,
  tenantId: string,
  claimed: queries.ClaimedExtraction,
  chunk: Chunk,
): Promise<{ known: Map<string, Known>; dealtWith: Set<string> }> {
  const listingIds = chunk.cards.map(({ listingId }) => listingId)
  if (listingIds.length === 0) return { known: new Map(), dealtWith: new Set() }
  return database.readTenant({ tenantId }, async tx => {
    const sources = await lookUpSources(tx, claimed.platform, listingIds)
    const trustedAfter = nowOf(tx).getTime() - trustMs
    const known = sources.map(({ listingId, cardHash, etag, lastModified, readAt }): [string, Known] => [
      listingId,
      {
        cardHash,
        isRead: readAt !== null,
        validators: readAt && readAt.getTime() > trustedAfter ? { etag, lastModified } : null,
      },
    ])
    const isResumed = !claimed.isFirstRun || claimed.chain.length > 1
    const dealtWith = isResumed
      ? await queries.listDealtWith(tx, claimed.chain, listingIds)
      : new Set<string>()
    return { known: new Map(known), dealtWith }
  })
}

/** `maxResults` caps leads, known ones too; an incremental run asks only for those that are new or have changed. */
function isCounted(outcome: Outcome, { incremental }: AdvertOptions): boolean {
  return outcome.kind === 'listing' || (outcome.kind === 'unchanged' && !incremental)
}
