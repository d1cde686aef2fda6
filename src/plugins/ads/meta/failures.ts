/** The replies of the Graph API as errors of the contract, each with a sentence for people. */
import { HttpFailure, type HttpReply } from '../../../kit/http/client.ts'
import { truncate } from '../../../kit/json-values.ts'
import { AdError, type AdErrorCode, triedAgain } from '../../ads.ts'
import { asNumber, asText } from '../../graph-kit/json.ts'
import { findErrorObject, parseWaitMs } from '../../graph-kit/replies.ts'

const sentences: Record<AdErrorCode, string> = {
  INVALID_CREDENTIALS:
    'Meta rejects the access token: it has expired, or it was revoked. Enter a new page token; the leads that wait are then read.',
  PERMISSION_MISSING:
    'The access token may not read the leads. Give it leads_retrieval, pages_manage_metadata, pages_read_engagement and pages_manage_ads, and the page’s access in the Leads Access Manager.',
  NOT_FOUND: 'Meta does not know it, or the access token has no access to it.',
  RATE_LIMITED: `Meta accepts no more requests for this page at the moment. ${triedAgain}`,
  UNAVAILABLE: `Meta does not answer at the moment. ${triedAgain}`,
  REJECTED: 'Meta does not accept the request.',
}
const wrongSecret =
  'The app secret is not that of the app that the access token belongs to. Copy it from App settings > Basic.'
const reasonMax = 300

export const fail = (
  code: AdErrorCode,
  {
    message = sentences[code],
    ...options
  }: { message?: string; retryAfterMs?: number; cause?: unknown } = {},
): AdError => new AdError(code, message, options)

/** https://developers.facebook.com/docs/graph-api/guides/error-handling and …/overview/rate-limiting */
const codes: Record<number, AdErrorCode> = {
  0: 'INVALID_CREDENTIALS',
  1: 'UNAVAILABLE',
  2: 'UNAVAILABLE',
  3: 'PERMISSION_MISSING',
  4: 'RATE_LIMITED',
  10: 'PERMISSION_MISSING',
  17: 'RATE_LIMITED',
  32: 'RATE_LIMITED',
  102: 'INVALID_CREDENTIALS',
  104: 'INVALID_CREDENTIALS',
  190: 'INVALID_CREDENTIALS',
  341: 'RATE_LIMITED',
  463: 'INVALID_CREDENTIALS',
  467: 'INVALID_CREDENTIALS',
  613: 'RATE_LIMITED',
  803: 'NOT_FOUND',
}

const statuses: Record<number, AdErrorCode> = {
  401: 'INVALID_CREDENTIALS',
  403: 'PERMISSION_MISSING',
  404: 'NOT_FOUND',
  408: 'UNAVAILABLE',
  429: 'RATE_LIMITED',
}

/** The error of a reply that is no success. */
export function toReplyError(reply: HttpReply): AdError {
  const error = findErrorObject(reply.body)
  const says = asText(error?.message) ?? ''
  const number = asNumber(error?.code)
  if (number === 100 && /appsecret_proof/.test(says))
    return fail('INVALID_CREDENTIALS', { message: wrongSecret })
  const code = findMeaning(number, asNumber(error?.error_subcode)) ?? toStatusMeaning(reply.status, error)
  if (code === 'REJECTED' && says) return fail(code, { message: `${sentences[code]} ${quote(says)}` })
  const waits = code === 'RATE_LIMITED' || code === 'UNAVAILABLE'
  return fail(code, { retryAfterMs: waits ? parseWaitMs(reply) : 0 })
}

function findMeaning(code: number | null, subcode: number | null): AdErrorCode | undefined {
  if (code === null) return undefined
  // One code has all invalid parameters. Its subcode 33 says that the object does not exist.
  if (code === 100 && subcode === 33) return 'NOT_FOUND'
  if (code >= 200 && code < 300) return 'PERMISSION_MISSING'
  // The limits of business use cases; 80005 is that of lead ads.
  if (code >= 80_000 && code <= 80_014) return 'RATE_LIMITED'
  return codes[code]
}

function toStatusMeaning(status: number, error: Record<string, unknown> | null): AdErrorCode {
  if (error?.is_transient === true) return 'UNAVAILABLE'
  return statuses[status] ?? (status >= 400 && status < 500 ? 'REJECTED' : 'UNAVAILABLE')
}

const quote = (text: string) =>
  `Meta says: ${truncate(text.replace(/\s+/g, ' ').trim(), reasonMax).replace(/[.?!]?$/, '.')}`

/** The error of a request without a reply; a reason to stop stays what it is. */
export const toCallError = (error: unknown): unknown =>
  error instanceof HttpFailure ? fail('UNAVAILABLE', { cause: error }) : error
