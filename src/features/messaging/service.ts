/** The interface of messaging for other features. */

export { openConversation } from './conversations/open-conversation.ts'
export { Media } from './media/schemas.ts'
export { failQueued } from './messages/fail-queued.ts'
export { type QueueRequest, queueMessage } from './messages/queue-message.ts'
export { findReceivedMessage, listDeliveredMessages } from './receiving/sandbox-messages.ts'
