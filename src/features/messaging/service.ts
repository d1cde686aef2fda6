/** The interface of messaging for other features. */

export { openConversation } from './conversations/open-conversation.ts'
export { failQueued } from './messages/fail-queued.ts'
export { type QueueRequest, queueMessage } from './messages/queue-message.ts'
