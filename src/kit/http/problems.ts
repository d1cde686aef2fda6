/** Converts thrown errors into problems, and sends them. */
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { invalidKey } from '../auth.ts'
import { isDatabaseUnavailable, isKeyNotValid, sqlState } from '../db/index.ts'
import { newId } from '../id.ts'
import { listedErrorsMax, Problem } from '../problem.ts'
import { defaultBodyMaxBytes, explainBodyTooLarge } from '../route.ts'

const invalidCharacterCodes = new Set(['22021', '22P05'])
const statementTimeout = '57014'

/**
 * Converts an error into a problem. An unexpected error becomes a 500 whose cause is only logged. `bodyMaxBytes` is the
 * limit of the route, for the message of a 413.
 */
export function toProblem(error: unknown, bodyMaxBytes = defaultBodyMaxBytes): Problem {
  if (error instanceof Problem) return error
  if (isKeyNotValid(error)) return invalidKey()
  if (isDatabaseUnavailable(error) || sqlState(error) === statementTimeout) {
    return new Problem('UNAVAILABLE', 'The service is busy or restarting. Try again in a moment.', {
      headers: { 'Retry-After': '2' },
      cause: error,
    })
  }
  if (invalidCharacterCodes.has(sqlState(error) ?? '')) return invalidCharacters(error)
  return (
    fromFastify(error, bodyMaxBytes) ??
    new Problem('INTERNAL', 'Something went wrong on our side. It has been recorded under the request id.', {
      cause: error,
    })
  )
}

/** The 400 for U+0000 in a URL. In bodies such characters are removed instead. */
export function invalidCharacters(cause?: unknown): Problem {
  return new Problem(
    'INVALID_INPUT',
    'The request contains characters that cannot be stored, such as U+0000. Remove them.',
    { cause },
  )
}

function fromFastify(error: unknown, bodyMaxBytes: number): Problem | null {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('PAYLOAD_TOO_LARGE', explainBodyTooLarge(bodyMaxBytes))
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send JSON with the header Content-Type: application/json.')
  }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Problem('INVALID_INPUT', 'The URL has a part that is too long or wrongly encoded.')
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new Problem('MALFORMED_JSON', 'The body is not valid JSON.')
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new Problem('INVALID_INPUT', `The request cannot be read: ${(error as Error).message}.`)
  }
  return null
}

const rawErrors: Record<string, [status: string, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'INVALID_INPUT',
    'The headers are larger than 16 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'REQUEST_TIMEOUT',
    'The request was not complete within a minute.',
  ],
}

/** Replies on the raw socket to a request that is not HTTP, whose headers are too large, or that arrives too slowly. */
export function replyToMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const requestId = newId()
  const [status, code, message] = rawErrors[error.code ?? ''] ?? [
    '400 Bad Request',
    'INVALID_INPUT',
    'This is not a valid HTTP/1.1 request.',
  ]
  const statusCode = Number.parseInt(status, 10)
  const body = JSON.stringify({ statusCode, code, message, requestId })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** A problem as JSON. Lists the first hundred errors; `moreErrors` counts the others. */
export function toProblemJson(
  { status, code, message, errors, details }: Problem,
  requestId: string,
): string {
  const listed = errors?.slice(0, listedErrorsMax)
  const more = (errors?.length ?? 0) - listedErrorsMax
  return JSON.stringify({
    statusCode: status,
    code,
    message,
    requestId,
    ...details,
    ...(listed ? { errors: listed } : {}),
    ...(more > 0 ? { moreErrors: more } : {}),
  })
}

/**
 * Sends a problem. Async handlers must return the reply: otherwise Fastify considers it unsent while it is compressed.
 */
export function sendProblem(problem: Problem, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(toProblemJson(problem, reply.request.id))
}
