/** The errors of the Bot API as failures of the contract, with a sentence for people. */
import { type HttpFailure, type HttpReply, parseRetryAfterMs } from '../../../kit/http/client.ts'
import { parseJson } from '../../../kit/json-limits.ts'
import { asNumber, asObject, asText, truncate } from '../../../kit/json-values.ts'
import type { ChatFailure, ChatFailureCode } from '../../chat.ts'

/** `isCertain`: Telegram did not do what was requested. `description`: the reason in its words; may be empty. */
export interface CallFailure {
  failure: ChatFailure
  isCertain: boolean
  description: string
}

const dayMs = 86_400_000
const descriptionMax = 300

interface Meaning {
  code: ChatFailureCode
  message: string
  scope: ChatFailure['scope']
  isRetryable?: boolean
}

const unavailable: Meaning = {
  code: 'PROVIDER_UNAVAILABLE',
  message: 'Telegram does not answer at the moment.',
  scope: 'account',
  isRetryable: true,
}
const unreachable: Meaning = {
  code: 'RECIPIENT_UNREACHABLE',
  message: 'The bot can’t write to this person, who must write to it first. Use another channel.',
  scope: 'recipient',
}
const blocked: Meaning = {
  code: 'RECIPIENT_BLOCKED',
  message: 'The person has blocked the bot. Do not write to them again.',
  scope: 'recipient',
}
const rateLimited: Meaning = {
  code: 'RATE_LIMITED',
  message: 'Telegram accepts no more messages of this bot at the moment.',
  scope: 'account',
  isRetryable: true,
}
const loggedOut: Meaning = {
  code: 'INVALID_CREDENTIALS',
  message:
    'Telegram does not accept the token of the bot. Copy the present one from @BotFather, and connect again.',
  scope: 'account',
}
const mediaRejected: Meaning = {
  code: 'MEDIA_REJECTED',
  message: 'Telegram does not accept the file. Send another format or a smaller file.',
  scope: 'message',
}
const rejected: Meaning = {
  code: 'MESSAGE_REJECTED',
  message: 'Telegram does not accept the message. Change it and send it again.',
  scope: 'message',
}

/** By the description, which has no code of its own; the first that matches counts. */
const meanings: readonly (readonly [pattern: RegExp, meaning: Meaning])[] = [
  [/blocked by the user/i, blocked],
  [
    /user is deactivated/i,
    { ...unreachable, message: 'The person has deleted their Telegram account. Use another channel.' },
  ],
  [
    /upgraded to a supergroup|migrated/i,
    { ...unreachable, message: 'The chat has moved. Only private chats are supported.' },
  ],
  [
    /chat not found|user not found|peer_id_invalid|initiate conversation|can't send messages to bots/i,
    unreachable,
  ],
  [
    /voice_messages_forbidden/i,
    { ...mediaRejected, message: 'The person accepts no voice notes and video notes. Write a text.' },
  ],
  [
    /reaction_invalid|reaction_not_allowed/i,
    { ...rejected, message: 'Telegram does not have this reaction. Choose one of its usual emoji.' },
  ],
  [
    /too (big|large)|dimensions|image_process|wrong type of the web page|file[ _]id|wrong file|media/i,
    mediaRejected,
  ],
]

/** The failure of a reply that has no result. */
export function toReplyFailure(reply: HttpReply): CallFailure {
  const error = parseError(reply.body)
  const status = error?.code ?? reply.status
  const waitMs = Math.max((error?.retryAfterS ?? 0) * 1000, parseRetryAfterMs(reply))
  const description = error?.description ?? ''
  const meaning = findMeaning(status, description)
  const says = meaning === rejected && description ? ` Telegram says: ${description}` : ''
  return {
    description,
    failure: toChatFailure(meaning, { providerCode: String(status), waitMs, says }),
    // A server that says `ok: false` has not done it. A gateway in between does not know.
    isCertain: error !== null || (status >= 300 && status < 500),
  }
}

function findMeaning(status: number, description: string): Meaning {
  if (status === 401 || status === 404) return loggedOut
  if (status === 429 || status === 420) return rateLimited
  if (status === 413) return mediaRejected
  if (status >= 500) return unavailable
  const known = meanings.find(([pattern]) => pattern.test(description))?.[1]
  if (known) return known
  if (status === 403) return unreachable
  return status >= 400 ? rejected : unavailable
}

/** Null: the body is not an error of the Bot API. */
function parseError(body: Buffer) {
  try {
    const reply = asObject(parseJson(body.toString()))
    if (reply?.ok !== false) return null
    return {
      code: asNumber(reply.error_code),
      description: truncate(asText(reply.description) ?? '', descriptionMax),
      retryAfterS: Math.max(0, asNumber(asObject(reply.parameters)?.retry_after) ?? 0),
    }
  } catch {
    return null
  }
}

/** The failure of a request without a reply. */
export function toConnectionFailure(error: HttpFailure): CallFailure {
  return {
    failure: toChatFailure(unavailable, { providerCode: null, waitMs: 0, says: '' }),
    isCertain: !error.isSent,
    description: '',
  }
}

function toChatFailure(
  { code, message, scope, isRetryable = false }: Meaning,
  { providerCode, waitMs, says }: { providerCode: string | null; waitMs: number; says: string },
): ChatFailure {
  const sentence = `${message}${says}`
  return {
    code,
    providerCode,
    message: /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    retryable: isRetryable,
    retryAfterMs: isRetryable ? Math.min(dayMs, waitMs) : 0,
    scope,
  }
}

/** A failure that this program finds before it calls Telegram. */
export function refuse(
  code: ChatFailureCode,
  message: string,
  scope: ChatFailure['scope'] = 'message',
): ChatFailure {
  return { code, providerCode: null, message, retryable: false, retryAfterMs: 0, scope }
}
