/** The SQL statements of signing in. They run outside any tenant, because the tenant is not known yet. */
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kit/db/tables.generated.ts'

export interface Login {
  userId: string
  workspaceId: string
  passwordHash: string
}

/**
 * Finds the user with this e-mail address and a password. Null: there is none, or several workspaces have one and
 * `workspace` is null.
 */
export async function findLogin(
  db: Kysely<DB>,
  { email, workspace }: { email: string; workspace: string | null },
): Promise<Login | null> {
  const { rows } = await sql<Login>`
    select user_id as "userId", workspace_id as "workspaceId", password_hash as "passwordHash"
    from aldaba.find_login(${email}, ${workspace})`.execute(db)
  return rows.length === 1 ? rows[0]! : null
}

const attemptsBeforePause = 5
const pauseMaxMs = 300_000
const attemptTtlMs = 24 * 60 * 60_000

/**
 * Counts an attempt to sign in before its result is known, so that concurrent attempts are all counted. From the fifth
 * on, each attempt is followed by a pause, twice as long as the previous one, at most five minutes. Returns the rest of
 * the current pause in ms; 0: the attempt may proceed.
 */
export async function recordAttempt(db: Kysely<DB>, account: Buffer, nowMs: number): Promise<number> {
  const now = new Date(nowMs)
  const { rows } = await sql`
    insert into sign_in_attempts as a (account, failures, last_attempt_at, locked_until) values (${account}, 1, ${now}, ${now})
    on conflict (account) do update set
      failures = case when a.last_attempt_at < ${new Date(nowMs - attemptTtlMs)} then 1 else a.failures + 1 end,
      last_attempt_at = excluded.last_attempt_at,
      locked_until = to_timestamp((${nowMs}::float8 + case
        when a.failures < ${attemptsBeforePause} - 1 or a.last_attempt_at < ${new Date(nowMs - attemptTtlMs)} then 0
        else least(${pauseMaxMs}::float8, 1000 * power(2, least(a.failures - ${attemptsBeforePause} + 1, 20))) end) / 1000)
    where a.locked_until <= ${now}
    returning failures`.execute(db)
  if (rows.length > 0) return 0
  const paused = await db
    .selectFrom('sign_in_attempts')
    .select('locked_until')
    .where('account', '=', account)
    .executeTakeFirst()
  return Math.max(1, (paused?.locked_until.getTime() ?? 0) - nowMs)
}

/** Resets the attempts after a successful sign-in. */
export async function deleteAttempts(db: Kysely<DB>, account: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', account).execute()
}

/** Deletes attempts older than a day and expired tokens. */
export async function deleteExpiredAttemptsAndTokens(db: Kysely<DB>, nowMs: number): Promise<void> {
  const cutoff = new Date(nowMs - attemptTtlMs)
  await db.deleteFrom('sign_in_attempts').where('last_attempt_at', '<', cutoff).execute()
  await db.deleteFrom('password_tokens').where('expires_at', '<=', new Date(nowMs)).execute()
}

/** Returns true if the token is unused and not expired. */
export async function isTokenValid(db: Kysely<DB>, tokenHash: Buffer, nowMs: number): Promise<boolean> {
  const found = await db
    .selectFrom('password_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  return found !== undefined
}

/** Uses the token to set the password. Returns the id of its user; null: the token is not valid. */
export async function setPassword(
  db: Kysely<DB>,
  { tokenHash, passwordHash, nowMs }: { tokenHash: Buffer; passwordHash: string; nowMs: number },
): Promise<{ userId: string } | null> {
  const now = new Date(nowMs)
  const { rows } = await sql<{ userId: string }>`
    with used as (
      delete from password_tokens where token_hash = ${tokenHash} and expires_at > ${now} returning user_id
    )
    insert into passwords (user_id, hash, changed_at) select user_id, ${passwordHash}, ${now}::timestamptz from used
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at
    returning user_id as "userId"`.execute(db)
  return rows[0] ?? null
}

/** Stores a token, replacing any earlier token of the user. */
export async function insertPasswordToken(
  db: Kysely<DB>,
  token: { tokenHash: Buffer; userId: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into password_tokens (token_hash, user_id, expires_at) values (${token.tokenHash}, ${token.userId}, ${token.expiresAt})
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`.execute(
    db,
  )
}

/** Deletes password and token: the user cannot sign in until they are invited again. */
export async function deletePassword(db: Kysely<DB>, userId: string): Promise<void> {
  await db.deleteFrom('password_tokens').where('user_id', '=', userId).execute()
  await db.deleteFrom('passwords').where('user_id', '=', userId).execute()
}
