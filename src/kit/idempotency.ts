/** The header Idempotency-Key of POST requests. A repeated request gets the stored first reply. */

import { sql } from 'kysely'
import { sqlNow } from './clock/clock.ts'
import type { Cipher } from './crypto.ts'
import { getTenantId } from './db/context.ts'
import type { Tx } from './db/index.ts'
import { Problem } from './problem.ts'

export interface StoredReply {
  status: number
  body: string
  /** Headers that the route has set, such as `ETag`. */
  headers: Record<string, string> | null
}

export const idempotencyKeyLengthMax = 255
const ttlHours = 24

export interface KeyedRequest {
  /** Method and path. */
  route: string
  key: string
  payload: unknown
}

/**
 * Runs `work` once per key, route and tenant. A repeated request gets the stored reply. Throws 422 IDEMPOTENCY_MISMATCH
 * if the same key was used with another payload, and 409 IDEMPOTENCY_IN_FLIGHT while the first request still runs. The
 * reply is stored in the transaction of the work, so a rejected or crashed request leaves nothing behind. It is
 * encrypted, because it may contain a secret that is shown once. Keys and payloads are stored only as digests, because
 * they may contain personal data.
 */
export async function runOnce(
  tx: Tx,
  cipher: Cipher,
  request: KeyedRequest,
  work: () => Promise<StoredReply>,
): Promise<StoredReply & { replayed: boolean }> {
  const { route, key } = request
  await lockKey(tx, route, key)
  const storedReply = await findStoredReply(tx, cipher, request)
  if (storedReply) return { ...storedReply, replayed: true }

  const reply = await work()
  await storeReply(tx, cipher, request, reply)
  return { ...reply, replayed: false }
}

/** Stores the reply. Replaces an expired reply under the same key; its old references do no harm. */
async function storeReply(tx: Tx, cipher: Cipher, request: KeyedRequest, reply: StoredReply): Promise<void> {
  const { route, payload } = request
  const key = cipher.digest(request.key)
  const tenantId = getTenantId(tx)
  await sql`
    with stored as (
      insert into idempotency_keys (tenant_id, route, key, request_hash, status, body, headers, created_at)
      values (${tenantId}, ${route}, ${key}, ${toDigest(request, cipher)}, ${reply.status}, ${cipher.encrypt(reply.body)},
        ${reply.headers ? JSON.stringify(reply.headers) : null}, ${sqlNow(tx)})
      on conflict (tenant_id, route, key) do update set
        request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, headers = excluded.headers,
        created_at = excluded.created_at
    )
    insert into idempotency_references (tenant_id, referenced_id, route, key)
    select ${tenantId}::uuid, referenced_id, ${route}, ${key}::bytea
    from unnest(${findIds(JSON.stringify(payload) ?? '', reply.body)}::uuid[]) referenced_id on conflict do nothing`.execute(
    tx,
  )
}

/**
 * Returns the stored reply to this request. Throws 422 IDEMPOTENCY_MISMATCH if the key was used with another payload.
 */
export async function findStoredReply(
  tx: Tx,
  cipher: Cipher,
  request: KeyedRequest,
): Promise<StoredReply | undefined> {
  const storedReply = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body', 'headers'])
    .where('tenant_id', '=', getTenantId(tx))
    .where('route', '=', request.route)
    .where('key', '=', cipher.digest(request.key))
    .where('created_at', '>', sql<Date>`${sqlNow(tx)} - make_interval(hours => ${ttlHours})`)
    .executeTakeFirst()
  if (!storedReply) return undefined
  if (!storedReply.request_hash.equals(toDigest(request, cipher))) {
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used with another payload. Use a new key for a new request.',
    )
  }
  const headers = storedReply.headers as StoredReply['headers']
  return { status: storedReply.status, body: await cipher.decrypt(storedReply.body), headers }
}

function toDigest({ payload }: KeyedRequest, cipher: Cipher): Buffer {
  return cipher.digest(JSON.stringify(payload) ?? '')
}

/** Returns all ids in the request and the reply. They make an encrypted reply searchable. */
function findIds(...texts: string[]): string[] {
  const ids = texts.flatMap(text => text.match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi) ?? [])
  return [...new Set(ids.map(id => id.toLowerCase()))]
}

/** Deletes replies that contain any of these ids, for erasure. A repeated request then runs its work again. */
export async function eraseReplies(tx: Tx, ids: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from idempotency_keys where tenant_id = ${tenantId} and (route, key) in (
      select route, key from idempotency_references where tenant_id = ${tenantId} and referenced_id = any(${ids}::uuid[]))`.execute(
    tx,
  )
}

/** True if a stored reply contains this id, or answered a request that did. */
export async function isReplyStored(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('idempotency_references')
    .select('route')
    .where('tenant_id', '=', getTenantId(tx))
    .where('referenced_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Deletes all replies of a route (method and path). For routes that change nothing and whose replies contain no ids.
 */
export async function eraseRouteReplies(tx: Tx, route: string): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', getTenantId(tx))
    .where('route', '=', route)
    .execute()
}

/** Locks the key until the transaction ends, so that a crashed request never leaves its key locked. */
async function lockKey(tx: Tx, route: string, key: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${getTenantId(tx)}::text || ${route} || ${key}, 0)) as locked`.execute(
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

/** Returns when the first reply expires; null if there is none. */
export async function findNextReplyExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(created_at) + make_interval(hours => ${ttlHours}) as at from idempotency_keys
    where tenant_id = ${getTenantId(tx)}`.execute(tx)
  return rows[0]!.at
}

/** Deletes expired replies of the transaction's tenant. */
export async function deleteExpiredReplies(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', getTenantId(tx))
    .where('created_at', '<=', sql<Date>`${sqlNow(tx)} - make_interval(hours => ${ttlHours})`)
    .execute()
}
