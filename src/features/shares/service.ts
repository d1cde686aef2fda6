/** Links by which anybody may read a page: a token that nobody guesses, until it expires or is revoked. */
import { createHash, randomBytes } from 'node:crypto'
import type { Cipher } from '../../kit/crypto.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'
import {
  addView,
  deleteShares,
  findShareByToken,
  insertShare,
  isShared,
  type SharedObject,
  type ShareRow,
  updateExpiry,
} from './queries.ts'
import type { Share } from './schemas.ts'

export { findShares, type SharedObject, type ShareRow } from './queries.ts'

const tokenBytes = 24
const tokenPattern = /^[\w-]{32}$/

/** For the `check` of the route that creates a link. */
export function checkExpiry({ expiresAt }: { expiresAt?: string | null }, now: Date): InputError[] {
  if (!expiresAt || new Date(expiresAt) > now) return []
  return [{ path: '/expiresAt', code: 'NOT_ALLOWED', message: 'must be in the future' }]
}

/** An object with a link that works keeps it, with the new expiry; any other gets a new one. Nobody else may share it meanwhile. */
export async function shareObject(
  tx: Tx,
  cipher: Cipher,
  object: SharedObject,
  { expiresAt = null }: { expiresAt?: string | null },
): Promise<void> {
  const expiry = expiresAt === null ? null : new Date(expiresAt)
  if (await updateExpiry(tx, object, expiry)) return
  const token = randomBytes(tokenBytes).toString('base64url')
  await revokeShares(tx, object.kind, [object.objectId])
  await insertShare(tx, object, {
    token: cipher.encrypt(token),
    tokenHash: hashToken(token),
    expiresAt: expiry,
  })
}

/** Revokes the links of objects; also to be called where they are deleted. */
export async function revokeShares(tx: Tx, kind: string, objectIds: string[]): Promise<void> {
  if (objectIds.length > 0) await deleteShares(tx, kind, objectIds)
}

/** What a token opens; null: nothing of this kind, or nothing any more. */
export async function findSharedObject(
  database: Database,
  kind: string,
  token: string,
): Promise<{ tenantId: string; objectId: string } | null> {
  if (!tokenPattern.test(token)) return null
  const tokenHash = hashToken(token)
  const found = await findShareByToken(database, tokenHash)
  if (found?.kind !== kind) return null
  const isValid = await database.readTenant(found, tx => isShared(tx, found, tokenHash))
  return isValid ? found : null
}

/** Somebody opened the page. */
export const recordView = addView

/** `address`: where pages of the kind are, such as `https://example.com/share/valuations`. */
export async function toShare(
  row: ShareRow | undefined,
  { cipher, address }: { cipher: Cipher; address: string },
): Promise<Share | null> {
  if (!row) return null
  return {
    url: `${address}/${await cipher.decrypt(row.token)}`,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    views: row.views,
    lastViewedAt: row.lastViewedAt?.toISOString() ?? null,
  }
}

/** It has 192 random bits, so a plain hash can't be searched through. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
