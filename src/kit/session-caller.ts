/** Authenticates users by their session cookie instead of an API key, with protection against cross-site requests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './caller.ts'
import type { Database } from './db/index.ts'
import { invalidInput, Problem } from './problem.ts'
import { createSessions, readSessionCookie, type SessionHolder } from './session.ts'

export interface SessionOptions {
  /** The URL of the service for users. With https, the cookie is sent over https only. */
  publicUrl: string
  /** The scopes of agents. Owners and admins have all scopes. */
  agentScopes: string[]
}

export interface CallerRequest {
  method: string
  headers: IncomingHttpHeaders
}

/**
 * Returns null if the request has no session cookie. Throws 401 UNAUTHENTICATED if the session has ended, and 403
 * ORIGIN_NOT_ALLOWED if another site sent the request.
 */
export type FindSessionCaller = (request: CallerRequest) => Promise<Caller | null>

export function createFindSessionCaller(
  database: Database,
  { publicUrl, agentScopes }: SessionOptions,
): FindSessionCaller {
  const sessions = createSessions(database)
  const isSecure = isSecureUrl(publicUrl)
  return async request => {
    const token = readSessionCookie(request.headers.cookie, { isSecure })
    if (token === null) return null
    if (!isSafeMethod(request.method)) requireSameOrigin(request.headers, publicUrl)
    const environment = readEnvironment(request.headers)
    const session = await sessions.find(token)
    if (!session) throw sessionEnded()
    return toCaller(session, environment, agentScopes)
  }
}

export const isSecureUrl = (publicUrl: string) => publicUrl.startsWith('https:')

/** Throws 403 ORIGIN_NOT_ALLOWED if another site may have sent the request (Sec-Fetch-Site, or else Origin). */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin') return
  throw new Problem(
    'ORIGIN_NOT_ALLOWED',
    'Only the dashboard itself may send this. From a program, use an API key, or send the header Origin with the URL of the service.',
  )
}

/** The 401 for a session that was ended or has expired. */
export function sessionEnded(): Problem {
  return new Problem('UNAUTHENTICATED', 'Your session has ended. Sign in again.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** The 401 for a request without a session. */
export function notSignedIn(): Problem {
  return new Problem('UNAUTHENTICATED', 'You are not signed in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

const isSafeMethod = (method: string) => method === 'GET' || method === 'HEAD'

/** Accepts the public origin and the host of the request: behind a proxy these may differ. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  const [own, sender] = [URL.parse(publicUrl), URL.parse(origin ?? '')]
  if (!sender || !own) return false
  return sender.origin === own.origin || (sender.protocol === own.protocol && sender.host === host)
}

function readEnvironment(headers: IncomingHttpHeaders): 'live' | 'test' {
  const environment = headers['x-environment'] ?? 'live'
  if (environment === 'live' || environment === 'test') return environment
  throw invalidInput('/X-Environment', 'NOT_ALLOWED', 'The header X-Environment must be live or test.')
}

function toCaller(session: SessionHolder, environment: 'live' | 'test', agentScopes: string[]): Caller {
  return {
    tenantId: environment === 'live' ? session.liveTenantId : session.testTenantId,
    workspaceId: session.workspaceId,
    keyId: session.id,
    userId: session.userId,
    role: session.role,
    environment,
    scopes: session.role === 'agent' ? agentScopes : [],
    requestsPerMinute: session.requestsPerMinute,
    expiresAtMs: session.expiresAt.getTime(),
  }
}
