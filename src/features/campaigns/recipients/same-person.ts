/** SQL: which leads are of one person, so that nobody gets the same message once per listing. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/**
 * The recipients of the person of a lead with this alias, in all campaigns: of the lead, and of other leads with its phone, or with its
 * e-mail address if one of both has no phone. Families share an address. It looks up each lead by the index: `offset 0` keeps the
 * planner from reading all recipients for each of them.
 */
export function recipientsOfPerson(tx: Tx, alias: string): RawBuilder<unknown> {
  const [phone, email] = [sql.ref(`${alias}.phone`), sql.ref(`${alias}.email`)]
  const tenantId = getTenantId(tx)
  return sql`
    select found.* from (
      select ${sql.ref(`${alias}.id`)} as lead_id
      union all
      select other.id from unnest(array[${phone}, ${email}]) as own (value)
      cross join lateral (
        select i.lead_id from lead_identifiers i where i.tenant_id = ${tenantId} and i.value = own.value offset 0) i
      cross join lateral (
        select o.id, o.phone from leads o where o.tenant_id = ${tenantId} and o.id = i.lead_id offset 0) other
      where other.id <> ${sql.ref(`${alias}.id`)} and (own.value = ${phone} or other.phone is null or ${phone} is null)) person
    cross join lateral (
      select r.id, r.lead_id, r.campaign_id, r.status, r.reason, r.last_sent_at, r.ended_at from campaign_recipients r
      where r.tenant_id = ${tenantId} and r.lead_id = person.lead_id offset 0) found`
}

export interface Person {
  phone: string | null
  email: string | null
}

/** The same for leads of a batch: returns whether the person of an earlier one, for which it returned false, is the same. */
export function createRepetitionCheck(): (person: Person) => boolean {
  const phones = new Set<string>()
  /** By address: whether one of its leads has no phone. */
  const emails = new Map<string, boolean>()
  return ({ phone, email }) => {
    const known = email === null ? undefined : emails.get(email)
    const isRepeated =
      (phone !== null && phones.has(phone)) || (known !== undefined && (known || phone === null))
    if (isRepeated) return true
    if (phone !== null) phones.add(phone)
    if (email !== null) emails.set(email, known || phone === null)
    return false
  }
}
