/** Public links: anybody who has the unguessable token can read the page, until the link expires or is revoked. */
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

const tokenBytes = 24
const tokenPattern = /^[\w-]{32}$/

/** Validates the body of a route that creates a link: the expiry must be in the future. */
export function checkExpiry({ expiresAt }: { expiresAt?: string | null }, now: Date): InputError[] {
  if (!expiresAt || new Date(expiresAt) > now) return []
  return [{ path: '/expiresAt', code: 'NOT_ALLOWED', message: 'must be in the future' }]
}

/**
 * Shares an object: a valid link keeps its token and gets the new expiry, otherwise a new link is created. The caller must
 * hold a lock on the object, so that it is not shared twice at the same time.
 */
export async function shareObject(
  tx: Tx,
  cipher: Cipher,
  object: SharedObject,
  { expiresAt = null }: { expiresAt?: string | null },
): Promise<void> {
  const expiry = expiresAt === null ? null : new Date(expiresAt)
  if (await updateExpiry(tx, object, expiry)) return
  await replaceLink(tx, cipher, object, { token: createLinkToken(), expiresAt: expiry })
}

/** Creates a token for `replaceLink`, for a link whose URL must be known before the object is stored. */
export const createLinkToken = (): string => randomBytes(tokenBytes).toString('base64url')

/** Gives a new object its link. Returns the token. */
export async function addLink(tx: Tx, cipher: Cipher, object: SharedObject): Promise<string> {
  const token = createLinkToken()
  const stored = { token: cipher.encrypt(token), tokenHash: hashToken(token), expiresAt: null }
  await insertShare(tx, object, stored)
  return token
}

/** Gives an object a link with this token; an earlier link ends. The caller must hold a lock on the object. */
export async function replaceLink(
  tx: Tx,
  cipher: Cipher,
  object: SharedObject,
  { token, expiresAt = null }: { token: string; expiresAt?: Date | null },
): Promise<void> {
  await revokeShares(tx, object.kind, [object.objectId])
  await insertShare(tx, object, { token: cipher.encrypt(token), tokenHash: hashToken(token), expiresAt })
}

/** Revokes the links of objects. Call it also when the objects are deleted. */
export async function revokeShares(tx: Tx, kind: string, objectIds: string[]): Promise<void> {
  if (objectIds.length > 0) await deleteShares(tx, kind, objectIds)
}

/** Finds the object of a token; null: the token is unknown, expired, revoked, or of another kind. */
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

/** Counts one more view of the page. */
export const recordView = addView

/**
 * Converts a row for the API; null if there is no row. `baseUrl`: the base URL of pages of this kind, such as
 * `https://example.com/share/valuations`.
 */
export async function toShare(
  row: ShareRow | undefined,
  { cipher, baseUrl }: { cipher: Cipher; baseUrl: string },
): Promise<Share | null> {
  if (!row) return null
  return {
    url: `${baseUrl}/${await cipher.decrypt(row.token)}`,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    views: row.views,
    lastViewedAt: row.lastViewedAt?.toISOString() ?? null,
  }
}

/** A token has 192 random bits, so a plain SHA-256 can't be reversed by brute force. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
