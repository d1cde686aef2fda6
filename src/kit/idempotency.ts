/** Idempotency-Key on POST: the first reply is replayed, in the same transaction that would have done the work. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Cipher } from './crypto.ts'
import type { Tx } from './db/index.ts'
import { Problem } from './problem.ts'

export interface StoredReply {
  status: number
  body: string
}

export const idempotencyKeyLengthMax = 255
const keptHours = 24

export interface KeyedRequest {
  /** Method and path. */
  route: string
  key: string
  payload: unknown
}

/**
 * Runs `work` once per key, route and tenant. A repetition gets the stored reply; another payload under the same key is
 * 422 IDEMPOTENCY_MISMATCH; a repetition while the first still runs is 409 IDEMPOTENCY_IN_FLIGHT. As the reply is stored
 * by the work's own transaction, a rejected or crashed request leaves nothing behind. It is stored encrypted: it may hold
 * a secret that is shown once.
 */
export async function once(
  tx: Tx,
  cipher: Cipher,
  request: KeyedRequest,
  work: () => Promise<StoredReply>,
): Promise<StoredReply & { replayed: boolean }> {
  const { route, key } = request
  await lockOrRefuse(tx, route, key)
  const known = await findReply(tx, cipher, request)
  if (known) return { ...known, replayed: true }

  const reply = await work()
  const row = {
    route,
    key,
    request_hash: hashOf(request),
    status: reply.status,
    body: cipher.encrypt(reply.body),
    mentions: idsIn(reply.body),
  }
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['tenant_id', 'route', 'key']).doUpdateSet({ ...row, created_at: sql`now()` }),
    )
    .execute()
  return { ...reply, replayed: false }
}

/** The reply that a request under this key had. Another payload under the same key is 422 IDEMPOTENCY_MISMATCH. */
export async function findReply(
  tx: Tx,
  cipher: Cipher,
  request: KeyedRequest,
): Promise<StoredReply | undefined> {
  const known = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .executeTakeFirst()
  if (!known) return undefined
  if (!known.request_hash.equals(hashOf(request))) {
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used with another payload. Use a new key for a new request.',
    )
  }
  return { status: known.status, body: cipher.decrypt(known.body) }
}

function hashOf({ payload }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(payload) ?? '')
    .digest()
}

/** Every id that a reply tells, by which it is found while it is encrypted. */
function idsIn(body: string): string[] {
  return [...new Set(body.match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g))]
}

/**
 * Forgets replies in which any of these ids stands, for people who are erased: a repetition of such a request is worked on
 * anew. Keys are made by clients, who may have put anything into them: those with one of `texts` go as well.
 */
export async function forgetReplies(tx: Tx, ids: string[], texts: string[]): Promise<void> {
  await sql`
    delete from idempotency_keys
    where mentions is null or mentions && ${ids}::uuid[]
      or exists (select from unnest(${texts}::text[]) text where strpos(key, text) > 0)`.execute(tx)
}

/** Held until the transaction ends, however it ends: a crashed request never leaves its key in flight. */
async function lockOrRefuse(tx: Tx, route: string, key: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(aldaba.current_tenant()::text || ${route} || ${key}, 0)) as locked`.execute(
    tx,
  )
  if (rows[0]?.locked) return
  throw new Problem(
    'IDEMPOTENCY_IN_FLIGHT',
    'A request with this Idempotency-Key is still running. Try again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}

/** Deletes what is past its time in the transaction's tenant. */
export async function forgetExpired(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .execute()
}
