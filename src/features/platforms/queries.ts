/** Every SQL statement about portals. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

/** Of these origins, those whose last run failed within the hour or that are read at two thirds of their pace or less. */
export async function listTroubledOrigins(tx: Tx, origins: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ origin: string }>`
    select origin from portal_pace
    where origin = any(${origins}::text[])
      and (failed_at > greatest(coalesce(succeeded_at, '-infinity'), now() - interval '1 hour')
        or slowness(slow_factor, slowed_at) >= 1.5)`.execute(tx)
  return new Set(rows.map(({ origin }) => origin))
}
