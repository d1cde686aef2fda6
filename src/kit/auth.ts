/** Who calls: API keys in either header, sessions of people, their scopes, and their revocation on the very next request. */

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
  /** The caller of a request: of its key, or else of its session. Throws 401 UNAUTHENTICATED. */
  authenticate(request: CallerRequest): Promise<Caller>
  /** The person who sent a request, whatever key it has. Throws 401 UNAUTHENTICATED. */
  authenticatePerson(request: CallerRequest): Promise<Caller>
  /**
   * Asks the database once more whether the key holds; for replies that are sent without entering its tenant,
   * which would tell. Throws 401 UNAUTHENTICATED.
   */
  confirm(caller: Caller): Promise<void>
  /** The same for a key that calls too often: it may take a moment, and costs next to nothing. */
  confirmRefused(caller: Caller): Promise<void>
  /** Drops what is remembered of a key. */
  invalidate(caller: Caller): void
}

const cacheSizeMax = 10_000
// How soon a change of the workspace's rate limit shows; a revocation does not wait for it.
const cacheTtlMs = 10_000
const refusalPauseMs = 20

/**
 * Remembers keys for a few seconds, which is safe because the transaction that does the work asks the database again
 * (`enter_with_key`): a key revoked a moment ago fails there, on every process.
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

/** A key's calls wait for each other: a crowd costs one statement at a time, and not one for each of them. */
function createConfirmation(database: Database, pauseMs = 0): Authenticator['confirm'] {
  const confirmOnce = singleFlight<void>({ pauseMs })
  return caller => confirmOnce(caller.keyId, () => confirmNow(database, caller))
}

async function confirmNow(database: Database, { signal: _, ...caller }: Caller): Promise<void> {
  try {
    // Others wait for it too: nobody ends it by going away.
    await database.readTenant(caller, async () => {})
  } catch (error) {
    throw isKeyNotValid(error) ? toUnauthenticated(caller) : error
  }
}

/** Throws 403 INSUFFICIENT_SCOPE, naming the scope, if the caller's key lacks it. `any` asks for a valid key alone. */
export function requireScope(caller: Caller, scope: Scope | 'any'): void {
  if (scope === 'any' || allows(caller.scopes, scope)) return
  const message = caller.userId
    ? `Your role does not allow this: agents lack the scope ${scope}.`
    : `This key lacks the scope ${scope}.`
  throw new Problem('INSUFFICIENT_SCOPE', message)
}

/** The 401 for a caller who was known a moment ago. */
export function toUnauthenticated({ userId }: Pick<Caller, 'userId'>): Problem {
  return userId ? sessionEnded() : invalidKey()
}

/** The 401 for a key that is unknown, revoked or expired: which of these is not told. */
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
      'This is not an API key of this service: it was mistyped or cut off.',
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

/** Writes when a key was last used, at most once a minute per key, after and apart from the request. */
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
        // A missed note of use is no reason to fail a request, nor to log: the next use writes it.
        .catch(() => recordedAtMs.delete(caller.keyId))
    },
  }
}
