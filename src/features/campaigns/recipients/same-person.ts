/** SQL: which leads are of one person, so that nobody gets the same message once per listing. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

/**
 * The ids of other leads of the person of a lead with this alias: those with its phone, or with its e-mail address if one of both has
 * no phone. Families share an address.
 */
export function leadsOfPerson(tx: Tx, alias: string): RawBuilder<unknown> {
  const [phone, email] = [sql.ref(`${alias}.phone`), sql.ref(`${alias}.email`)]
  const tenantId = getTenantId(tx)
  return sql`
    select other.id from lead_identifiers i join leads other on other.tenant_id = ${tenantId} and other.id = i.lead_id
    where i.tenant_id = ${tenantId} and i.value = any(array[${phone}, ${email}]) and other.id <> ${sql.ref(`${alias}.id`)}
      and (i.value = ${phone} or other.phone is null or ${phone} is null)`
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
