/** The headers of a request that routes read: If-Match and Idempotency-Key. */
import type { FastifyRequest } from 'fastify'
import { type IfMatch, parseIfMatch } from '../etag.ts'
import { idempotencyKeyLengthMax } from '../idempotency.ts'
import { type InputError, invalidInput, Problem } from '../problem.ts'
import type { JsonRoute, Route } from '../route.ts'

/**
 * Reads If-Match of a write. What has no ETag matches none (RFC 9110, section 13.1.1): changing it all the same would lose what the
 * caller wanted guarded. `*` only demands that there is something.
 */
export function readIfMatch(
  { method, matchesETag }: Pick<JsonRoute, 'method' | 'matchesETag'>,
  { headers }: FastifyRequest,
): IfMatch | null {
  const header = headers['if-match']
  if (method === 'GET' || header === undefined) return null
  const ifMatch = parseIfMatch(header)
  if (matchesETag || ifMatch === '*') return ifMatch
  throw new Problem('PRECONDITION_FAILED', 'This route supports no ETag. Send the request without If-Match.')
}

/** The key of a POST; null if there is none. */
export function readIdempotencyKey(
  { method }: Pick<JsonRoute, 'method'>,
  request: FastifyRequest,
): string | null {
  const key = request.headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return null
  if (typeof key === 'string' && key.length > 0 && key.length <= idempotencyKeyLengthMax) return key
  throw invalidInput(
    '/Idempotency-Key',
    'WRONG_LENGTH',
    `The header Idempotency-Key must hold 1 to ${idempotencyKeyLengthMax} characters.`,
  )
}

/** The errors of both. */
export function checkHeaders(route: Route, request: FastifyRequest): InputError[] {
  return [readIfMatch, readIdempotencyKey].flatMap(read => {
    try {
      read(route, request)
      return []
    } catch (error) {
      return (error as Problem).errors ?? []
    }
  })
}
