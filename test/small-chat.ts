/** The smallest chat providers that fulfil the contract, for tests of checks. */
import { timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import { HttpFailure } from '../src/kit/http/client.ts'
import { strictObject, Type } from '../src/kit/schema.ts'
import { sandbox } from '../src/plugins/chat/sandbox.ts'
import {
  type ChatContext,
  ChatError,
  type ChatFailure,
  type ChatProvider,
  type InboundEvent,
  interruptedResult,
} from '../src/plugins/chat.ts'
import { simulateProvider } from '../src/plugins/sandbox/simulate-provider.ts'

export const unavailable: ChatFailure = {
  code: 'PROVIDER_UNAVAILABLE',
  providerCode: null,
  message: 'The provider does not answer.',
  retryable: true,
  retryAfterMs: 0,
  scope: 'account',
}
export const unreadable: InboundEvent = {
  type: 'unreadable',
  externalId: null,
  at: Temporal.Instant.fromEpochMilliseconds(0),
  reason: 'no',
}
const credentials = strictObject({
  token: Type.String({ title: 'Token', minLength: 1, examples: ['secret'] }),
})
const request = { method: 'POST', timeoutMs: 1000, bodyMaxBytes: 100_000 } as const

const call = async ({ http, baseUrl, signal }: ChatContext, body: string | Readable = '{}') => {
  const reply = await http.fetch(`${baseUrl}/send`, { ...request, body, signal })
  return reply
}
const throwUnavailable = async (_credentials: unknown, context: ChatContext): Promise<never> => {
  await call(context).catch(() => {})
  throw new ChatError(unavailable)
}

/** The smallest provider that fulfils the contract over HTTP. */
export const validChat: ChatProvider = {
  id: 'small',
  label: 'Small',
  baseUrl: 'https://small.example',
  channel: 'chat',
  mode: 'chat',
  credentials,
  capabilities: {
    ...sandbox.capabilities,
    media: { image: { mediaTypes: ['image/png'], bytesMax: 1000 } },
    typing: false,
    idempotent: false,
  },
  connect: throwUnavailable,
  checkHealth: throwUnavailable,
  async send(_connection, { content }, context) {
    if (context.signal.aborted) return interruptedResult
    try {
      const reply = await call(context, content.kind === 'media' ? await content.media.open() : '{}')
      return reply.status === 200
        ? { status: 'unknown', reason: 'The reply has no id.' }
        : { status: 'failed', failure: unavailable }
    } catch (error) {
      if (context.signal.aborted) throw error
      return error instanceof HttpFailure && !error.isSent
        ? { status: 'failed', failure: unavailable }
        : { status: 'unknown', reason: 'The connection was cut.' }
    }
  },
  webhook: {
    challenge: (query, token) =>
      token && query.get('hub.verify_token') === token ? query.get('hub.challenge') : null,
    verify({ headers }, { verifyToken }) {
      const sent = Buffer.from(String(headers['x-token'] ?? ''))
      const own = Buffer.from(verifyToken)
      return own.length > 0 && sent.length === own.length && timingSafeEqual(sent, own)
    },
    parse: () => [unreadable],
  },
}
export const linkChat: ChatProvider = {
  ...simulateProvider({
    ...sandbox,
    mode: 'chat-no-api',
    reconcile: undefined as never,
    markRead: undefined as never,
  }),
  capabilities: {
    ...sandbox.capabilities,
    media: {},
    buttonsMax: 0,
    listRowsMax: 0,
    location: false,
    reactions: false,
    typing: false,
    receipts: false,
  },
  createLink: ([first], text) =>
    first ? `sms:+34600000000?body=${encodeURIComponent(text.toWellFormed())}` : null,
}
delete linkChat.showTyping

export const throwError = () => {
  throw new Error('no luck')
}
