/**
 * Authentication: API keys in either header, sessions of users, and scopes. A revocation takes effect on the next
 * request.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { singleFlight } from './batch-calls.ts'
import type { Caller } from './caller.ts'
import { machineNow } from './clock/clock.ts'
import { type Database, isKeyNotValid } from './db/index.ts'
import { hashKeyValue, parseKeyEnvironment } from './key.ts'
import { Problem } from './problem.ts'
import { allows, type Scope } from './scope.ts'
import {
  type CallerRequest,
  createFindSessionCaller,
  notSignedIn,
  type SessionOptions,
  sessionEnded,
} from './session-caller.ts'

export type { Caller } from './caller.ts'

export interface Authenticator {
  /** Returns the caller by API key or, without one, by session. Throws 401 UNAUTHENTICATED. */
  authenticate(request: CallerRequest): Promise<Caller>
  /** Returns the user of the session, and ignores API keys. Throws 401 UNAUTHENTICATED. */
  authenticatePerson(request: CallerRequest): Promise<Caller>
  /**
   * Checks in the database that the key is still valid. Call it for replies without a transaction of the tenant; a
   * transaction checks the key itself. Throws 401 UNAUTHENTICATED.
   */
  confirm(caller: Caller): Promise<void>
  /** The same for a rate-limited key: it may take longer, and costs very little. */
  confirmRefused(caller: Caller): Promise<void>
  /** Removes a key from the cache. */
  invalidate(caller: Caller): void
}

const cacheSizeMax = 10_000
// The delay until a changed rate limit takes effect. A revocation takes effect at once.
const cacheTtlMs = 10_000
const refusalPauseMs = 20

/**
 * Creates an authenticator that caches keys for ten seconds. This is safe because the transaction that does the work
 * checks the key again (`enter_with_key`), so that a revoked key fails there, in every process.
 */
export function createAuthenticator(database: Database, options: SessionOptions): Authenticator {
  const findSessionCaller = createFindSessionCaller(database, options)
  const cachedCallers = new Map<string, { caller: Caller; untilMs: number }>()
  const uses = createUseRecorder(database)

  return {
    async authenticate(request) {
      const { headers } = request
      const hasKey = headers['x-api-key'] !== undefined || /^Bearer /i.test(headers.authorization ?? '')
      const person = hasKey ? null : await findSessionCaller(request)
      if (person) return person
      const value = readKeyHeader(headers)
      const cached = cachedCallers.get(value)
      const nowMs = machineNow()
      if (cached && cached.untilMs > nowMs && (cached.caller.expiresAtMs ?? Infinity) > nowMs) {
        uses.record(cached.caller, nowMs)
        return cached.caller
      }
      const caller = await findCaller(database, value)
      if (cachedCallers.size >= cacheSizeMax) cachedCallers.delete(cachedCallers.keys().next().value!)
      cachedCallers.set(value, { caller, untilMs: nowMs + cacheTtlMs })
      uses.record(caller, nowMs)
      return caller
    },
    async authenticatePerson(request) {
      const person = await findSessionCaller(request)
      if (!person) throw notSignedIn()
      return person
    },
    confirm: createConfirmation(database),
    confirmRefused: createConfirmation(database, refusalPauseMs),
    invalidate(caller) {
      for (const [value, entry] of cachedCallers)
        if (entry.caller.keyId === caller.keyId) cachedCallers.delete(value)
    },
  }
}

/** Concurrent calls with one key share a statement. */
function createConfirmation(database: Database, pauseMs = 0): Authenticator['confirm'] {
  const confirmOnce = singleFlight<void>({ pauseMs })
  return caller => confirmOnce(caller.keyId, () => confirmNow(database, caller))
}

async function confirmNow(database: Database, { signal: _, ...caller }: Caller): Promise<void> {
  try {
    // Without the caller's signal, because other callers wait for the same statement.
    await database.readTenant(caller, async () => {})
  } catch (error) {
    throw isKeyNotValid(error) ? toUnauthenticated(caller) : error
  }
}

/** Throws 403 INSUFFICIENT_SCOPE, naming the scope, if the caller lacks it. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (allows(caller.scopes, scope)) return
  const message = caller.userId
    ? `Your role does not allow this: agents lack the scope ${scope}.`
    : `This key lacks the scope ${scope}.`
  throw new Problem('INSUFFICIENT_SCOPE', message)
}

/** The 401 for a caller whose key or session has become invalid. */
export function toUnauthenticated({ userId }: Pick<Caller, 'userId'>): Problem {
  return userId ? sessionEnded() : invalidKey()
}

/** The 401 for a key that is unknown, revoked or expired. It does not reveal which. */
export function invalidKey(): Problem {
  return new Problem('UNAUTHENTICATED', 'This API key is not valid: it is unknown, revoked or expired.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

function readKeyHeader(headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  const value = headers['x-api-key'] ?? bearer
  if (typeof value !== 'string' || value === '') {
    throw new Problem(
      'UNAUTHENTICATED',
      'Send an API key in the header X-Api-Key, or as Authorization: Bearer.',
      {
        headers: { 'WWW-Authenticate': 'Bearer' },
      },
    )
  }
  if (!parseKeyEnvironment(value)) {
    throw new Problem(
      'UNAUTHENTICATED',
      'This is not an API key of this service: it was mistyped or truncated. Check it, and send the whole key.',
      {
        headers: { 'WWW-Authenticate': 'Bearer' },
      },
    )
  }
  return value
}

async function findCaller(database: Database, value: string): Promise<Caller> {
  const key = await database.findApiKey(hashKeyValue(value))
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt.getTime() <= machineNow())) throw invalidKey()
  return {
    tenantId: key.tenantId,
    workspaceId: key.workspaceId,
    keyId: key.id,
    userId: null,
    role: null,
    environment: key.environment,
    scopes: key.scopes,
    requestsPerMinute: key.requestsPerMinute,
    expiresAtMs: key.expiresAt?.getTime() ?? null,
  }
}

const useResolutionMs = 60_000

/** Records when a key was last used, at most once a minute per key, without delaying the request. */
function createUseRecorder(database: Database) {
  const recordedAtMs = new Map<string, number>()
  return {
    record(caller: Caller, nowMs: number): void {
      if (nowMs - (recordedAtMs.get(caller.keyId) ?? 0) < useResolutionMs) return
      if (recordedAtMs.size >= cacheSizeMax) recordedAtMs.clear()
      recordedAtMs.set(caller.keyId, nowMs)
      database
        .withTenant({ tenantId: caller.tenantId }, tx =>
          tx
            .insertInto('key_uses')
            .values({ tenant_id: caller.tenantId, key_id: caller.keyId, last_used_at: new Date(nowMs) })
            .onConflict(conflict =>
              conflict.columns(['tenant_id', 'key_id']).doUpdateSet({ last_used_at: new Date(nowMs) }),
            )
            .execute(),
        )
        // Ignore errors: the next use writes it.
        .catch(() => recordedAtMs.delete(caller.keyId))
    },
  }
}
