/** How a portal is doing, as the last runs found it: what `GET /platforms` calls available or degraded. */
import { CrawlFailure } from '../../crawl/failure.ts'
import { notePortalHealth } from '../../crawl/portal-health.ts'
import type { Database } from '../../kit/db/index.ts'
import type { Portals, PortalVisitor } from '../platforms/service.ts'
import type { ClaimedExtraction } from './run-queries.ts'

/** Failures that tell of the portal, and not of what was asked or of us. */
const telling = new Set(['BLOCKED', 'LAYOUT_CHANGED', 'PORTAL_UNAVAILABLE', 'TIMEOUT', 'CREDENTIALS_INVALID'])

/** Notes how a run ended; `cause` is null if it ended well. */
export async function recordHealth(
  database: Database,
  portals: Portals,
  { platform, environment, tenantId }: Pick<ClaimedExtraction, 'platform'> & PortalVisitor,
  cause: unknown,
): Promise<void> {
  const portal = await portals.open(platform, { environment, tenantId })
  if (!portal) return
  const code = cause === null ? null : cause instanceof CrawlFailure ? cause.code : 'INTERNAL'
  if (code !== null && !telling.has(code)) return
  await notePortalHealth(database, portal.baseUrl, code)
}
