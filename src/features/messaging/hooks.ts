/** The hook with which other features act when a message reaches its provider. */
import type { InvitationReply } from '../../domain/icalendar/read-reply.ts'
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

/** An e-mail that answers an invitation or one of our messages. */
export interface EmailAnswer {
  /** The sender. */
  email: string
  at: Date
  /** The answer to an invitation; null: there is none. */
  reply: InvitationReply | null
  /** Our ids of the messages that it answers. */
  answeredIds: string[]
}

/**
 * Called when such an e-mail arrives, before it is stored as a message. The receiving server has not found it forged. A handler returns
 * whether it was an answer to something else than a conversation: then it is no message. It may arrive again.
 */
export const emailAnswered = hook<EmailAnswer, boolean>('emailAnswered')
