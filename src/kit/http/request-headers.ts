/** Reads the request headers If-Match and Idempotency-Key. */
import type { FastifyRequest } from 'fastify'
import { type IfMatch, parseIfMatch } from '../etag.ts'
import { idempotencyKeyLengthMax } from '../idempotency.ts'
import { type InputError, invalidInput, Problem } from '../problem.ts'
import type { JsonRoute, Route } from '../route.ts'

/**
 * Reads If-Match of a write; null if it is absent. A resource without an ETag never matches (RFC 9110, section 13.1.1),
 * so the write is refused with 412 PRECONDITION_FAILED. `*` only requires that the resource exists.
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

/** Reads Idempotency-Key of a POST; null if it is absent. Throws 400 for a wrong length. */
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
    `The header Idempotency-Key must have 1 to ${idempotencyKeyLengthMax} characters.`,
  )
}

/** The input errors of both headers. */
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
