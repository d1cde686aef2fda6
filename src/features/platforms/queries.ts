/** The SQL statements of portals. */
import { sql } from 'kysely'
import { sqlMachineNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'

/**
 * Returns the origins in trouble: their last run failed within the hour, or they are read at two thirds of their normal pace
 * or less (a slow factor of 1.5 or more).
 */
export async function listTroubledOrigins(tx: Tx, origins: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ origin: string }>`
    select origin from unnest(${origins}::text[]) origin
    left join portal_health h using (origin) left join throttles t on t.key = origin
    where h.failed_at > greatest(coalesce(h.succeeded_at, '-infinity'), ${sqlMachineNow} - interval '1 hour')
      or current_slow_factor(t.slow_factor, t.slowed_at) >= 1.5`.execute(tx)
  return new Set(rows.map(({ origin }) => origin))
}
