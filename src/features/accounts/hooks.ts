/** The hooks with which other features handle what arrives from providers, and new limits of accounts. */
import type { Channel } from '../../domain/contactability/facts.ts'
import { hook } from '../../kit/hook.ts'
import type { InboundEvent } from '../../plugins/chat.ts'

export interface ReceivedChatEvents {
  accountId: string
  providerId: string
  channel: Channel
  /** In the order of the provider. The events of an account are passed one call after the other. */
  events: InboundEvent[]
}

/**
 * Called in the transaction that marks a stored body as processed. A body may be processed again after a crash, so
 * handlers recognise what they have. If a handler throws, the body is tried again later.
 */
export const chatEventsReceived = hook<ReceivedChatEvents>('chatEventsReceived')

/** Called when a daily limit of an account has changed, failed messages gave budget back, or it sends again: messages may wait for that. */
export const accountLimitChanged = hook<{ accountId: string }>('accountLimitChanged')
