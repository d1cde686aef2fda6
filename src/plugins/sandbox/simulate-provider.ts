/**
 * The provider of the test environment: the rules of a real provider (reply window, templates, formats) without its
 * network. Messages arrive at once, unless the recipient has a fixed outcome (`recipients`).
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Static, TObject } from 'typebox'
import { isSignatureValid } from '../../kit/http/hub-signature.ts'
import { getIdTime } from '../../kit/id.ts'
import { compile } from '../../kit/schema.ts'
import {
  type AccountHealth,
  type ChatContext,
  ChatError,
  type ChatFailure,
  type ChatProvider,
  interruptedResult,
  type OutgoingMessage,
  type SendResult,
  type TemplateApproval,
} from '../chat.ts'
import { parseSandboxBody } from './body.ts'
import { findSandboxRecipient } from './recipients.ts'

/** The header that signs a posted body with the account's verify token: `sha256=` and the hexadecimal HMAC. */
export const sandboxSignatureHeader = 'x-sandbox-signature'

const messageIdStart = 'sandbox-'

/** The id that the simulation gives to our message. */
export const toSandboxMessageId = (messageId: string): string => messageIdStart + messageId

/** True for ids of `toSandboxMessageId`: the message was sent by the simulation. */
export const isSandboxMessageId = (providerMessageId: string): boolean =>
  providerMessageId.startsWith(messageIdStart)

/** What the simulation keeps of a provider. */
export type SimulatedFacts<Credentials extends TObject> = Pick<
  ChatProvider<Credentials>,
  | 'id'
  | 'label'
  | 'channel'
  | 'mode'
  | 'credentials'
  | 'capabilities'
  | 'findRefusal'
  | 'reconcile'
  | 'markRead'
  | 'templates'
  | 'createLink'
>

const healthy: AccountHealth = {
  status: 'CONNECTED',
  reason: null,
  quality: null,
  dailyLimit: null,
  tier: null,
}
const mediaMaxChars = 2_000_000

/**
 * The same provider with all I/O replaced: same id, label, channel, mode, credentials and capabilities. Credentials are
 * checked by their schema alone. What a person does arrives as bodies of `toSandboxBody`.
 */
export function simulateProvider<Credentials extends TObject>(
  provider: SimulatedFacts<Credentials>,
): ChatProvider<Credentials> {
  const { id, label, channel, mode, credentials, capabilities, createLink } = provider
  const isChat = mode === 'chat'
  const findErrors = compile(credentials)
  return {
    id,
    label,
    baseUrl: null,
    channel,
    mode,
    credentials,
    capabilities,
    async connect(given) {
      const [error] = findErrors(structuredClone(given))
      if (error) throw new ChatError(toCredentialsFailure(`${error.path} ${error.message}`))
      return { ...healthy, externalId: toExternalId(given), phone: toPhone(given), name: null }
    },
    ...(provider.findRefusal && { findRefusal: provider.findRefusal }),
    checkHealth: async () => healthy,
    send: (_connection, message, context) => sendNowhere(message, context),
    ...(provider.reconcile && { reconcile: async (_connection, message, { now }) => toResult(message, now) }),
    ...(isChat && {
      webhook: {
        verify: ({ headers, body }, { verifyToken }) =>
          isSignatureValid(body, headers[sandboxSignatureHeader], verifyToken),
        parse: parseSandboxBody,
      },
      openMedia: async (_connection, { providerMediaId }) => Readable.from([toMediaBytes(providerMediaId)]),
    }),
    ...(provider.markRead && { markRead: async () => {} }),
    ...(capabilities.typing && { showTyping: async () => {} }),
    ...(provider.templates && {
      templates: {
        ...(provider.templates.findErrors && { findErrors: provider.templates.findErrors }),
        list: async () => [],
        submit: async (_connection, { providerName, language }) => ({
          providerTemplateId: `sandbox-${providerName}-${language}`,
          status: toApproval(providerName),
        }),
      },
    }),
    ...(createLink && { createLink }),
  }
}

/** Reads the file to its end, as a real provider does. */
async function sendNowhere(
  message: OutgoingMessage,
  { signal, now }: Pick<ChatContext, 'signal' | 'now'>,
): Promise<SendResult> {
  const media = 'media' in message.content ? message.content.media : undefined
  if (media) {
    const failure = await readMedia(media.open)
    if (failure) return { status: 'failed', failure }
  }
  if (signal.aborted) return interruptedResult
  return toResult(message, now)
}

async function readMedia(open: () => Promise<Readable>): Promise<ChatFailure | null> {
  try {
    for await (const _chunk of await open());
    return null
  } catch (error) {
    return {
      code: 'MEDIA_REJECTED',
      providerCode: null,
      message: `The file could not be read: ${(error as Error).message}.`,
      retryable: true,
      retryAfterMs: 0,
      scope: 'message',
    }
  }
}

/** The id is that of our message, so that a repeated message is the same message. */
function toResult({ id, to }: Pick<OutgoingMessage, 'id' | 'to'>, now: Temporal.Instant): SendResult {
  const recipient = findSandboxRecipient(to)
  const ageMs = now.epochMilliseconds - getIdTime(id).getTime()
  if (!recipient || ageMs >= (recipient.lastsMs ?? Number.POSITIVE_INFINITY))
    return { status: 'sent', providerMessageId: toSandboxMessageId(id), isDelivered: true }
  const { failure, name } = recipient
  return failure
    ? { status: 'failed', failure: { ...failure, providerCode: name } }
    : { status: 'unknown', reason: 'The connection to the provider was cut before it answered.' }
}

function toCredentialsFailure(problem: string): ChatFailure {
  return {
    code: 'INVALID_CREDENTIALS',
    providerCode: null,
    message: `The credentials are not valid: ${problem}. Correct them and connect the account again.`,
    retryable: false,
    retryAfterMs: 0,
    scope: 'account',
  }
}

const namingField = /id$|^phone$|^address$/i
/** The token of a bot begins with the number of the bot. */
const botToken = /^(\d+):/

/** The same for the same account, as far as its credentials name it; otherwise empty. */
function toExternalId(credentials: Static<TObject>): string {
  const names = Object.entries(credentials)
    .flatMap(([name, value]) => {
      if (typeof value !== 'string') return []
      if (namingField.test(name)) return [[name, value] as const]
      const [, number] = botToken.exec(value) ?? []
      return name === 'token' && number ? [[name, number] as const] : []
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
  if (names.length === 0) return ''
  return `sandbox-${createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32)}`
}

function toPhone({ phone }: { phone?: unknown }): string | null {
  return typeof phone === 'string' && /^\+[1-9]\d{5,14}$/.test(phone) ? phone : null
}

/** By its name, so that a test can have every state. */
function toApproval(providerName: string): TemplateApproval {
  if (providerName.includes('rejected')) return 'rejected'
  return providerName.includes('pending') ? 'pending' : 'approved'
}

/** The id of a medium of the sandbox is its content, as a `data:` URL. */
function toMediaBytes(providerMediaId: string): Buffer {
  const base64 = /^data:[^,]{0,200};base64,/.exec(providerMediaId)
  if (base64 && providerMediaId.length <= mediaMaxChars)
    return Buffer.from(providerMediaId.slice(base64[0].length), 'base64')
  throw new ChatError({
    code: 'MEDIA_REJECTED',
    providerCode: null,
    message: 'The sandbox has no such file. Send it as a data: URL.',
    retryable: false,
    retryAfterMs: 0,
    scope: 'message',
  })
}
