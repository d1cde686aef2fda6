/** Counts the results of a search without extracting them, by the portal's own total. */
import { RequeueJob } from '../kit/jobs/job.ts'
import type { SearchContext } from '../plugins/portal.ts'
import { crawlPages } from './crawl.ts'
import { CrawlFailure } from './failure.ts'
import { openPortalClient, type PortalClientOptions } from './portal-client.ts'

export interface CountOptions
  extends Pick<
    PortalClientOptions,
    'portal' | 'tenantId' | 'http' | 'database' | 'metrics' | 'contactUrl' | 'signal'
  > {
  /** Validated by the portal's schema, with defaults filled in. */
  filters: Record<string, unknown>
  context: SearchContext
}

/** The longest wait for the portal, including its throttle. */
const timeoutMs = 15_000

/**
 * Reads the first page of a search and returns the portal's total. `total` is null if the page shows none, and for
 * feeds, which have no total and are not fetched. Returns failures of the portal. Throws RequeueJob if `signal` is
 * aborted.
 */
export async function countResults({
  filters,
  context,
  ...options
}: CountOptions): Promise<{ total: number | null } | { failure: CrawlFailure }> {
  const { search } = options.portal.definition
  if (search.kind === 'feed') return { total: null }
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([options.signal, timeout])
  try {
    const client = await openPortalClient({ ...options, signal, isInteractive: true })
    const { chunks } = crawlPages(search, { client, filters, context, cursor: null })
    const { value: firstChunk } = await chunks.next()
    return { total: firstChunk?.reportedTotal ?? null }
  } catch (error) {
    if (error instanceof CrawlFailure) return { failure: error }
    if (!(error instanceof RequeueJob) || options.signal.aborted) throw error
    return {
      failure: timeout.aborted
        ? new CrawlFailure('TIMEOUT', `The portal did not answer within ${timeoutMs / 1000} s.`)
        : new CrawlFailure(
            'PORTAL_UNAVAILABLE',
            'The portal accepts no requests at the moment. Try again later.',
          ),
    }
  }
}
