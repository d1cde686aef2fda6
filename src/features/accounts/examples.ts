/** Examples for the documentation. */
import type { Account, AccountWithoutWebhook, ChatProviderInfo } from './schemas.ts'

export const capabilitiesExample: ChatProviderInfo['capabilities'] = {
  identities: ['phone', 'bsuid'],
  text: { charactersMax: 4096, captionCharactersMax: 1024 },
  media: [{ kind: 'image', mediaTypes: ['image/jpeg', 'image/png'], bytesMax: 5_000_000 }],
  buttonsMax: 3,
  listRowsMax: 10,
  location: true,
  reactions: true,
  typing: true,
  receipts: true,
  templates: 'required',
  replyWindowHours: 24,
  messagesPerSecond: 80,
}

export const accountPayloadExample: AccountWithoutWebhook = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  provider: 'sandbox',
  mode: 'chat',
  channel: 'chat',
  displayName: 'Office',
  phone: '+34600000001',
  externalId: '100000000000001',
  status: 'CONNECTED',
  isPaused: false,
  pausedUntil: null,
  capabilities: capabilitiesExample,
  dailyBudget: 250,
  usedToday: 12,
  dailyLimit: null,
  warmUp: null,
  messagesPerSecond: 80,
  health: {
    status: 'CONNECTED',
    reason: null,
    quality: 'high',
    tier: 'TIER_250',
    providerDailyLimit: 250,
    checkedAt: '2026-11-02T10:00:00.000Z',
    changedAt: '2026-11-02T09:00:00.000Z',
    isFailing: false,
    unprocessedBodies: 0,
  },
  createdAt: '2026-11-02T09:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}

export const accountExample: Account = {
  ...accountPayloadExample,
  webhook: {
    url: 'https://aldaba.example/chat/webhooks/3q2-7wAAAABCDEFGHIJKLMNOPQRSTUVW',
    verifyToken: 'kJ3nVtEXAMPLEm0Z8yq1rW5cXo2hB7Lp',
  },
}

export const providerExample: ChatProviderInfo = {
  id: 'sandbox',
  label: 'Sandbox',
  channel: 'chat',
  mode: 'chat',
  credentials: { type: 'object', properties: {}, additionalProperties: false },
  capabilities: capabilitiesExample,
  hasWebhook: false,
}
