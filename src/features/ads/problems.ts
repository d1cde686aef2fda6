/** The error codes of lead ads. */
import { Problem, type ProblemType } from '../../kit/problem.ts'
import type { ProblemFields } from '../../kit/problem-schema.ts'
import { Type } from '../../kit/schema.ts'
import { type AdError, type AdErrorCode, triedAgain } from '../../plugins/ads.ts'

export const connectionsMax = 100

export const tooManyConnections: ProblemType = {
  code: 'TOO_MANY_AD_CONNECTIONS',
  status: 422,
  meaning: 'The environment has as many connections with ad networks as it may.',
  action: 'Disconnect a page that is no longer used.',
  example: `There are ${connectionsMax} connections already, the maximum. Disconnect one that is no longer used.`,
}

export const connectionExists: ProblemType = {
  code: 'AD_PAGE_EXISTS',
  status: 409,
  meaning: 'The page is connected already.',
  action: 'Use the existing connection, or disconnect it first. `connectionId` names it.',
  example: 'This page is connected already.',
  exampleDetails: { connectionId: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f' },
}

export const pageMismatch: ProblemType = {
  code: 'AD_PAGE_MISMATCH',
  status: 422,
  meaning: 'The new credentials belong to another page.',
  action: 'Send credentials of this page, or connect the other one with `POST /ads/connections`.',
  example: 'These credentials are those of another page. Connect it with POST /ads/connections.',
}

export const adsProblemFields: ProblemFields = {
  connectionId: Type.String({
    format: 'uuid',
    description: 'The existing connection. Only on `AD_PAGE_EXISTS`.',
  }),
}

const refusal = (
  code: 'INVALID_CREDENTIALS' | 'PERMISSION_MISSING' | 'AD_NETWORK_UNAVAILABLE' | 'AD_NETWORK_REFUSED',
  meaning: string,
  action: string,
  example: string,
): ProblemType => ({ code, status: 422, meaning, action, example })

/** All codes with which a refusal of a network is reported. */
export const connectionProblems: ProblemType[] = [
  refusal(
    'INVALID_CREDENTIALS',
    'The network does not accept the credentials.',
    'Correct them. The message has the reason.',
    'Meta rejects the access token: it has expired, or it was revoked. Enter a new page token.',
  ),
  refusal(
    'PERMISSION_MISSING',
    'The credentials are valid, but may not read leads.',
    'Give them the permissions that the message names.',
    'The access token may not read the leads. Give it leads_retrieval.',
  ),
  refusal(
    'AD_NETWORK_UNAVAILABLE',
    'The ad network did not answer, or failed.',
    'Try again later.',
    'Meta does not answer at the moment. Try again later.',
  ),
  refusal(
    'AD_NETWORK_REFUSED',
    'The ad network refused the page for another reason.',
    'See the message.',
    'Meta does not know it, or the access token has no access to it.',
  ),
]

const codes: Record<AdErrorCode, string> = {
  INVALID_CREDENTIALS: 'INVALID_CREDENTIALS',
  PERMISSION_MISSING: 'PERMISSION_MISSING',
  RATE_LIMITED: 'AD_NETWORK_UNAVAILABLE',
  UNAVAILABLE: 'AD_NETWORK_UNAVAILABLE',
  NOT_FOUND: 'AD_NETWORK_REFUSED',
  REJECTED: 'AD_NETWORK_REFUSED',
}

/** The reply for a failed call of the network: our code, and its reason as a sentence. Only the caller can try again. */
export function toConnectionProblem({ code, message, retryAfterMs }: AdError): Problem {
  const type = connectionProblems.find(known => known.code === codes[code])!
  const headers = retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {}
  return new Problem(type, message.replace(triedAgain, 'Try again later.'), { headers })
}
