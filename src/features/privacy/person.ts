/** Finds all leads of a person, for erasure, export and opt-outs. */
import { type RawBuilder, sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/**
 * An identifier on more leads than this belongs to a professional, whatever the listings state: hardly any private
 * person sells more properties at a time, while an agency whose listings do not state the advertiser type has
 * hundreds.
 */
const privateLeadsMax = 20

/**
 * SQL: an identifier belongs to an agency or another professional: it is on a lead of an agency, or on more leads
 * than a private person has. The count comes first, so that the second condition reads few leads.
 */
export const isProfessional = (tx: Tx, value: RawBuilder<unknown>) => sql`(
  (select count(*) from (
    select from lead_identifiers same where same.tenant_id = ${getTenantId(tx)} and same.value = ${value} limit ${privateLeadsMax + 1}) counted) > ${privateLeadsMax}
  or exists (
    select from lead_identifiers same join leads l on l.tenant_id = same.tenant_id and l.id = same.lead_id
    where same.tenant_id = ${getTenantId(tx)} and same.value = ${value} and l.advertiser_type = 'agency'))`

/**
 * Returns the ids of all leads of the people of these leads, including these: leads that share a phone, e-mail
 * address or chat, directly or through other leads. Identifiers of professionals do not count, because they are on
 * hundreds of leads of other people; so a lead of an agency is returned alone. `professional`: identifiers that are
 * known to belong to professionals.
 */
export async function findLeadsOfPeople(
  tx: Tx,
  leadIds: string[],
  professional: string[] = [],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive person (id) as (
      select id from leads where tenant_id = ${getTenantId(tx)} and id = any(${leadIds}::uuid[])
      union
      select others.lead_id from person
      cross join lateral (
        select i.value from lead_identifiers i
        where i.tenant_id = ${getTenantId(tx)} and i.lead_id = person.id and i.value <> all(${professional}::text[])
          and not ${isProfessional(tx, sql`i.value`)} offset 0) mine
      join lead_identifiers others on others.tenant_id = ${getTenantId(tx)} and others.value = mine.value)
    select id from person order by id`.execute(tx)
  return rows.map(row => row.id)
}

export interface KnownIdentifier {
  value: string
  /** No other lead has it. */
  isExclusive: boolean
  isProfessional: boolean
}

/** The identifiers of these leads, sorted. */
export async function findIdentifiers(tx: Tx, leadIds: string[]): Promise<KnownIdentifier[]> {
  const { rows } = await sql<KnownIdentifier>`
    select given.value, ${isProfessional(tx, sql`given.value`)} as "isProfessional", not exists (
      select from lead_identifiers o where o.tenant_id = ${getTenantId(tx)} and o.value = given.value and o.lead_id <> all(${leadIds}::uuid[])) as "isExclusive"
    from (select distinct value from lead_identifiers where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])) given
    order by given.value`.execute(tx)
  return rows
}

/** Derives the kind from the normalised value: `+` phone, `provider:id` chat, else e-mail. */
export function toIdentifier(value: string): Identifier {
  if (value.startsWith('+')) return { kind: 'phone', value }
  return { kind: value.includes(':') ? 'chat' : 'email', value }
}
