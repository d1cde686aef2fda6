/** Finds the leads that others were merged into. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { notFound, Problem } from '../../../kit/problem.ts'
import { mergeTreeCte } from '../../privacy/service.ts'

/**
 * The lead that a merged lead is part of now, which may be deleted itself; null: it was not merged. Follows up to 100
 * merges.
 */
export async function findMergedInto(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive path (id, step) as (
      select ${leadId}::uuid, 0
      union all select m.lead_id, p.step + 1 from lead_merges m join path p on m.absorbed_id = p.id
      where m.tenant_id = ${getTenantId(tx)} and m.undone_at is null and p.step < 100)
    select id from path where step > 0 order by step desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** The 404 for a missing lead; names the lead that it was merged into, if any. */
export async function createLeadNotFound(tx: Tx, leadId: string): Promise<Problem> {
  const mergedInto = await findMergedInto(tx, leadId)
  return mergedInto === null ? notFound('lead') : createLeadMerged(mergedInto)
}

function createLeadMerged(mergedInto: string): Problem {
  return new Problem('NOT_FOUND', `This lead was merged into the lead ${mergedInto}.`, {
    details: { mergedIntoLeadId: mergedInto },
  })
}

/** By external id of a merged lead, the lead that it is part of now, which may be deleted itself. */
export async function findMergedByExternalId(tx: Tx, externalIds: string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ externalId: string; absorbedId: string }>`
    select absorbed ->> 'external_id' as "externalId", absorbed_id as "absorbedId" from lead_merges
    where tenant_id = ${getTenantId(tx)} and absorbed ->> 'external_id' = any(${externalIds}::text[]) and undone_at is null`.execute(
    tx,
  )
  const merged = new Map<string, string>()
  for (const { externalId, absorbedId } of rows) {
    const into = await findMergedInto(tx, absorbedId)
    if (into !== null) merged.set(externalId, into)
  }
  return merged
}

/** The 404 for an external id that no lead has; names the lead that its lead was merged into, if any. */
export async function createExternalIdNotFound(tx: Tx, externalId: string): Promise<Problem> {
  const mergedInto = (await findMergedByExternalId(tx, [externalId])).get(externalId)
  return mergedInto
    ? createLeadMerged(mergedInto)
    : new Problem('NOT_FOUND', 'There is no lead with this external id.')
}

/** Deletes the merges of these leads and of those that they absorbed; for leads that are deleted. */
export async function deleteMerges(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`
    ${mergeTreeCte(tx, leadIds)}
    delete from lead_merges where tenant_id = ${getTenantId(tx)} and lead_id in (select id from merge_tree)`.execute(
    tx,
  )
}
