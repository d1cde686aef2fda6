/** The health of portals, as recorded by the last runs. */
import { sqlMachineNow } from '../kit/clock/clock.ts'
import type { Database } from '../kit/db/index.ts'
import { sql } from '../kit/db/index.ts'

/** Records that the portal at this origin was read successfully now, or failed with `failureCode`. */
export async function recordPortalHealth(
  database: Database,
  origin: string,
  failureCode: string | null,
): Promise<void> {
  await sql`
    insert into portal_health as p (origin, succeeded_at, failed_at, failure_code)
    values (${origin}, case when ${failureCode}::text is null then ${sqlMachineNow} end,
      case when ${failureCode}::text is not null then ${sqlMachineNow} end, ${failureCode}::text)
    on conflict (origin) do update set succeeded_at = coalesce(excluded.succeeded_at, p.succeeded_at),
      failed_at = coalesce(excluded.failed_at, p.failed_at), failure_code = coalesce(excluded.failure_code, p.failure_code)`.execute(
    database.unscoped,
  )
}
