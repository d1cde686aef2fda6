/** What other features ask of the engine: how much a search finds, by the portal's own count. */
import { RequeueJob } from '../kit/jobs/job.ts'
import type { SearchContext } from '../plugins/portal.ts'
import { crawlPages } from './crawl.ts'
import { CrawlFailure } from './failure.ts'
import { openPortalClient, type PortalClientOptions } from './portal-client.ts'

export interface ResultCount
  extends Pick<
    PortalClientOptions,
    'portal' | 'tenantId' | 'http' | 'database' | 'metrics' | 'contactUrl' | 'signal'
  > {
  /** As the portal's schema has them, defaults filled in. */
  filters: Record<string, unknown>
  context: SearchContext
}

/** Nobody waits for longer, however many are in turn before. */
const answerMaxMs = 15_000

/**
 * Asks a portal how many adverts a search finds, by reading its first page; null if the portal does not tell. A feed tells
 * none of its own, and is not asked. Throws only if `signal` is aborted, or for what nobody foresaw.
 */
export async function countResults({
  filters,
  context,
  ...options
}: ResultCount): Promise<{ total: number | null } | { failure: CrawlFailure }> {
  const { search } = options.portal.definition
  if (search.kind === 'feed') return { total: null }
  const createTimeout = AbortSignal.timeout(answerMaxMs)
  const signal = AbortSignal.any([options.signal, createTimeout])
  try {
    const client = await openPortalClient({ ...options, signal, isInteractive: true })
    const { chunks } = crawlPages(search, { client, filters, context, cursor: null })
    const { value: first } = await chunks.next()
    return { total: first?.reportedTotal ?? null }
  } catch (error) {
    if (error instanceof CrawlFailure) return { failure: error }
    if (!(error instanceof RequeueJob) || options.signal.aborted) throw error
    return {
      failure: createTimeout.aborted
        ? new CrawlFailure('TIMEOUT', `The portal did not answer within ${answerMaxMs / 1000} s.`)
        : new CrawlFailure('PORTAL_UNAVAILABLE', 'The portal has asked not to be read for now.'),
    }
  }
}
