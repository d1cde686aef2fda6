/** The hook with which other features act when a message reaches its provider. */
import { hook } from '../../kit/hook.ts'

export interface SentMessage {
  messageId: string
  conversationId: string
  accountId: string
  /** The provider's id of the message. */
  providerMessageId: string | null
}

/** Called once for each message, in the transaction that records that it was sent. */
export const messageWasSent = hook<SentMessage>('messageWasSent')
