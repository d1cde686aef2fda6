/** Leads that are related to those of a person: absorbed by them, or with one of the identifiers in the past. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/**
 * SQL: a "with" clause for `merge_tree (id)`: these leads and all leads that they have absorbed, directly or through
 * others.
 */
export const mergeTreeCte = (tx: Tx, leadIds: string[]) => sql`
  with recursive merge_tree (id) as (
    select unnest(${leadIds}::uuid[])
    union select m.absorbed_id from lead_merges m join merge_tree f on m.lead_id = f.id where m.tenant_id = ${getTenantId(tx)} and m.undone_at is null)`

/** These leads and all leads that they have absorbed. */
export async function findMergeTree(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${mergeTreeCte(tx, leadIds)} select id from merge_tree`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Other leads than `leadIds` that had one of these identifiers once. */
async function findFormerLeads(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from former_identifiers
    where tenant_id = ${getTenantId(tx)} and value = any(${identifiers}::text[]) and lead_id <> all(${leadIds}::uuid[])`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Leads with one of these identifiers that were absorbed by any of these leads and have not been unmerged. */
async function findAbsorbedByIdentifier(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${mergeTreeCte(tx, leadIds)}
    select absorbed_id as id from lead_merges
    where tenant_id = ${getTenantId(tx)} and lead_id in (select id from merge_tree) and undone_at is null and (
      absorbed ->> 'phone' = any(${identifiers}::text[]) or absorbed ->> 'email' = any(${identifiers}::text[])
      or absorbed -> 'identifiers' ?| ${identifiers}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The columns with personal data, in the changes of merges and imports. */
export const personColumns = [
  'contact_name',
  'phone',
  'phone_raw',
  'email',
  'identifiers',
  'custom_fields',
  'lawful_basis_proof',
]

/**
 * SQL: a table (lead_id, since, until) of other leads than `leadIds` that had one of the identifiers. `since`: the
 * first event that shows the identifier as a new value; -infinity if the lead had it from the beginning.
 */
export function formerLeadsTable(tx: Tx, identifiers: string[], leadIds: string[]): RawBuilder<unknown> {
  const mentions = (which: 'before' | 'after') => sql`exists (
    select from jsonb_path_query(e.data, ${`$.changes[*].${which}.**`}::jsonpath) value
    where value #>> '{}' = any(${identifiers}::text[]))`
  return sql`(
    select f.lead_id, max(f.used_until) as until, coalesce((
      select case when ${mentions('before')} then '-infinity' else e.created_at end from events e
      where e.tenant_id = ${getTenantId(tx)} and e.lead_id = f.lead_id and e.data ? 'changes' and (${mentions('before')} or ${mentions('after')})
      order by e.id limit 1), '-infinity') as since
    from former_identifiers f
    where f.tenant_id = ${getTenantId(tx)} and f.value = any(${identifiers}::text[]) and f.lead_id <> all(${leadIds}::uuid[])
    group by f.lead_id)`
}

/**
 * `former`: other leads that had one of the identifiers once. `mergeTree`: these leads, the leads they absorbed, and
 * leads with one of the identifiers that `former` leads absorbed.
 */
export async function findRelatedLeads(
  tx: Tx,
  leadIds: string[],
  identifiers: string[],
): Promise<{ mergeTree: string[]; former: string[] }> {
  const former = await findFormerLeads(tx, identifiers, leadIds)
  const absorbed = await findAbsorbedByIdentifier(tx, identifiers, former)
  return { former, mergeTree: await findMergeTree(tx, [...leadIds, ...absorbed]) }
}
