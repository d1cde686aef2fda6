/** How a portal is doing, as the last runs found it: what `GET /platforms` calls available or degraded. */
import { sql } from 'kysely'
import { CrawlFailure } from '../../crawl/failure.ts'
import type { Database } from '../../kit/db/index.ts'
import type { Portals } from '../platforms/service.ts'
import type { ClaimedExtraction } from './run-queries.ts'

/** Failures that tell of the portal, and not of what was asked or of us. */
const telling = new Set(['BLOCKED', 'LAYOUT_CHANGED', 'PORTAL_UNAVAILABLE', 'TIMEOUT', 'CREDENTIALS_INVALID'])

/** Notes how a run ended; `cause` is null if it ended well. */
export async function recordHealth(
  database: Database,
  portals: Portals,
  { platform, environment }: Pick<ClaimedExtraction, 'platform' | 'environment'>,
  cause: unknown,
): Promise<void> {
  const portal = await portals.open(platform, environment)
  if (!portal) return
  const code = cause === null ? null : cause instanceof CrawlFailure ? cause.code : 'INTERNAL'
  if (code !== null && !telling.has(code)) return
  await sql`
    insert into portal_pace as p (origin, next_at, succeeded_at, failed_at, failure_code)
    values (${portal.baseUrl}, clock_timestamp(), case when ${code}::text is null then now() end,
      case when ${code}::text is not null then now() end, ${code}::text)
    on conflict (origin) do update set succeeded_at = coalesce(excluded.succeeded_at, p.succeeded_at),
      failed_at = coalesce(excluded.failed_at, p.failed_at), failure_code = coalesce(excluded.failure_code, p.failure_code)`.execute(
    database.outside,
  )
}
