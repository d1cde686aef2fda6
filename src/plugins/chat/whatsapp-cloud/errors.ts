/** Turns what went wrong with a call of the Graph API into our failure. */

import type { HttpReply } from '../../../kit/http/client.ts'
import { HttpFailure } from '../../../kit/http/http-failure.ts'
import type { ChatFailure } from '../../chat.ts'
import { asNumber, asObject, asText } from '../../graph-kit/json.ts'
import { findErrorObject, parseWaitMs } from '../../graph-kit/replies.ts'
import { rejected, toKnownError, unavailable, uncertain, wrongSecret } from './error-codes.ts'
import type { KnownError } from './known-error.ts'

/** `isCertain`: the message was certainly not sent. */
export interface GraphFailure {
  failure: ChatFailure
  isCertain: boolean
}

const detailsMax = 300
const day = 24 * 3_600_000

/** The failure of an error object, from a reply or from the webhook, which both have the same form. */
export function toFailure(
  error: Record<string, unknown>,
  { waitMs = 0, status = 400 }: { waitMs?: number; status?: number } = {},
): GraphFailure {
  const code = asNumber(error.code)
  const known = findMeaning(error, code, status)
  const isCertain = !known.isUncertain
  return {
    isCertain,
    failure: {
      code: known.code,
      providerCode: code === null ? null : String(code),
      message: known.message + (known.hasDetails ? toDetails(error) : ''),
      retryable: known.retryable,
      retryAfterMs: known.retryable ? Math.min(day, Math.max(known.waitMs, waitMs)) : 0,
      scope: known.scope,
    },
  }
}

function findMeaning(error: Record<string, unknown>, code: number | null, status: number): KnownError {
  // Graph has one code for all invalid parameters. Its subcode 33 says that the object does not exist.
  if (code === 100 && /appsecret_proof/.test(asText(error.message) ?? '')) return wrongSecret
  const isMissing = code === 100 && asNumber(error.error_subcode) === 33
  const known = code === null ? undefined : toKnownError(isMissing ? 33 : code)
  if (known) return known
  if (error.is_transient === true) return unavailable
  return status >= 500 ? uncertain : rejected
}

function toDetails(error: Record<string, unknown>): string {
  const data = asObject(error.error_data)
  const text =
    asText(data?.details) ??
    asText(error.error_data) ??
    asText(error.error_user_msg) ??
    asText(error.message) ??
    asText(error.title)
  if (!text) return ''
  const short = text.length > detailsMax ? `${text.slice(0, detailsMax).toWellFormed()}…` : text
  return ` WhatsApp says: ${short}`
}

/**
 * The failure of a reply that is not a success. Which replies prove that nothing was sent:
 *
 * - An error object of Graph with a documented code, also with a status of 500 or 503: Graph writes it instead of
 *   handing the message over. Codes for an unknown error (1, 131000, 135000), and undocumented ones with a 5xx, prove nothing.
 * - Any 4xx, and 503: the request was refused before anybody acted on it (RFC 9110, sections 15.5 and 15.6.4).
 * - 500, 502 and 504 without an error object, from a gateway in between, prove nothing: the answer was lost, and the
 *   message may have been sent.
 */
export function toReplyFailure(reply: HttpReply): GraphFailure {
  const waitMs = parseWaitMs(reply)
  const error = findErrorObject(reply.body)
  const { status } = reply
  if (error) return toFailure(error, { waitMs, status })
  if (status === 429) return toFailure({ code: 4 }, { waitMs })
  if (status === 401) return toFailure({ code: 190 })
  if (status >= 400 && status < 500) return withStatus(rejected, status, true)
  if (status === 503) return withStatus(unavailable, status, true, waitMs)
  return withStatus(uncertain, status, false)
}

function withStatus(known: KnownError, status: number, isCertain: boolean, waitMs = 0): GraphFailure {
  const failure: ChatFailure = {
    code: known.code,
    providerCode: `HTTP ${status}`,
    message: known.message,
    retryable: known.retryable,
    retryAfterMs: known.retryable ? Math.max(known.waitMs, waitMs) : 0,
    scope: known.scope,
  }
  return { failure, isCertain }
}

/** The failure of a call without a complete reply. The message is unsent only if no part of the request left. */
export function toConnectionFailure(error: unknown): GraphFailure {
  const isSent = error instanceof HttpFailure ? error.isSent : true
  return {
    isCertain: !isSent,
    failure: {
      code: 'PROVIDER_UNAVAILABLE',
      providerCode: null,
      message: `WhatsApp can’t be reached: ${(error as Error).message}.`,
      retryable: true,
      retryAfterMs: 0,
      scope: 'account',
    },
  }
}
