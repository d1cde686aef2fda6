/** What a route may refuse a request for: the scopes that it needs, and the errors that it has. */
import { rangeNotSatisfiable } from './byte-range.ts'
import type { ProblemCode, ProblemType } from './problem.ts'
import type { Route } from './route.ts'
import type { Scope } from './scope.ts'

/** Returns the scopes that the key needs. */
export const listScopes = ({ scope, alsoScope }: Pick<Route, 'scope' | 'alsoScope'>): Scope[] => [
  ...(scope === 'any' ? [] : [scope]),
  ...(alsoScope ? [alsoScope] : []),
]

/** Returns every error that this route can reply with, in the order of the checks. */
export function listProblems(route: Route): (ProblemCode | ProblemType)[] {
  const codes: (ProblemCode | ProblemType)[] = ['UNAUTHENTICATED']
  if (listScopes(route).length > 0) codes.push('INSUFFICIENT_SCOPE')
  codes.push('RATE_LIMITED', 'TOO_MANY_CONCURRENT_REQUESTS', 'INVALID_INPUT')
  if (route.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  if (route.method !== 'GET') codes.push(route.upload ? 'REQUEST_TIMEOUT' : 'MALFORMED_JSON')
  if (route.params) codes.push('NOT_FOUND')
  if ('acceptsRange' in route) codes.push(rangeNotSatisfiable)
  if (route.matchesETag || route.method !== 'GET') codes.push('PRECONDITION_FAILED')
  if (route.method === 'POST') codes.push('IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_MISMATCH')
  codes.push(...(route.errors ?? []), 'INTERNAL', 'UNAVAILABLE')
  return [...new Set(codes)]
}
