/** Links by which anybody may read a report: a token that nobody guesses, until it expires or is revoked. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'
import type { ValuationsDependencies } from './record.ts'

const tokenBytes = 24
const tokenPattern = /^[\w-]{32}$/

export function errorsOfExpiry({ expiresAt }: { expiresAt?: string | null }, now: Date): InputError[] {
  if (!expiresAt || new Date(expiresAt) > now) return []
  return [{ path: '/expiresAt', code: 'NOT_ALLOWED', message: 'must be in the future' }]
}

/** A valuation with a link that works keeps it, with the new end; any other gets a new one, that nobody has opened yet. */
export async function shareValuation(
  tx: Tx,
  { cipher }: ValuationsDependencies,
  valuationId: string,
  { expiresAt, isShared }: { expiresAt: string | null; isShared: boolean },
): Promise<void> {
  const now = new Date()
  const until = expiresAt === null ? null : new Date(expiresAt)
  if (isShared) {
    await tx
      .updateTable('valuation_shares')
      .set({ expires_at: until })
      .where('valuation_id', '=', valuationId)
      .execute()
    return
  }
  const token = randomBytes(tokenBytes).toString('base64url')
  await endSharing(tx, valuationId)
  await tx
    .insertInto('valuation_shares')
    .values({
      ...{ valuation_id: valuationId, token_hash: hashOf(token), token: cipher.encrypt(token) },
      ...{ created_at: now, expires_at: until },
    })
    .execute()
}

export async function endSharing(tx: Tx, valuationId: string): Promise<void> {
  await tx.deleteFrom('valuation_shares').where('valuation_id', '=', valuationId).execute()
}

/** What a token opens; null: nothing, or nothing any more. */
export async function findShared(
  database: Database,
  token: string,
): Promise<{ tenantId: string; valuationId: string } | null> {
  if (!tokenPattern.test(token)) return null
  const { rows } = await sql<{ tenantId: string; valuationId: string }>`
    select tenant_id as "tenantId", valuation_id as "valuationId"
    from aldaba.find_valuation_share(${hashOf(token)})`.execute(database.outside)
  return rows[0] ?? null
}

export async function countView(tx: Tx, valuationId: string): Promise<void> {
  await sql`
    update valuation_shares set views = views + 1, last_viewed_at = now()
    where valuation_id = ${valuationId}`.execute(tx)
}

/** It has 192 random bits, so a plain hash can't be searched through. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
