/** Whose leads are one person's: what is erased, and what is exported, of somebody who asks for it. */
import { type RawBuilder, sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/**
 * What stands on more leads than this is a professional's, whatever their adverts say of them: hardly anybody sells more
 * properties of their own at a time, and an agency whose kind is not told advertises hundreds.
 */
const privateLeadsMax = 20

/**
 * SQL: whether an identifier is an agency's or another professional's: it stands on a lead of an agency, or on more leads
 * than a private person has. Counting comes first, so that the rest looks at few.
 */
export const isProfessional = (tx: Tx, value: RawBuilder<unknown>) => sql`(
  (select count(*) from (
    select from lead_identifiers same where same.tenant_id = ${getTenantId(tx)} and same.value = ${value} limit ${privateLeadsMax + 1}) counted) > ${privateLeadsMax}
  or exists (
    select from lead_identifiers same join leads l on l.tenant_id = same.tenant_id and l.id = same.lead_id
    where same.tenant_id = ${getTenantId(tx)} and same.value = ${value} and l.advertiser_type = 'agency'))`

/**
 * The leads of the people of these leads, themselves first to last among them: those that share a telephone, an address or
 * a chat, and those that share another with these. By what is a professional's nobody is followed, to hundreds of leads of
 * others. So a lead of an agency is alone. `professional`: identifiers of which it is known that they are such.
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

/** What the people of these leads are known by, in the order of the values. */
export async function findIdentifiers(tx: Tx, leadIds: string[]): Promise<KnownIdentifier[]> {
  const { rows } = await sql<KnownIdentifier>`
    select given.value, ${isProfessional(tx, sql`given.value`)} as "isProfessional", not exists (
      select from lead_identifiers o where o.tenant_id = ${getTenantId(tx)} and o.value = given.value and o.lead_id <> all(${leadIds}::uuid[])) as "isExclusive"
    from (select distinct value from lead_identifiers where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[])) given
    order by given.value`.execute(tx)
  return rows
}

/** Normalised values tell what they are. */
export function toIdentifier(value: string): Identifier {
  if (value.startsWith('+')) return { kind: 'phone', value }
  return { kind: value.includes(':') ? 'chat' : 'email', value }
}
