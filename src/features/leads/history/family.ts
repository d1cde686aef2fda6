/** Which leads have become one. */
import { sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'

/** The leads that a lead has absorbed, and those that these had, as a table `family (id)` with itself. */
export const familyOf = (leadIds: string[]) => sql`
  with recursive family (id) as (
    select unnest(${leadIds}::uuid[])
    union select m.absorbed_id from lead_merges m join family f on m.lead_id = f.id where m.undone_at is null)`

/** Of a lead that is there no more: the one that it was merged into, whatever became of that. */
export async function findMergedInto(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive path (id, step) as (
      select ${leadId}::uuid, 0
      union all select m.lead_id, p.step + 1 from lead_merges m join path p on m.absorbed_id = p.id
      where m.undone_at is null and p.step < 100)
    select id from path where step > 0 order by step desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Forgets what these leads have absorbed; for leads that are deleted. */
export async function forgetMerges(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`${familyOf(leadIds)} delete from lead_merges where lead_id in (select id from family)`.execute(tx)
}
