/** The one error of the client: a refusal of the API, or a call that never got an answer. */
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
 * Thrown by every call. `code` is what programs look at: one of the API's own, or of the client
 * `CONNECTION_FAILED`, `TIMEOUT`, `WAIT_TIMEOUT` and `UNEXPECTED_REPLY` (what answered is not this API).
 */
export class AldabaError extends Error {
  override readonly name = 'AldabaError'
  readonly code: string
  /** HTTP status; null if there was no reply. */
  readonly status: number | null
  /** Name it when you ask the operator for help. */
  readonly requestId: string | null
  /** What is wrong with which value, if the code is INVALID_INPUT. */
  readonly errors: NonNullable<Problem['errors']>
  /** Of LEAD_EXISTS, the lead that it is already; null of anything else. */
  readonly existingLeadId: string | null
  /** Of NOT_FOUND, the lead that the one asked for was merged into; null if it was not. */
  readonly mergedIntoLeadId: string | null
  /** How long the API asks to wait before another try; null if it does not say. */
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

/** The error that a reply other than 2xx stands for. */
export function toError(response: Response, body: unknown): AldabaError {
  const { status, headers } = response
  const details = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
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
    ? ` and points to ${location}: is that the baseUrl?`
    : ' without an error of the API.'
  return new AldabaError('UNEXPECTED_REPLY', `The server answers ${status}${advice}`, details)
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body
}

/** Retry-After is a number of seconds or a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
