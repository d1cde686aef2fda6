/** The interface of messaging for other features. */

export { messageWasSent, type SentMessage } from './hooks.ts'
export { toIdentities } from './identities.ts'
export type { FileRow as FileOfThread } from './media/queries.ts'
export { Media } from './media/schemas.ts'
export type { Message } from './message-schemas.ts'
export { findFileOfThread, findThread, findTurns, type Thread } from './messages/read-thread.ts'
export { toValidIdentities } from './receiving/identities.ts'
export { findIdentities, findKnownMessage } from './receiving/queries.ts'
export { findReceivedMessage, listDeliveredMessages } from './receiving/sandbox-messages.ts'
