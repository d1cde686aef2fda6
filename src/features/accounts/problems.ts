/** The error codes of accounts. */
import { Problem, type ProblemType } from '../../kit/problem.ts'
import type { ProblemFields } from '../../kit/problem-schema.ts'
import { Type } from '../../kit/schema.ts'
import type { ChatFailure, ChatFailureCode } from '../../plugins/chat.ts'

export const accountExists: ProblemType = {
  code: 'ACCOUNT_EXISTS',
  status: 409,
  meaning: 'The number, bot or mailbox is connected already.',
  action: 'Use the existing account, or disconnect it first. `accountId` names it.',
  example: 'This account of sandbox is connected already.',
  exampleDetails: { accountId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f' },
}

export const accountDisconnected: ProblemType = {
  code: 'ACCOUNT_DISCONNECTED',
  status: 409,
  meaning: 'The account is disconnected: it has no credentials.',
  action: 'Connect it again with `POST /accounts`. It keeps its id and its conversations.',
  example: 'The account is disconnected. Connect it again with POST /accounts.',
}

export const accountMismatch: ProblemType = {
  code: 'ACCOUNT_MISMATCH',
  status: 422,
  meaning: 'The new credentials belong to another number, bot or mailbox.',
  action: 'Send credentials of this account, or connect the other one with `POST /accounts`.',
  example: 'These credentials are those of another account. Connect it with POST /accounts.',
}

export const accountsMax = 200

export const tooManyAccounts: ProblemType = {
  code: 'TOO_MANY_ACCOUNTS',
  status: 422,
  meaning: 'The environment has as many connected accounts as it may.',
  action: 'Disconnect an account that is no longer used.',
  example: `There are ${accountsMax} accounts already, the maximum. Disconnect one that is no longer used.`,
}

const refusal = (
  code: ChatFailureCode | 'PROVIDER_REFUSED',
  meaning: string,
  action: string,
  example: string,
): ProblemType => ({ code, status: 422, meaning, action, example })

const refusals = [
  refusal(
    'INVALID_CREDENTIALS',
    'The provider does not accept the credentials of the account.',
    'Correct them. The message has the reason of the provider.',
    'The provider does not accept the access token: it has expired. Create a new one.',
  ),
  refusal(
    'PERMISSION_MISSING',
    'The credentials are valid, but not for this work.',
    'Give them the permission that the message names.',
    'The token lacks the permission to send messages.',
  ),
  refusal(
    'FORBIDDEN_HOST',
    'A host in the credentials is unknown or inside a private network.',
    'Enter a host that can be reached on the internet. The operator may allow private networks with `ALLOWED_PRIVATE_RANGES`.',
    'mail.internal is inside a private network.',
  ),
  refusal(
    'ACCOUNT_RESTRICTED',
    'The provider restricts the account.',
    'See the message, and what the provider shows you.',
    'The provider has restricted this number.',
  ),
  refusal(
    'ACCOUNT_BANNED',
    'The provider has banned the account.',
    'Connect another account, or appeal with the provider.',
    'The provider has banned this number.',
  ),
  refusal(
    'PROVIDER_UNAVAILABLE',
    'The provider did not answer, or failed.',
    'Try again later.',
    'The provider does not answer. Try again later.',
  ),
  refusal(
    'PROVIDER_REFUSED',
    'The provider refused the account for another reason.',
    'See the message.',
    'The provider refused the request.',
  ),
] as const

/** All codes with which a provider's refusal is reported. */
export const connectionProblems: ProblemType[] = [...refusals]

/** The reply for a failed call to the provider: our code, and the provider's reason as a sentence. */
export function toConnectionProblem({ code, message, retryAfterMs }: ChatFailure): Problem {
  const wanted = code === 'RATE_LIMITED' ? 'PROVIDER_UNAVAILABLE' : code
  const type = connectionProblems.find(({ code }) => code === wanted) ?? connectionProblems.at(-1)!
  const headers = retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {}
  return new Problem(type, message, {
    headers,
    ...(code === 'INVALID_CREDENTIALS'
      ? { errors: [{ path: '/credentials', code, message: 'are not accepted by the provider' }] }
      : {}),
  })
}

export const accountProblemFields: ProblemFields = {
  accountId: Type.String({ format: 'uuid', description: 'The existing account. Only on `ACCOUNT_EXISTS`.' }),
}
