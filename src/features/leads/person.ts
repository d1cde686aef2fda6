/** Whose leads are one person's: what is erased, and what is exported, of somebody who asks for it. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

/**
 * The leads of the people of these leads, themselves first to last among them: those that share a telephone, an address or
 * a chat, and those that share another with these. What stands on a lead of an agency is the agency's: nobody is followed
 * by it, to hundreds of leads. So a lead of an agency is alone.
 */
export async function findLeadsOfPeople(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive person (id) as (
      select id from leads where id = any(${leadIds}::uuid[])
      union
      select others.lead_id from person
      join lead_identifiers mine on mine.lead_id = person.id
      join lead_identifiers others on others.value = mine.value
      where not exists (
        select from lead_identifiers i join leads l on l.id = i.lead_id
        where i.value = mine.value and l.advertiser_type = 'agency'))
    select id from person order by id`.execute(tx)
  return rows.map(row => row.id)
}

/** Of what these leads' people are known by, that which no other lead has: theirs alone. */
export async function findOwnIdentifiers(tx: Tx, leadIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct i.value from lead_identifiers i
    where i.lead_id = any(${leadIds}::uuid[]) and not exists (
      select from lead_identifiers o where o.value = i.value and o.lead_id <> all(${leadIds}::uuid[]))
    order by i.value`.execute(tx)
  return rows.map(row => row.value)
}
