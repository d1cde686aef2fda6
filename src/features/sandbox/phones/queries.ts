/** The SQL statements of phones. */
import { addDays, createId, getNow, sqlNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

export interface PhoneRow {
  id: string
  accountId: string
  person: ChatIdentity
  name: string | null
  expiresAt: Date
}

type Columns = Omit<PhoneRow, 'person'> & ChatIdentity

const columns = sql.raw('id, account_id as "accountId", kind, value, name, expires_at as "expiresAt"')

const toPhone = ({ kind, value, ...row }: Columns): PhoneRow => ({ ...row, person: { kind, value } })

/** The most phones of an environment. */
export const phonesMax = 1000
/** How long a phone can be used. */
export const phoneDays = 7

/**
 * Inserts the phone of a person, or extends the one they have; an omitted name stays. Returns null if the environment
 * has too many. Two requests for one phone wait for each other.
 */
export async function savePhone(
  tx: Tx,
  { accountId, person, name }: Pick<PhoneRow, 'accountId' | 'person' | 'name'>,
): Promise<PhoneRow | null> {
  await lockLeadWrites(tx)
  const tenantId = getTenantId(tx)
  const now = getNow(tx)
  const { rows: counts } = await sql<{ others: number }>`
    select count(*)::int as others from sandbox_phones
    where tenant_id = ${tenantId} and not (account_id = ${accountId} and kind = ${person.kind} and value = ${person.value})`.execute(
    tx,
  )
  if (counts[0]!.others >= phonesMax) return null
  const { rows } = await sql<Columns>`
    insert into sandbox_phones as p (tenant_id, id, account_id, kind, value, name, created_at, expires_at)
    values (${tenantId}, ${createId(tx)}, ${accountId}, ${person.kind}, ${person.value}, ${name}, ${now}, ${addDays(now, phoneDays)})
    on conflict (tenant_id, account_id, kind, value)
      do update set expires_at = excluded.expires_at, name = coalesce(excluded.name, p.name)
    returning ${columns}`.execute(tx)
  return toPhone(rows[0]!)
}

/** Null: it was deleted. */
export async function findPhone(tx: Tx, id: string): Promise<PhoneRow | null> {
  const { rows } = await sql<Columns>`
    select ${columns} from sandbox_phones where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  return rows[0] ? toPhone(rows[0]) : null
}

/** Deletes the phones that can't be used any more. Returns their ids. */
export async function deleteExpiredPhones(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from sandbox_phones where tenant_id = ${getTenantId(tx)} and expires_at <= ${sqlNow(tx)} returning id`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Deletes the phones of these people. Returns their ids. */
export async function deletePhonesOf(tx: Tx, people: readonly ChatIdentity[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from sandbox_phones p
    using unnest(${people.map(({ kind }) => kind)}::text[], ${people.map(({ value }) => value)}::text[]) as g (kind, value)
    where p.tenant_id = ${getTenantId(tx)} and p.kind = g.kind and p.value = g.value returning p.id`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
