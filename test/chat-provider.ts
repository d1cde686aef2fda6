/** A chat provider of tests: its replies are set by the test, and what it is called with is recorded. */

import { strictObject, Type } from '../src/kit/schema.ts'
import {
  type AccountHealth,
  type ChatContext,
  ChatError,
  type ChatFailure,
  type ChatFailureCode,
  type ChatProvider,
  type ConnectedAccount,
  type Connection,
  type InboundEvent,
} from '../src/plugins/chat.ts'

const credentials = strictObject({
  number: Type.String({ minLength: 1, maxLength: 50 }),
  secret: Type.String({ minLength: 8, maxLength: 100 }),
})

export interface FakeProvider extends ChatProvider<typeof credentials> {
  /** The health of every account. */
  health: AccountHealth
  /** Missing: the accounts belong to no group. */
  groupId?: string
  /** Thrown by `connect` and `checkHealth`; null: they succeed. */
  failure: ChatFailure | null
  contexts: ChatContext[]
  connections: Connection[]
}

export const makeFailure = (code: ChatFailureCode, more: Partial<ChatFailure> = {}): ChatFailure => ({
  code,
  providerCode: '190',
  message: 'The token has expired. Create a new one.',
  retryable: false,
  retryAfterMs: 0,
  scope: 'account',
  ...more,
})

export const healthy: AccountHealth = {
  status: 'CONNECTED',
  reason: null,
  quality: 'high',
  dailyLimit: 250,
  tier: 'TIER_250',
}

/** Bodies are JSON lists of events, signed with the header `x-secret`. A body with `poison` throws. */
export function createFakeProvider(id = 'fake'): FakeProvider {
  const provider: FakeProvider = {
    id,
    label: 'Fake',
    baseUrl: 'https://fake.example',
    channel: 'chat',
    mode: 'chat',
    credentials,
    capabilities: {
      identities: ['phone'],
      text: { charactersMax: 1000 },
      media: {},
      buttonsMax: 0,
      listRowsMax: 0,
      location: false,
      reactions: false,
      typing: false,
      receipts: true,
      templates: 'local',
      replyWindowHours: null,
      messagesPerSecond: 10,
      idempotent: true,
    },
    health: healthy,
    failure: null,
    contexts: [],
    connections: [],
    async connect({ number }, context): Promise<ConnectedAccount> {
      provider.contexts.push(context)
      if (provider.failure) throw new ChatError(provider.failure)
      const { health, groupId } = provider
      return { ...health, externalId: number, phone: `+34${number}`, name: null, ...(groupId && { groupId }) }
    },
    async checkHealth(connection, context) {
      provider.contexts.push(context)
      provider.connections.push(connection)
      if (provider.failure) throw new ChatError(provider.failure)
      return provider.health
    },
    send: async (_connection, message) => ({ status: 'sent', providerMessageId: message.id }),
    webhook: {
      challenge: (query, verifyToken) =>
        query.get('token') === verifyToken ? (query.get('challenge') ?? '') : null,
      verify: ({ headers }, { credentials }) => headers['x-secret'] === credentials.secret,
      parse(body, receivedAt): InboundEvent[] {
        const text = body.toString()
        if (text.includes('poison')) throw new Error('a poisoned body')
        return (JSON.parse(text) as InboundEvent[]).map(event => ({
          ...event,
          at: event.at ? Temporal.Instant.from(event.at as unknown as string) : receivedAt,
        }))
      },
    },
  }
  return provider
}
