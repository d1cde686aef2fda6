/** One-time codes that prove the e-mail address of a visitor. Only a keyed hash of the code and of the address is stored. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { getNow, sqlNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'

const validMs = 10 * 60_000
/** Until another one can be sent. */
const pauseMs = 60_000
const attemptsMax = 5

interface Proof {
  eventTypeId: string
  /** Normalized. */
  email: string
}

const hashEmail = (cipher: Cipher, email: string): Buffer => cipher.digest(`booking code for ${email}`)
const hashCode = (cipher: Cipher, { eventTypeId, email }: Proof, code: string): Buffer =>
  cipher.digest(`booking code ${eventTypeId} ${email} ${code}`)

/** Creates a code of six digits, and forgets an earlier one; null: one was created a moment ago. */
export async function createCode(tx: Tx, cipher: Cipher, proof: Proof): Promise<string | null> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(getNow(tx).getTime() + validMs)
  const { rows } = await sql`
    insert into booking_codes as c (tenant_id, event_type_id, address_hash, code_hash, expires_at)
    values (${getTenantId(tx)}, ${proof.eventTypeId}, ${hashEmail(cipher, proof.email)}, ${hashCode(cipher, proof, code)}, ${expiresAt})
    on conflict (tenant_id, event_type_id, address_hash) do update
      set code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at
      where c.expires_at <= ${new Date(expiresAt.getTime() - pauseMs)}
    returning c.expires_at`.execute(tx)
  return rows.length > 0 ? code : null
}

/** Every call counts as an attempt. `expired`: there is no code, or it had too many attempts. */
export async function checkCode(
  tx: Tx,
  cipher: Cipher,
  proof: Proof,
  code: string,
): Promise<'right' | 'wrong' | 'expired'> {
  const { rows } = await sql<{ codeHash: Buffer }>`
    update booking_codes set attempts = attempts + 1
    where tenant_id = ${getTenantId(tx)} and event_type_id = ${proof.eventTypeId}
      and address_hash = ${hashEmail(cipher, proof.email)} and attempts < ${attemptsMax} and expires_at > ${sqlNow(tx)}
    returning code_hash as "codeHash"`.execute(tx)
  const [row] = rows
  if (!row) return 'expired'
  return timingSafeEqual(row.codeHash, hashCode(cipher, proof, code)) ? 'right' : 'wrong'
}

/** A code is used once. */
export async function deleteCode(tx: Tx, cipher: Cipher, { eventTypeId, email }: Proof): Promise<void> {
  await sql`
    delete from booking_codes
    where tenant_id = ${getTenantId(tx)} and event_type_id = ${eventTypeId}
      and address_hash = ${hashEmail(cipher, email)}`.execute(tx)
}

/** Deletes codes that have expired. */
export async function deleteExpiredCodes(tx: Tx): Promise<void> {
  await sql`delete from booking_codes where tenant_id = ${getTenantId(tx)} and expires_at <= ${sqlNow(tx)}`.execute(
    tx,
  )
}
