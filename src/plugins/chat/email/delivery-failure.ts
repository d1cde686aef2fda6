/** Why a mail server did not accept or deliver a message: by the enhanced status code (RFC 3463) or the reply code. */
import type { ChatFailure, ChatFailureCode } from '../../chat.ts'
import { createFailure } from './failures.ts'

export interface ServerRefusal {
  /** Such as `5.1.1`; null: the server gave none. */
  enhancedCode: string | null
  /** Such as 550; null: not known, as in most bounces. */
  replyCode: number | null
  /** The command that the server answered: `RCPT TO`, `DATA`, … */
  command: string | null
}

interface Meaning {
  code: ChatFailureCode
  scope: ChatFailure['scope']
  sentence: string
}

const noMailbox: Meaning = {
  code: 'RECIPIENT_UNREACHABLE',
  scope: 'recipient',
  sentence: 'The address does not exist or no longer receives mail. Check the address.',
}
const fullMailbox: Meaning = {
  code: 'RECIPIENT_LIMIT',
  scope: 'message',
  sentence: "The person's mailbox is full. Try again in some days, or use another channel.",
}
const tooLarge: Meaning = {
  code: 'MEDIA_REJECTED',
  scope: 'message',
  sentence: 'The message is too large for the mail server. Send a smaller file or a link.',
}
/** One server does not trust the sender. Others may, so the account is not restricted. */
const unauthenticated: Meaning = {
  code: 'MESSAGE_REJECTED',
  scope: 'message',
  sentence:
    "The person's mail server does not trust the sender's domain. Ask its administrator to set up SPF, DKIM and DMARC.",
}
const tooMany: Meaning = {
  code: 'RATE_LIMITED',
  scope: 'account',
  sentence: 'The mail server accepts no more messages of this account at the moment.',
}
const policy: Meaning = {
  code: 'MESSAGE_REJECTED',
  scope: 'message',
  sentence: 'The mail server refused the message by its rules, for example as spam. Change the text.',
}
const senderRefused: Meaning = {
  code: 'PERMISSION_MISSING',
  scope: 'account',
  sentence: 'The mail server does not let this user send from the address of the account. Check the address.',
}
const unavailable: Meaning = {
  code: 'PROVIDER_UNAVAILABLE',
  scope: 'message',
  sentence: "The mail server can't accept the message at the moment.",
}
const refused: Meaning = {
  code: 'MESSAGE_REJECTED',
  scope: 'message',
  sentence: 'The mail server refused the message.',
}

/** By class.subject.detail or a prefix of it; `x`: any class. The longest entry decides. */
const meanings: Record<string, Meaning> = {
  'x.1': noMailbox,
  'x.1.7': senderRefused,
  'x.1.8': senderRefused,
  '4.1': unavailable,
  'x.2': noMailbox,
  '4.2': unavailable,
  'x.2.2': fullMailbox,
  'x.2.3': tooLarge,
  'x.3': unavailable,
  '5.3': refused,
  'x.3.4': tooLarge,
  'x.4': unavailable,
  '5.4': noMailbox,
  '5.4.5': tooMany,
  '5.4.6': refused,
  'x.5': refused,
  '4.5': unavailable,
  'x.5.3': tooMany,
  'x.6': refused,
  'x.7': policy,
  '4.7': unavailable,
  '4.7.28': tooMany,
  'x.7.20': unauthenticated,
  'x.7.21': unauthenticated,
  'x.7.22': unauthenticated,
  'x.7.23': unauthenticated,
  'x.7.25': unauthenticated,
  'x.7.26': unauthenticated,
  'x.7.27': unauthenticated,
  'x.7.29': unauthenticated,
  'x.7.60': senderRefused,
}

/** Greylisting (RFC 6647): servers accept the message when it is tried again after some minutes. */
const greylistingMs = 5 * 60_000
const tooManyMs = 60 * 60_000

/** A temporary refusal may be tried again; a permanent one never. */
export function toDeliveryFailure(refusal: ServerRefusal): ChatFailure {
  const { enhancedCode, replyCode } = refusal
  const isTemporary = (enhancedCode ?? String(replyCode ?? 5)).startsWith('4')
  const { code, scope, sentence } = findMeaning(refusal)
  return createFailure(code, sentence, {
    providerCode: enhancedCode ?? (replyCode === null ? null : String(replyCode)),
    retryable: isTemporary,
    retryAfterMs: isTemporary ? (code === 'RATE_LIMITED' ? tooManyMs : greylistingMs) : 0,
    scope,
  })
}

function findMeaning({ enhancedCode, replyCode, command }: ServerRefusal): Meaning {
  if (enhancedCode !== null) {
    const [first, second, third] = enhancedCode.split('.')
    const keys = [`${first}.${second}.${third}`, `x.${second}.${third}`, `${first}.${second}`, `x.${second}`]
    const key = keys.find(key => Object.hasOwn(meanings, key))
    // `5.0.0`: the reply code says more.
    if (key !== undefined) return meanings[key]!
  }
  return findReplyMeaning(replyCode, command)
}

function findReplyMeaning(replyCode: number | null, command: string | null): Meaning {
  if (command === 'MAIL FROM' && (replyCode === 550 || replyCode === 553)) return senderRefused
  if (replyCode === 552 || replyCode === 452) return command === 'RCPT TO' ? fullMailbox : tooLarge
  if (replyCode !== null && replyCode < 500) return unavailable
  const isAboutRecipient = command === null || command === 'RCPT TO'
  return isAboutRecipient && [550, 551, 553].includes(replyCode ?? 0) ? noMailbox : refused
}
