/** The interface of messaging for other features. */

export { Media } from './media/schemas.ts'
export { findReceivedMessage, listDeliveredMessages } from './receiving/sandbox-messages.ts'
