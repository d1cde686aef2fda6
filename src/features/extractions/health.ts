/** How a portal is doing, as the last runs found it: what `GET /platforms` calls available or degraded. */
import { CrawlFailure } from '../../crawl/failure.ts'
import { recordPortalHealth } from '../../crawl/portal-health.ts'
import type { Database } from '../../kit/db/index.ts'
import type { Portals, PortalTenant } from '../platforms/service.ts'
import type { ClaimedExtraction } from './run-queries.ts'

/** Failures that tell of the portal, and not of what was asked or of us. */
const portalFailureCodes = new Set([
  'BLOCKED',
  'LAYOUT_CHANGED',
  'PORTAL_UNAVAILABLE',
  'TIMEOUT',
  'CREDENTIALS_INVALID',
])

/** Notes how a run ended; `cause` is null if it ended well. */
export async function recordRunHealth(
  database: Database,
  portals: Portals,
  { platform, environment, tenantId }: Pick<ClaimedExtraction, 'platform'> & PortalTenant,
  cause: unknown,
): Promise<void> {
  const portal = await portals.open(platform, { environment, tenantId })
  if (!portal) return
  const code = cause === null ? null : cause instanceof CrawlFailure ? cause.code : 'INTERNAL'
  if (code !== null && !portalFailureCodes.has(code)) return
  await recordPortalHealth(database, portal.baseUrl, code)
}
