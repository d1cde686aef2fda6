/** Dashboard sessions: a random token in a cookie; the database stores only its hash. */
import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { batchCalls } from './batch-calls.ts'
import { machineNow } from './clock/clock.ts'
import { type Database, sql } from './db/index.ts'
import type { DB } from './db/tables.generated.ts'
import { newId } from './id.ts'
import type { Role } from './settings/setting.ts'

/** The longest session, 30 days (NIST SP 800-63B-4, section 2.1.3, assurance level 1), and the longest idle time. */
const sessionMaxMs = 30 * 24 * 60 * 60_000
const idleMaxMs = 24 * 60 * 60_000
const tokenPattern = /^[\w-]{43}$/

/** The session of a request, with the user that is signed in. */
export interface SessionHolder {
  id: string
  userId: string
  workspaceId: string
  role: Role
  liveTenantId: string
  testTenantId: string
  requestsPerMinute: number
  expiresAt: Date
  idleExpiresAt: Date
}

/** Returns a random secret of 256 bits, in base64url. */
export const createToken = () => randomBytes(32).toString('base64url')

/** Returns the stored hash of a token (SHA-256). Tokens are random, so the hash needs no salt. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** The prefix `__Host-` makes browsers reject the cookie from another host or without encryption (RFC 6265bis). */
export const sessionCookieName = (isSecure: boolean) =>
  isSecure ? '__Host-aldaba_session' : 'aldaba_session'

/** Returns the header Set-Cookie of a session; for null, the one that removes the cookie. */
export function sessionCookie(token: string | null, { isSecure }: { isSecure: boolean }): string {
  const maxAge = token === null ? 0 : sessionMaxMs / 1000
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${sessionCookieName(isSecure)}=${token ?? ''}; ${attributes}`
}

/** Returns the token from a Cookie header; null if there is no well-formed one. */
export function readSessionCookie(
  header: string | undefined,
  { isSecure }: { isSecure: boolean },
): string | null {
  const start = `${sessionCookieName(isSecure)}=`
  const cookie = header?.split(';').find(part => part.trimStart().startsWith(start))
  const token = cookie?.trim().slice(start.length)
  return token && tokenPattern.test(token) ? token : null
}

/**
 * Opens a session for a user whose password was verified against `passwordHash`, and returns its token. Returns null if
 * the password has changed meanwhile. The password's row is locked, so that a concurrent change also ends this session.
 */
export async function openSession(
  db: Kysely<DB>,
  { userId, workspaceId, passwordHash }: { userId: string; workspaceId: string; passwordHash: string },
): Promise<string | null> {
  const token = createToken()
  const now = machineNow()
  const { rows } = await sql`
    with verified as (
      select user_id from passwords where user_id = ${userId} and hash = ${passwordHash} for share
    )
    insert into sessions (id, token_hash, user_id, workspace_id, created_at, expires_at, idle_expires_at)
    select ${newId()}, ${hashToken(token)}, user_id, ${workspaceId}::uuid, ${new Date(now)}, ${new Date(now + sessionMaxMs)},
      ${new Date(now + idleMaxMs)}
    from verified returning id`.execute(db)
  return rows.length > 0 ? token : null
}

export async function endSession(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Ends all sessions of a user. Returns their number. */
export async function endUserSessions(db: Kysely<DB>, userId: string): Promise<number> {
  const result = await db.deleteFrom('sessions').where('user_id', '=', userId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions(db: Kysely<DB>): Promise<void> {
  const now = new Date(machineNow())
  await db
    .deleteFrom('sessions')
    .where(where => where.or([where('expires_at', '<=', now), where('idle_expires_at', '<=', now)]))
    .execute()
}

export interface Sessions {
  /** Returns null if the session does not exist or has expired. Queries the database each time, without a cache. */
  find(token: string): Promise<SessionHolder | null>
}

const useResolutionMs = 60_000
const cacheSizeMax = 10_000

export function createSessions(database: Database): Sessions {
  // These callers are not authenticated yet: batches keep them from using many connections.
  const find = batchCalls((hashes: Buffer[]) => database.findUnscoped(db => findSessions(db, hashes)), {
    size: 100,
    waitingMax: 2000,
  })
  const usedAtMs = new Map<string, number>()
  /** Writes at most once a minute per session, without delaying the request. */
  const recordUse = ({ id }: SessionHolder, nowMs: number) => {
    if (nowMs - (usedAtMs.get(id) ?? 0) < useResolutionMs) return
    if (usedAtMs.size >= cacheSizeMax) usedAtMs.clear()
    usedAtMs.set(id, nowMs)
    database.unscoped
      .updateTable('sessions')
      .set({ idle_expires_at: new Date(nowMs + idleMaxMs) })
      .where('id', '=', id)
      .execute()
      // After an error, the next request tries again.
      .catch(() => usedAtMs.delete(id))
  }
  return {
    async find(token) {
      const session = await find(hashToken(token))
      const nowMs = machineNow()
      if (!session || session.expiresAt.getTime() <= nowMs || session.idleExpiresAt.getTime() <= nowMs)
        return null
      recordUse(session, nowMs)
      return session
    },
  }
}

async function findSessions(db: Kysely<DB>, hashes: Buffer[]): Promise<(SessionHolder | undefined)[]> {
  const { rows } = await sql<SessionHolder & { index: number }>`
    select requested.index, id, user_id as "userId", workspace_id as "workspaceId", role, live_tenant_id as "liveTenantId",
      test_tenant_id as "testTenantId", requests_per_minute as "requestsPerMinute", expires_at as "expiresAt",
      idle_expires_at as "idleExpiresAt"
    from unnest(${hashes}::bytea[]) with ordinality as requested (hash, index), aldaba.find_session(requested.hash)`.execute(
    db,
  )
  const found = new Map(rows.map(({ index, ...session }) => [index, session]))
  return hashes.map((_, index) => found.get(index + 1))
}
