/** Records the health of a portal after each run; `GET /platforms` shows it as `available` or `degraded`. */
import { CrawlFailure } from '../../crawl/failure.ts'
import { recordPortalHealth } from '../../crawl/portal-health.ts'
import type { Database } from '../../kit/db/index.ts'
import type { Portals, PortalTenant } from '../platforms/service.ts'
import type { ClaimedExtraction } from './run-queries.ts'

/** Failures caused by the portal, not by the request or by us. */
const portalFailureCodes = new Set([
  'BLOCKED',
  'LAYOUT_CHANGED',
  'PORTAL_UNAVAILABLE',
  'TIMEOUT',
  'CREDENTIALS_INVALID',
])

/** Records the end of a run. `cause`: why it failed; null: it succeeded. */
export async function recordRunHealth(
  database: Database,
  portals: Portals,
  { platform, environment, tenantId }: Pick<ClaimedExtraction, 'platform'> & PortalTenant,
  cause: unknown,
): Promise<void> {
  const portal = await portals.resolve(platform, { environment, tenantId })
  if (!portal) return
  const code = cause === null ? null : cause instanceof CrawlFailure ? cause.code : 'INTERNAL'
  if (code !== null && !portalFailureCodes.has(code)) return
  await recordPortalHealth(database, portal.baseUrl, code)
}
