/**
 * What the history of leads tells of their people, and how it ceases to. An event about a person names their lead as
 * `leadId`, and what it tells in words stands in its `changes` alone: so events are found by their leads.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kit/db/index.ts'
import { familyOf } from '../history/family.ts'

/** These leads, and those that they have absorbed. */
export async function findFamily(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${familyOf(leadIds)} select id from family`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Events of deleted leads, `family` being those with what they had absorbed, keep who did something when, and not what was said. */
export async function emptyHistory(tx: Tx, family: string[]): Promise<void> {
  await emptyShared(tx, family)
  await sql`
    update events set data = jsonb_set(data, '{changes}', '[]')
    where lead_id = any(${family}::uuid[]) and data ? 'changes' and data -> 'changes' <> '[]'`.execute(tx)
  await sql`delete from former_identifiers where lead_id = any(${family}::uuid[])`.execute(tx)
}

/** Of an event `e` about two leads. */
const madeOneOrParted = sql`e.data ->> 'cause' in ('merged', 'parted')`

/**
 * Empties what is told of other leads while they were one with any of these: it was told of both. Returns those other leads.
 * That they were made one and parted stays told.
 */
export async function emptyShared(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive one (id) as (
      select unnest(${leadIds}::uuid[])
      union select e.lead_id from one join events e on e.other_lead_id = one.id and ${madeOneOrParted} where e.lead_id is not null)
    select id from one where id <> all(${leadIds}::uuid[])`.execute(tx)
  const others = rows.map(({ id }) => id)
  if (others.length === 0) return []
  const spans = sql`(
    select e.lead_id, min(e.created_at) as began, max(e.created_at) as ended from events e
    where e.other_lead_id = any(${[...leadIds, ...others]}::uuid[]) and e.lead_id = any(${others}::uuid[]) and ${madeOneOrParted}
    group by e.lead_id)`
  await sql`
    update events e set data = jsonb_set(e.data, '{changes}', '[]') from ${spans} s
    where e.lead_id = s.lead_id and e.created_at between s.began and s.ended and e.data ? 'changes'`.execute(
    tx,
  )
  await sql`
    delete from former_identifiers f using ${spans} s
    where f.lead_id = s.lead_id and f.until between s.began and s.ended`.execute(tx)
  return others
}

/** Leads that had one of these identifiers once, but for `leadIds`. */
export async function findFormerLeads(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct lead_id as id from former_identifiers
    where value = any(${identifiers}::text[]) and lead_id <> all(${leadIds}::uuid[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Leads that were absorbed by any of these while they had one of these identifiers, and have not been parted from it. */
export async function findAbsorbedWith(tx: Tx, identifiers: string[], leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${familyOf(leadIds)}
    select absorbed_id as id from lead_merges
    where lead_id in (select id from family) and undone_at is null and (
      absorbed ->> 'phone' = any(${identifiers}::text[]) or absorbed ->> 'email' = any(${identifiers}::text[])
      or absorbed -> 'identifiers' ?| ${identifiers}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Of an event: what was done with a lead, and what is said of the property. */
const saysNothingOfPeople = '^(status|tags|ownerUserId|campaignId|property[.].*)$'
/** Of what merges and imports changed. */
const columnsOfPeople = [
  'contact_name',
  'phone',
  'phone_raw',
  'email',
  'identifiers',
  'custom_fields',
  'lawful_basis_proof',
]

/**
 * Of leads that had one of these identifiers once, but for `leadIds`: forgets what is kept of their contact from when they got
 * it until they lost it. They were held to be this person meanwhile.
 */
export async function emptyFormer(tx: Tx, identifiers: string[], leadIds: string[]): Promise<void> {
  const former = formerLeads(identifiers, leadIds)
  await sql`
    update events e set data = jsonb_set(e.data, '{changes}', (
      select coalesce(jsonb_agg(change), '[]') from jsonb_array_elements(e.data -> 'changes') change
      where change ->> 'field' ~ ${saysNothingOfPeople}))
    from ${former} f where e.lead_id = f.lead_id and e.created_at between f.since and f.until and e.data ? 'changes'`.execute(
    tx,
  )
  await sql`
    update lead_merges m set changes = m.changes - ${columnsOfPeople}::text[]
    from ${former} f where m.lead_id = f.lead_id and m.created_at between f.since and f.until`.execute(tx)
  await sql`
    update import_changes c set changes = c.changes - ${columnsOfPeople}::text[]
    from ${former} f, imports i
    where c.lead_id = f.lead_id and i.id = c.import_id and i.created_at <= f.until and coalesce(i.finished_at >= f.since, true)`.execute(
    tx,
  )
  // Of one that was made one with another, what imports changed waits there.
  await sql`
    update lead_merges m set attached = m.attached - 'importChanges'
    from ${former} f where m.absorbed_id = f.lead_id and m.undone_at is null`.execute(tx)
  await sql`delete from former_identifiers where value = any(${identifiers}::text[])`.execute(tx)
}

/** Since when: since the first event that tells of it, unless by then the lead had it already. */
function formerLeads(identifiers: string[], leadIds: string[]): RawBuilder<unknown> {
  const tells = (which: 'before' | 'after') => sql`exists (
    select from jsonb_path_query(e.data, ${`$.changes[*].${which}.**`}::jsonpath) value
    where value #>> '{}' = any(${identifiers}::text[]))`
  return sql`(
    select f.lead_id, max(f.until) as until, coalesce((
      select case when ${tells('before')} then '-infinity' else e.created_at end from events e
      where e.lead_id = f.lead_id and e.data ? 'changes' and (${tells('before')} or ${tells('after')})
      order by e.id limit 1), '-infinity') as since
    from former_identifiers f
    where f.value = any(${identifiers}::text[]) and f.lead_id <> all(${leadIds}::uuid[]) group by f.lead_id)`
}
