/** The interface of messaging for other features. */

export { findAnswerRefusal } from './conversations/answer-refusal.ts'
export { handOverConversation } from './conversations/hand-over.ts'
export { findIdentities, lockConversations } from './conversations/queries.ts'
export {
  type CampaignDecision,
  type CampaignMessage,
  type CampaignMessageEnd,
  campaignMessagesClaimed,
  campaignMessagesEnded,
  conversationsJoined,
  conversationsRefused,
  conversationsSeparated,
  type EmailAnswer,
  emailAnswered,
  messageWasSent,
  type SentMessage,
} from './hooks.ts'
export { toIdentities } from './identities.ts'
export { recordInboxChanges } from './inbox-changes.ts'
export { createUploadOpener } from './media/files.ts'
export type { FileRow as FileOfThread } from './media/queries.ts'
export { Media } from './media/schemas.ts'
export type { Message } from './message-schemas.ts'
export type { MessageInput } from './messages/message-input.ts'
export { findMessageStates, type MessageState } from './messages/message-states.ts'
export { queueMessage } from './messages/queue-message.ts'
export { refusalCodes } from './messages/refusal.ts'
export { withdrawUnsent } from './messages/withdraw-unsent.ts'
export { openConversation } from './participants/open-conversation.ts'
export { openConversationWith } from './participants/open-with-identity.ts'
export { previewCampaignMessages, queueCampaignMessages } from './participants/queue-campaign.ts'
export { textProblems } from './problems.ts'
export { readMessageQuota } from './quotas.ts'
export { findKnownMessage } from './receiving/queries.ts'
export { toValidIdentities } from './receiving/valid-identities.ts'
export { findReceivedMessage, listDeliveredMessages } from './sandbox/messages.ts'
export { findFileOfThread, findThread, findTurns, type Thread } from './sandbox/thread.ts'
