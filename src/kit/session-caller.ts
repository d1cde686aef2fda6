/** People as callers: the cookie of their session in place of a key, and what keeps other sites from using it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './caller.ts'
import type { Database } from './db/index.ts'
import { invalidInput, Problem } from './problem.ts'
import { createSessions, readSessionCookie, type SessionHolder } from './session.ts'

export interface SessionOptions {
  /** The address that people use. With https the cookie is for https alone. */
  publicUrl: string
  /** What agents may do; owners and admins may do everything. */
  agentScopes: string[]
}

export interface CallerRequest {
  method: string
  headers: IncomingHttpHeaders
}

/** Null: the request has no session cookie. Throws 401 if its session has ended, 403 if another site sent the request. */
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

/** Throws 403 for a request that a page of another site may have sent: browsers say where it comes from. */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin') return
  throw new Problem(
    'ORIGIN_NOT_ALLOWED',
    'Only the dashboard itself may send this. A program sends the header Origin with the address of the service, or uses a key.',
  )
}

/** The 401 for a person whose session was ended or has expired. */
export function sessionEnded(): Problem {
  return new Problem('UNAUTHENTICATED', 'Your session has ended. Sign in again.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** The 401 for somebody who has no session. */
export function notSignedIn(): Problem {
  return new Problem('UNAUTHENTICATED', 'You are not signed in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

const isSafeMethod = (method: string) => method === 'GET' || method === 'HEAD'

/** Behind a proxy the host may be another than the public one, and the connection plain. */
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
