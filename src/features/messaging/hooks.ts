/** The hooks with which other features act on messages, and campaigns decide about theirs. */
import type { InvitationReply } from '../../domain/icalendar/read-reply.ts'
import { hook } from '../../kit/hook.ts'
import type { MessageFailure, WaitReason } from './message-types.ts'

export interface SentMessage {
  messageId: string
  conversationId: string
  accountId: string
  /** The provider's id of the message. */
  providerMessageId: string | null
}

/** Called once for each message, in the transaction that records that it was sent. */
export const messageWasSent = hook<SentMessage>('messageWasSent')

/** Called before a conversation is deleted whose messages another one has taken: both are with the same person. */
export const conversationsJoined = hook<{ keptId: string; absorbedId: string }>('conversationsJoined')

/** Called when a conversation is restored that was joined with another one. */
export const conversationsSeparated = hook<{ keptId: string; restoredId: string }>('conversationsSeparated')

/** The people of these conversations may not be written to any more. In the transaction that records the opt-out. */
export const conversationsRefused = hook<string[]>('conversationsRefused')

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

/** A message that a campaign has queued, not one that a person sends again. */
export interface CampaignMessage {
  messageId: string
  campaignId: string
  /** The lead that it is about; null: it was deleted. */
  leadId: string | null
  conversationId: string
  /** When the person last wrote in the conversation, with whatever identity; null: never. */
  lastInboundAt: Date | null
  sendAt: Date
}

export type CampaignDecision =
  | { kind: 'send' }
  /** It is never sent: it ends as `failed`, and looks like no failure to people. */
  | { kind: 'withdraw'; failure: Pick<MessageFailure, 'code' | 'message'> }
  /** It is due again then, and decided again. */
  | { kind: 'defer'; until: Date; waitReason: WaitReason }

/**
 * Called for messages that are otherwise allowed, in the transaction that claims them, again right before the call to the
 * provider, and when a person opens the task of one. A handler only reads: the last check has no transaction. Returns the
 * decisions by the ids of messages; one without a decision is sent.
 */
export const campaignMessagesClaimed = hook<CampaignMessage[], Map<string, CampaignDecision>>(
  'campaignMessagesClaimed',
)

export interface CampaignMessageEnd extends Pick<CampaignMessage, 'messageId' | 'campaignId'> {
  /** `unknown`: it may have been sent, so it is not sent again by itself. */
  status: 'sent' | 'failed' | 'unknown'
  /** What it was before. */
  previous: 'queued' | 'unknown' | 'sent'
  at: Date
  /** Why it failed or is unknown; null: it was sent. */
  failure: MessageFailure | null
}

/**
 * Called in the transaction that ends messages: those of the outbox, and tasks. Once for each end: an unknown one may be decided later,
 * and a sent one may turn out to have failed. Conversations and messages are locked, quotas and events are not yet.
 */
export const campaignMessagesEnded = hook<CampaignMessageEnd[]>('campaignMessagesEnded')
