/** The error of every call: a refusal by the API, or a call without a valid reply. */
import type { Problem } from './types.generated.ts'

interface Details {
  status?: number
  requestId?: string | null
  errors?: NonNullable<Problem['errors']>
  existingLeadId?: string
  mergedIntoLeadId?: string
  retryAfterMs?: number | null
  cause?: unknown
}

/**
 * Thrown by every call. Programs should check `code`: a code of the API, or `CONNECTION_FAILED`, `TIMEOUT`,
 * `WAIT_TIMEOUT` or `UNEXPECTED_REPLY` (the reply is not from this API).
 */
export class AldabaError extends Error {
  override readonly name = 'AldabaError'
  readonly code: string
  /** HTTP status; null if there was no reply. */
  readonly status: number | null
  /** The id of the request, for support requests to the operator; null if there was no reply. */
  readonly requestId: string | null
  /** The invalid values, if the code is INVALID_INPUT. */
  readonly errors: NonNullable<Problem['errors']>
  /** The existing lead, if the code is LEAD_EXISTS; otherwise null. */
  readonly existingLeadId: string | null
  /** The lead that the requested one was merged into, if the code is NOT_FOUND; otherwise null. */
  readonly mergedIntoLeadId: string | null
  /** The wait before a retry, as the API states it in Retry-After, in milliseconds; null if it does not. */
  readonly retryAfterMs: number | null

  constructor(code: string, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.errors = details.errors ?? []
    this.existingLeadId = details.existingLeadId ?? null
    this.mergedIntoLeadId = details.mergedIntoLeadId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}

/** The error for a reply with a status other than 2xx. */
export function toError(response: Response, body: unknown): AldabaError {
  const { status, headers } = response
  const details = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after')),
  }
  if (isProblem(body)) {
    return new AldabaError(body.code, body.message, {
      ...details,
      ...(body.errors ? { errors: body.errors } : {}),
      ...(body.existingLeadId ? { existingLeadId: body.existingLeadId } : {}),
      ...(body.mergedIntoLeadId ? { mergedIntoLeadId: body.mergedIntoLeadId } : {}),
    })
  }
  const location = headers.get('location')
  const advice = location
    ? ` and redirects to ${location}. Check the baseUrl.`
    : ' without an error of the API. Check the baseUrl.'
  return new AldabaError('UNEXPECTED_REPLY', `The server returned ${status}${advice}`, details)
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body
}

/** Parses Retry-After, a number of seconds or a date, to milliseconds. */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
