/** The outbox of messages without its service: a test claims, sends and records by itself, so that it waits for nothing. */
import { createChatAccounts } from '../src/features/accounts/service.ts'
import { messageOutbox } from '../src/features/messaging/sending/outbox.ts'
import { createCipher } from '../src/kit/crypto.ts'
import { deriveKeyring } from '../src/kit/keyring.ts'
import { createLog } from '../src/kit/log.ts'
import { createMetrics } from '../src/kit/metrics.ts'
import type { ChatProvider, SendResult } from '../src/plugins/chat.ts'

/** The attempt of a claimed message that had this result just now. */
export const toAttempt = (result: SendResult) => ({
  at: new Date(),
  error: null,
  retryAfterMs: 0,
  outcome: { kind: 'result' as const, result },
})

/** `encryptionKey`: that of the database. */
export function createMessageOutbox(
  providers: ChatProvider[],
  { encryptionKey, claimLeaseMs }: { encryptionKey: string; claimLeaseMs?: number },
) {
  const keyring = deriveKeyring(encryptionKey)
  const accounts = createChatAccounts({
    providers,
    simulateProvider: provider => provider,
    cipher: createCipher(keyring, async () => keyring),
    http: null as never,
    resolveHost: async host => host,
    urls: {},
    baseUrl: '',
    log: createLog('silent'),
  })
  return messageOutbox({
    accounts,
    blobs: null as never,
    unsubscribe: { cipher: null as never, baseUrl: '' },
    metrics: createMetrics(async () => 0),
    claimLeaseMs,
  })
}
