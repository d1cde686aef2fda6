/** The topics that the senders of messages listen to. */

/** Notified with the tenant's id when a message is due. */
export const messagesDueTopic = 'messages-due'
/** Notified with the tenant's id when claimed messages must be read again before they are sent. */
export const messagesChangedTopic = 'messages-changed'
