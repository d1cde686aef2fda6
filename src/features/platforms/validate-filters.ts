/** What would come of a search: whether its filters are understood, where it begins, and how much the portal says it finds. */

import { countResults } from '../../crawl/count-results.ts'
import type { Database, Environment } from '../../kit/db/index.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { type InputError, listedErrorsMax } from '../../kit/problem.ts'
import type { PortalDefinition, SearchContext } from '../../plugins/portal.ts'
import type { Portals } from './portals.ts'
import type { FilterValidation } from './schemas.ts'
import { checkFilters } from './service.ts'

export interface PlatformsDependencies {
  portals: Portals
  http: HttpClient
  metrics: Metrics
  /** Where a portal's people read who we are. */
  contactUrl: string
}

type Filters = Record<string, unknown>

export interface ValidationRequest {
  platform: string
  filters: Filters
  environment: Environment
  tenantId: string
  database: Database
  signal: AbortSignal
}

/** Checks filters; those that are valid are taken to the portal, if it is configured, to ask how much they find. */
export async function validateFilters(
  { portals, ...dependencies }: PlatformsDependencies,
  { platform, filters, environment, tenantId, database, signal }: ValidationRequest,
): Promise<FilterValidation> {
  const { errors, warnings, normalized } = checkFilters(portals, platform, filters)
  const listed = errors.slice(0, listedErrorsMax)
  const checked = { valid: normalized !== null, errors: listed, normalizedFilters: normalized }
  if (errors.length > listed.length)
    warnings.push(warning('MORE_ERRORS', `${errors.length - listed.length} more errors are not listed.`))
  const withoutCount = (...more: InputError[]) => ({
    ...checked,
    warnings: [...warnings, ...more],
    searchUrl: null,
    expectedResults: null,
  })
  if (!normalized) return withoutCount()
  const portal = await portals.open(platform, { environment, tenantId })
  if (!portal)
    return withoutCount(warning('PORTAL_UNCONFIGURED', portals.findUnavailableReason(platform, environment)!))
  const { id } = normalized.location as { id: string }
  const context: SearchContext = { place: portals.findPlace(platform, id)!, since: null }
  const { path } = firstRequest(portal.definition, normalized, context)
  const searchUrl = new URL(path, portal.baseUrl).href
  const count = await countResults({
    ...dependencies,
    portal,
    tenantId,
    database,
    signal,
    filters: normalized,
    context,
  })
  if ('failure' in count) {
    const { code, message } = count.failure
    return { ...withoutCount(warning(code, `How much it finds is not known. ${message}`)), searchUrl }
  }
  const { total } = count
  if (total === null)
    return {
      ...withoutCount(warning('NO_COUNT', 'The portal does not tell how much a search finds.')),
      searchUrl,
    }
  return { ...checked, warnings, searchUrl, expectedResults: total }
}

/** Of the search as a whole, not of one filter. */
const warning = (code: string, message: string): InputError => ({ path: '', code, message })

function firstRequest({ search }: PortalDefinition, filters: Filters, context: SearchContext) {
  return search.kind === 'feed' ? search.request(filters, context) : search.start(filters, context)
}
