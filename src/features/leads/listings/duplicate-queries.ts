/** The SQL statements for possible duplicates: leads that may be about the same property. */

import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { fetchPage, jsonObject, jsonObjectText, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'

/** Two leads; the order does not matter. */
export interface Pair {
  leadId: string
  otherLeadId: string
}

export interface DuplicatePair extends Pair {
  /** The evidence in bits, from 0. */
  score: number
  /** The evidence for and against the same property, in words. */
  reason: string
}

/** Existing pairs are not changed, not even dismissed ones. */
export async function insertDuplicates(tx: Tx, duplicates: DuplicatePair[]): Promise<void> {
  if (duplicates.length === 0) return
  await sql`
    insert into lead_duplicates (tenant_id, lead_id, other_lead_id, score, reason, created_at)
    select ${getTenantId(tx)}::uuid, least(i."leadId", i."otherLeadId"), greatest(i."leadId", i."otherLeadId"), score, reason, ${getNow(tx)}
    from jsonb_to_recordset(${JSON.stringify(duplicates)}::jsonb)
      as i ("leadId" uuid, "otherLeadId" uuid, score float8, reason text)
    on conflict do nothing`.execute(tx)
}

const lead = jsonObjectText('l.id, l.title, l.address, trim_scale(l.price) as price')
const duplicateJson = jsonObject(
  `${lead} as lead, k.score, k.reason, aldaba.iso_time(k.created_at) as "createdAt"`,
)

/** A page of JSON of `Duplicate`, most similar first, without dismissed pairs. */
export function listDuplicates(tx: Tx, leadId: string, limit: number, after: Position | null): Promise<Page> {
  const rows = sql<ListRow>`
    select ${duplicateJson} as json, array[k.score::text, l.id::text] as position
    from (
      select other_lead_id as id, score, reason, created_at from lead_duplicates
      where tenant_id = ${getTenantId(tx)} and lead_id = ${leadId} and dismissed_at is null
      union all
      select lead_id, score, reason, created_at from lead_duplicates
      where tenant_id = ${getTenantId(tx)} and other_lead_id = ${leadId} and dismissed_at is null) k
    join leads l on l.tenant_id = ${getTenantId(tx)} and l.id = k.id
    where ${after ? sql`(-k.score, k.id) > (-${after[0]}::float8, ${after[1]}::uuid)` : sql`true`}
    order by k.score desc, k.id limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}

/** Marks a pair as distinct. Returns false if there is no such pair or it was dismissed already. */
export async function dismissDuplicate(tx: Tx, { leadId, otherLeadId }: Pair): Promise<boolean> {
  const result = await sql`
    update lead_duplicates set dismissed_at = ${getNow(tx)}
    where tenant_id = ${getTenantId(tx)} and lead_id = least(${leadId}::uuid, ${otherLeadId}::uuid)
      and other_lead_id = greatest(${leadId}::uuid, ${otherLeadId}::uuid) and dismissed_at is null`.execute(
    tx,
  )
  return (result.numAffectedRows ?? 0n) > 0n
}
