/** Validates filters, and requests the number of results from the portal. */

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
  /** URL in the user agent, at which portal operators find who crawls them. */
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

/** Validates filters; if they are valid and the portal is configured, requests the number of results from it. */
export async function validateFilters(
  { portals, ...dependencies }: PlatformsDependencies,
  { platform, filters, environment, tenantId, database, signal }: ValidationRequest,
): Promise<FilterValidation> {
  const { errors, warnings, normalized } = checkFilters(portals, platform, filters)
  const listed = errors.slice(0, listedErrorsMax)
  const result = { valid: normalized !== null, errors: listed, normalizedFilters: normalized }
  if (errors.length > listed.length)
    warnings.push(toWarning('MORE_ERRORS', `${errors.length - listed.length} more errors are not listed.`))
  const withoutCount = (...more: InputError[]) => ({
    ...result,
    warnings: [...warnings, ...more],
    searchUrl: null,
    expectedResults: null,
  })
  if (!normalized) return withoutCount()
  const portal = await portals.resolve(platform, { environment, tenantId })
  if (!portal)
    return withoutCount(
      toWarning('PORTAL_UNCONFIGURED', portals.findUnavailableReason(platform, environment)!),
    )
  const { id } = normalized.location as { id: string }
  const context: SearchContext = { place: portals.findPlace(platform, id)!, since: null }
  const { path } = toFirstRequest(portal.definition, normalized, context)
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
    return { ...withoutCount(toWarning(code, `The number of results is unknown. ${message}`)), searchUrl }
  }
  const { total } = count
  if (total === null)
    return {
      ...withoutCount(toWarning('NO_COUNT', 'The portal does not report the number of results.')),
      searchUrl,
    }
  return { ...result, warnings, searchUrl, expectedResults: total }
}

/** A warning about the search as a whole, not about one filter. */
const toWarning = (code: string, message: string): InputError => ({ path: '', code, message })

function toFirstRequest({ search }: PortalDefinition, filters: Filters, context: SearchContext) {
  return search.kind === 'feed' ? search.request(filters, context) : search.start(filters, context)
}
