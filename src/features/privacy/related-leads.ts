/** Leads that have to do with those of a person: absorbed by them, or with one of their identifiers once. */
import { type RawBuilder, sql } from 'kysely'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/** The leads that a lead has absorbed, and those that these had, as a table `family (id)` with itself. */
export const familyOf = (tx: Tx, leadIds: string[]) => sql`
  with recursive family (id) as (
    select unnest(${leadIds}::uuid[])
    union select m.absorbed_id from lead_merges m join family f on m.lead_id = f.id where m.tenant_id = ${tenantIdOf(tx)} and m.undone_at is null)`

/** These leads, and those that they have absorbed. */
export async function findFamily(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${familyOf(tx, leadIds)} select id from family`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Leads that had one of these identifiers once, but for `leadIds`. */
async function findFormerLeads(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from former_identifiers
    where tenant_id = ${tenantIdOf(tx)} and value = any(${identifiers}::text[]) and lead_id <> all(${leadIds}::uuid[])`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Leads that were absorbed by any of these while they had one of these identifiers, and have not been parted from it. */
async function findAbsorbedWith(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${familyOf(tx, leadIds)}
    select absorbed_id as id from lead_merges
    where tenant_id = ${tenantIdOf(tx)} and lead_id in (select id from family) and undone_at is null and (
      absorbed ->> 'phone' = any(${identifiers}::text[]) or absorbed ->> 'email' = any(${identifiers}::text[])
      or absorbed -> 'identifiers' ?| ${identifiers}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Of what merges and imports changed. */
export const columnsOfPeople = [
  'contact_name',
  'phone',
  'phone_raw',
  'email',
  'identifiers',
  'custom_fields',
  'lawful_basis_proof',
]

/** Since when: since the first event that tells of it, unless by then the lead had it already. */
export function formerLeads(tx: Tx, identifiers: string[], leadIds: string[]): RawBuilder<unknown> {
  const tells = (which: 'before' | 'after') => sql`exists (
    select from jsonb_path_query(e.data, ${`$.changes[*].${which}.**`}::jsonpath) value
    where value #>> '{}' = any(${identifiers}::text[]))`
  return sql`(
    select f.lead_id, max(f.until) as until, coalesce((
      select case when ${tells('before')} then '-infinity' else e.created_at end from events e
      where e.tenant_id = ${tenantIdOf(tx)} and e.lead_id = f.lead_id and e.data ? 'changes' and (${tells('before')} or ${tells('after')})
      order by e.id limit 1), '-infinity') as since
    from former_identifiers f
    where f.tenant_id = ${tenantIdOf(tx)} and f.value = any(${identifiers}::text[]) and f.lead_id <> all(${leadIds}::uuid[])
    group by f.lead_id)`
}

/** `family`: these leads, those that they absorbed, and those absorbed by `former` while they had one of the identifiers. */
export async function findRelatedLeads(
  tx: Tx,
  leadIds: string[],
  identifiers: string[],
): Promise<{ family: string[]; former: string[] }> {
  const former = await findFormerLeads(tx, identifiers, leadIds)
  const absorbed = await findAbsorbedWith(tx, identifiers, former)
  return { former, family: await findFamily(tx, [...leadIds, ...absorbed]) }
}
