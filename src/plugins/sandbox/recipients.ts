/** Recipients of the test environment with a fixed outcome, as payment providers have test cards. */
import type { ChatFailure, ChatIdentity } from '../chat.ts'

export interface SandboxRecipient {
  /** The local part of an address, and the value of a sandbox identity. */
  name: string
  /** The end of the phone number, which begins with `+346000000`, and of the Telegram id. */
  number: string
  /** Null: the result is unknown. */
  failure: Omit<ChatFailure, 'providerCode'> | null
  /** Messages that are older than this arrive. Default: none does. */
  lastsMs?: number
}

const minuteMs = 60_000

export const sandboxRecipients: readonly SandboxRecipient[] = [
  {
    name: 'unreachable',
    number: '01',
    failure: {
      code: 'RECIPIENT_UNREACHABLE',
      message: 'The recipient can’t be reached on this channel. Use another one.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'recipient',
    },
  },
  {
    name: 'blocked',
    number: '02',
    failure: {
      code: 'RECIPIENT_BLOCKED',
      message: 'The recipient blocked this account. Do not write to them again.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'recipient',
    },
  },
  {
    name: 'opted_out',
    number: '03',
    failure: {
      code: 'RECIPIENT_OPTED_OUT',
      message: 'The recipient refuses marketing at the provider. Answer only if they write.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'recipient',
    },
  },
  {
    name: 'rate_limited',
    number: '04',
    failure: {
      code: 'RATE_LIMITED',
      message: 'The provider accepts no more messages at the moment.',
      retryable: true,
      retryAfterMs: minuteMs,
      scope: 'account',
    },
    lastsMs: minuteMs,
  },
  { name: 'unknown', number: '05', failure: null },
  {
    name: 'window_closed',
    number: '06',
    failure: {
      code: 'WINDOW_CLOSED',
      message: 'The reply window is closed. Send an approved template.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'message',
    },
  },
  {
    name: 'account_restricted',
    number: '07',
    failure: {
      code: 'ACCOUNT_RESTRICTED',
      message: 'The provider restricted this account. Read its messages to you, and wait until it is lifted.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'account',
    },
  },
  {
    name: 'unavailable',
    number: '08',
    failure: {
      code: 'PROVIDER_UNAVAILABLE',
      message: 'The provider does not answer.',
      retryable: true,
      retryAfterMs: 0,
      scope: 'account',
    },
  },
  {
    name: 'logged_out',
    number: '09',
    failure: {
      code: 'INVALID_CREDENTIALS',
      message: 'The provider refuses the credentials of this account. Connect it again.',
      retryable: false,
      retryAfterMs: 0,
      scope: 'account',
    },
  },
]

const phoneStart = '+346000000'
const telegramStart = '6000000'
const emailDomain = 'sandbox.test'
const bsuidStart = 'ES.sandbox.'

/** The identities of a recipient, of every kind. */
export function toSandboxIdentities({
  name,
  number,
}: Pick<SandboxRecipient, 'name' | 'number'>): ChatIdentity[] {
  return [
    { kind: 'phone', value: phoneStart + number },
    { kind: 'bsuid', value: bsuidStart + name },
    { kind: 'telegram', value: telegramStart + number },
    { kind: 'email', value: `${name}@${emailDomain}` },
    { kind: 'sandbox', value: name },
  ]
}

const recipientsByIdentity = new Map(
  sandboxRecipients.flatMap(recipient =>
    toSandboxIdentities(recipient).map(identity => [toKey(identity), recipient] as const),
  ),
)

/** The recipient with a fixed outcome; undefined: the message arrives. */
export function findSandboxRecipient(to: readonly ChatIdentity[]): SandboxRecipient | undefined {
  return to.map(identity => recipientsByIdentity.get(toKey(identity))).find(Boolean)
}

function toKey({ kind, value }: ChatIdentity): string {
  return `${kind} ${value}`
}
